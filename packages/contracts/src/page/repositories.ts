import type { ExportLines } from '../export.ts';
import type { PageCommand, PageText } from './common.ts';
import type { PageCheckpoint } from './timeline.ts';

/** GET /api/repositories: repositories in which agents worked or checkpoints are taken, the latest first. */
export interface PageRepository {
  /** For the paths of the API. */
  readonly id: string;
  readonly root: string;
  readonly name: string;
  readonly lastAt: number | null;
  readonly sessions: number;
  /** Whether checkpoints are taken in it. */
  readonly watched: boolean;
  /** It does not lie there any more. */
  readonly missing: boolean;
}

/** GET /api/repositories/<id> */
export interface PageRepositoryDetail extends PageRepository {
  readonly branch: string | null;
  readonly head: string | null;
  readonly checkpoints: number;
  readonly commands: readonly PageCommand[];
}

/** GET /api/repositories/<id>/commits, newest first. */
export interface PageCommit {
  readonly sha: string;
  readonly subject: string;
  readonly at: number;
  readonly author: string;
  /** Whose its added lines are; null if it was not computed (`?lines=1` does, slowly). */
  readonly lines: ExportLines | null;
  readonly checkpoints: readonly string[];
  readonly sessions: readonly { readonly id: string | null; readonly agent: string | null; readonly providerRef: string }[];
}

/** GET /api/repositories/<id>/steps: the slider. Newest first; each is a tree that can be looked at. */
export interface PageStep extends PageCheckpoint {
  /** What changed since the one before; null if it is unknown, at most 100. */
  readonly files: readonly string[] | null;
  readonly filesCut: number;
}

/** GET /api/repositories/<id>/tree?at=<checkpoint, commit; without it the working tree>&path=<folder> */
export interface PageTree {
  readonly at: string | null;
  readonly path: string;
  /** Folders first. At most 2,000. */
  readonly entries: readonly PageTreeEntry[];
  readonly cut: number;
}
export interface PageTreeEntry {
  readonly name: string;
  readonly path: string;
  readonly kind: 'folder' | 'file' | 'link' | 'submodule';
  readonly bytes: number | null;
  /** It, or something in it, differs from the step before. */
  readonly changed: boolean;
}

/** One file of a diff. */
export interface PageFileDiff {
  readonly path: string;
  readonly oldPath: string | null;
  readonly change: 'added' | 'changed' | 'deleted' | 'renamed' | 'mode';
  readonly binary: boolean;
  readonly added: number;
  readonly removed: number;
  /** Its hunks, from the first `@@` on, as git prints them. Empty for a binary file. */
  readonly patch: PageText;
}
/**
 * GET /api/repositories/<id>/diff?at=<checkpoint, commit>&from=<checkpoint, commit>: without `from` against what was before it.
 * Also GET /api/repositories/<id>/checkpoints/<id>, with the checkpoint beside it.
 */
export interface PageDiff {
  readonly at: string;
  readonly from: string | null;
  readonly checkpoint: PageCheckpoint | null;
  /** At most 300 files. */
  readonly files: readonly PageFileDiff[];
  readonly cut: number;
  readonly commands: readonly PageCommand[];
}

/** GET /api/repositories/<id>/file?path=…&at=<checkpoint, commit; without it the working tree> */
export interface PageFile {
  readonly path: string;
  readonly at: string | null;
  /** Why there are no lines: binary, missing, ignored …; null if there are. */
  readonly why: string | null;
  /** In runs of lines by the same author, from the first line on. At most 20,000 lines. */
  readonly runs: readonly PageLines[];
  readonly cut: number;
}
export interface PageLines {
  readonly by: 'agent' | 'human' | 'shared';
  readonly agent: string | null;
  /** Id in the store, if it is known there. */
  readonly session: string | null;
  readonly checkpoint: string | null;
  /** What was asked for, if an agent wrote them. */
  readonly prompt: string | null;
  readonly commit: string | null;
  readonly from: number;
  readonly lines: readonly string[];
}
