import { randomBytes } from 'node:crypto';
import type { Git, GitPort } from '@piton/git';
import { type BlamedLine, blameFile } from './attribution/blame.ts';
import { type Attribution, attributeCommit } from './attribution/commit-attribution.ts';
import type { BlameOptions } from './attribution/ignored-commits.ts';
import { type Unblamable, unblamable } from './attribution/unblamable.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Expired, expiredCheckpoints } from './clean/expired.ts';
import { deleteExpired, type Reclaimed } from './clean/reclaim.ts';
import { bytesOnlyIn } from './clean/size.ts';
import { changedFiles } from './history/changed-files.ts';
import { findCheckpoint, listCheckpoints } from './history/listing.ts';
import { checkpointDiff, checkpointStat, type PatchOptions, planDiff } from './history/patch.ts';
import { type LoggedCall, readCalls } from './images/call-log.ts';
import { foldersLeftOut } from './images/look.ts';
import { adoptKeptCalls } from './kept/adopt-calls.ts';
import { type Linked, recoverLink } from './links/link.ts';
import { findLinks, type Link, type Repair, resolveLink, saveLinks } from './links/resolve.ts';
import { fromRoot, type RawPath, shownPath } from './raw-path.ts';
import { openWorktree } from './repositories/open-worktree.ts';
import { findRepository, type Repository } from './repositories/repository.ts';
import { stateDirectory } from './repositories/state-directory.ts';
import { followRepository } from './repositories/watched.ts';
import { type Rewound, rewind } from './rewind/rewind.ts';
import { planRewind, type Refused, type RewindOptions, type RewindPlan } from './rewind/rewind-plan.ts';
import { planUndo, type UndoPlan, undoRewind } from './rewind/undo.ts';
import { type Skipped, secretTest } from './snapshot/skipped.ts';
import { type BeforeCall, beforeLatestTurn, beforeTurn, type NoWayBack } from './turns/latest-turn.ts';
import { openTurns } from './turns/turn-file.ts';
import { createWorktree, observedBy, type Worktree } from './worktree.ts';

export interface OpenOptions {
  readonly git: GitPort;
  readonly directory: string;
  /** The directory of all that Piton knows. */
  readonly home: string;
  /** Takes secrets out of the names of checkpoints. */
  readonly redact: (text: string) => string;
  /** Does a text hold a token of a known shape? Such untracked files are left out. */
  readonly holdsToken?: (text: string) => boolean;
  /** Look only: a repository that was moved is not followed, and the state of one that lay here before is left where it is. */
  readonly asFound?: boolean;
}

export type Blamed =
  | { readonly result: 'lines'; readonly lines: readonly BlamedLine[] }
  | { readonly result: 'unblamable'; readonly why: Unblamable };

/** The checkpoints of one working tree, and all that can be done with them between turns. */
export interface Checkpoints {
  readonly git: Git;
  readonly repository: Repository;
  /** The same, and `made` learns of every checkpoint that is made on the way. */
  observedBy(made: (checkpoint: Checkpoint) => void): Checkpoints;

  /** Of this working tree, the oldest first. */
  list(): Promise<Checkpoint[]>;
  /** Of all working trees of the repository, the oldest first: commits and lines come from any of them. */
  listAll(): Promise<Checkpoint[]>;
  find(id: string): Promise<Checkpoint | null>;
  changedFiles(some: readonly Checkpoint[], all: readonly Checkpoint[]): Promise<(readonly RawPath[] | null)[]>;
  diff(checkpoint: Checkpoint, before: Checkpoint | null, options?: PatchOptions): Promise<Buffer>;
  stat(checkpoint: Checkpoint, before: Checkpoint | null): Promise<string>;

  /** The state before the latest turn that is known to have begun. */
  beforeLatestTurn(all: readonly Checkpoint[]): Promise<Checkpoint | BeforeCall | NoWayBack | undefined>;
  /** The state before a turn, by its full id. */
  beforeTurn(all: readonly Checkpoint[], turn: string): Checkpoint | BeforeCall | NoWayBack | undefined;
  /** Calls of recent turns that could change files, the oldest first, and those turns that have no state before them. */
  calls(): readonly LoggedCall[];
  /** Folders that the last look at the working tree left out, because they hold too many untracked files. */
  leftOutFolders(): readonly Skipped[];
  /** Takes up what was kept of calls while no server answered. A server that runs has done so. */
  adoptKept(): Promise<void>;
  /** A file as checkpoints name it; null if it lies outside, or is git's own. */
  pathOf(file: string, cwd: string): string | null;
  planRewind(id: string, options?: RewindOptions): Promise<RewindPlan | Refused>;
  rewind(id: string, options?: RewindOptions): Promise<Rewound | Refused>;
  planUndo(): Promise<UndoPlan | Refused>;
  undoRewind(): Promise<Rewound | Refused>;
  planDiff(plan: RewindPlan, options?: PatchOptions): Promise<Buffer>;

  /** Who wrote each line of a file of the working tree, or of a commit. */
  blame(file: string, rev?: string, options?: BlameOptions): Promise<Blamed>;
  /** How much of a commit is whose. */
  attributeCommit(rev: string): Promise<Attribution | null>;
  /** The checkpoints of a commit, and by what they are known. */
  resolveLink(commit: string): Promise<Link | null>;
  /** Looks at every commit of every branch for links that a rewrite has cut. Nothing is written. */
  findLinks(): Promise<Repair>;
  saveLinks(links: readonly Link[]): Promise<void>;
  /** Makes the checkpoint of HEAD where nobody did. */
  recoverLink(): Promise<Linked | null>;

  /** Which may go: those that are old, and that no commit or unfinished work needs. */
  expired(before: Date): Promise<Expired>;
  /** What deleting these would free. */
  bytesOnlyIn(expired: Pick<Expired, 'checkpoints' | 'images'>): Promise<number>;
  delete(expired: Pick<Expired, 'checkpoints' | 'images'>): Promise<Reclaimed>;
}

/** Of the working tree around a directory, which need not exist any more; null outside any. */
export async function openCheckpoints({
  git,
  directory,
  home,
  redact,
  holdsToken = () => false,
  asFound = false,
}: OpenOptions): Promise<Checkpoints | null> {
  const repository = await findRepository(git, directory);
  if (repository === null) return null;
  const random = (bytes: number): Uint8Array => new Uint8Array(randomBytes(bytes));
  const options = { git, repository, redact, looksSecret: secretTest(holdsToken), random, stateDirectory: stateDirectory(home) };
  if (asFound) return checkpointsOf(createWorktree(options), home);
  followRepository(home, repository.root);
  return checkpointsOf(await openWorktree(options), home);
}

function checkpointsOf(worktree: Worktree, home: string): Checkpoints {
  const { git, repository } = worktree;
  return {
    git,
    repository,
    observedBy: (made) => checkpointsOf(observedBy(worktree, made), home),

    list: () => listCheckpoints(git, repository, { here: true }),
    listAll: () => listCheckpoints(git, repository),
    find: (id) => findCheckpoint(git, repository, id),
    changedFiles: (some, all) => changedFiles(worktree, some, all),
    diff: (checkpoint, before, options) => checkpointDiff(worktree, checkpoint, before, options),
    stat: (checkpoint, before) => checkpointStat(worktree, checkpoint, before),

    beforeTurn: (all, turn) => beforeTurn(all, turn, readCalls(worktree)),
    beforeLatestTurn: async (all) => beforeLatestTurn(all, await openTurns(worktree), readCalls(worktree)),
    calls: () => readCalls(worktree),
    leftOutFolders: () => foldersLeftOut(worktree),
    // Prompts may lie in the journal that only a server reads: whose turn these calls are in, nobody can tell here.
    adoptKept: async () => void (await adoptKeptCalls(home, worktree, { turnOf: async () => null })),
    pathOf(file, cwd) {
      const path = fromRoot(repository.root, file, cwd);
      return path === null ? null : shownPath(path);
    },
    planRewind: (id, options) => planRewind(worktree, id, options),
    rewind: (id, options) => rewind(worktree, id, options),
    planUndo: () => planUndo(worktree),
    undoRewind: () => undoRewind(worktree),
    planDiff: (plan, options) => planDiff(worktree, plan, options),

    async blame(file, rev, options) {
      const lines = await blameFile(worktree, file, rev, options);
      return lines === null
        ? { result: 'unblamable', why: (await unblamable(worktree, file, rev)) ?? 'missing' }
        : { result: 'lines', lines };
    },
    attributeCommit: (rev) => attributeCommit(worktree, rev),
    resolveLink: (commit) => resolveLink(worktree, commit),
    findLinks: () => findLinks(worktree),
    saveLinks: (links) => saveLinks(worktree, links),
    recoverLink: () => recoverLink(worktree),

    expired: (before) => expiredCheckpoints(worktree, before),
    bytesOnlyIn: (expired) => bytesOnlyIn(worktree, expired),
    delete: (expired) => deleteExpired(worktree, expired),
  };
}
