import { stripVTControlCharacters } from 'node:util';
import type { RawPath } from './raw-path.ts';
import type { Skipped } from './snapshot/skipped.ts';

export const CHECKPOINT_KINDS = ['prompt', 'part', 'stop', 'task', 'todo', 'commit'] as const;
export type CheckpointKind = (typeof CHECKPOINT_KINDS)[number];

/** Whose changes lie between a checkpoint and the one before it; `shared` where nobody can tell. */
export const AUTHORS = ['agent', 'human', 'shared'] as const;
export type Author = (typeof AUTHORS)[number];

/** What the caller knows about a checkpoint. */
export interface About {
  readonly kind: CheckpointKind;
  /** What was done, in one line; it is redacted before it is written. */
  readonly name: string;
  readonly by: Author;
  readonly session: string | null;
  readonly agent: string | null;
  /** The event that began the turn, so that a line can be traced to its prompt. */
  readonly turn: string | null;
}

export interface Checkpoint extends About {
  readonly id: string;
  readonly ref: string;
  /** The checkpoint's own commit, which no branch knows. */
  readonly commit: string;
  readonly tree: string;
  /** HEAD then; null before the first commit. */
  readonly base: string | null;
  readonly branch: string | null;
  readonly worktree: string;
  /** Tells a linked worktree from another that was made under its name; null for the main one, and where older versions did not write it. */
  readonly place: string | null;
  /** The checkpoint before it in the same worktree. */
  readonly before: string | null;
  /** The session whose work lies between this checkpoint and the one before: not always the one that it is about. */
  readonly workOf: string | null;
  /** The agent of that session; null where older versions did not write it. */
  readonly workAgent: string | null;
  /** Of kind `commit`: the user's commit. */
  readonly linked: string | null;
  /** When the working tree was looked at: later than the one before it, even if the clock was set back. An id may have been promised earlier. */
  readonly at: Date;
  readonly skipped: readonly Skipped[];
  /** Of kind `task`: files of which nobody knows which of several subagents changed them. */
  readonly shared: readonly RawPath[];
  /** Of kind `task`, where others were at work at the same time: the files that this one changed. */
  readonly own: readonly RawPath[];
  /** Files that have other bytes on disk than in the tree are also kept as they were, under `verbatimRef`. */
  readonly verbatim: boolean;
  /**
   * Everything else was on disk byte for byte as the tree has it. False in what older versions wrote: there it is what a checkout made of
   * the tree, under the attributes and settings of then.
   */
  readonly asOnDisk: boolean;
}

/** What a rewind goes to: a checkpoint, or the state before a call, which has no commit. */
export interface RewindTarget extends Checkpoint {
  /** The tree of what is kept verbatim, where that has no ref. */
  readonly verbatimTree?: string | null;
  /** The last checkpoint before it, where it is none itself. */
  readonly after?: string | null;
  /** All that is known of it, where that is not the whole working tree. */
  readonly exact?: readonly RawPath[] | null;
}

export const REFS = 'refs/piton/checkpoints/';
const VERBATIM_REFS = 'refs/piton/verbatim/';

export const checkpointRef = (id: string): string => `${REFS}${id}`;
export const verbatimRef = (id: string): string => `${VERBATIM_REFS}${id}`;

const LONGEST_CHARACTER = 16;

/** One line, short, and nothing that a terminal would take for a command. Characters are never cut in two. */
export function oneLine(text: string, limit = 120): string {
  const clean = stripVTControlCharacters(text)
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Of a prompt of many pages only the beginning is looked at: telling characters apart takes longer the more there are, each time.
  const head = clean.slice(0, limit * LONGEST_CHARACTER);
  const parts = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(head)].map(({ segment }) => segment);
  return parts.length <= limit && head.length === clean.length ? clean : `${parts.slice(0, limit - 1).join('')}…`;
}

/** What a subagent changed, itself or together with another; null where nobody worked beside it, and all that changed is its. */
export function subagentPaths({ own, shared }: Pick<Checkpoint, 'own' | 'shared'>): readonly RawPath[] | null {
  return own.length + shared.length === 0 ? null : [...own, ...shared];
}
