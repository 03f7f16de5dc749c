import { isUlid, ulidTime } from '@piton/contracts';
import { type RawPath, rawPath, shownPath } from './raw-path.ts';
import type { Skipped } from './snapshot/skipped.ts';

export const CHECKPOINT_KINDS = ['prompt', 'stop', 'task', 'todo', 'commit'] as const;
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
  /** The checkpoint before it in the same worktree. */
  readonly before: string | null;
  /** The session whose work lies between this checkpoint and the one before: not always the one that it is about. */
  readonly workOf: string | null;
  /** Of kind `commit`: the user's commit. */
  readonly linked: string | null;
  readonly at: Date;
  readonly skipped: readonly Skipped[];
  /** Of kind `task`: files of which nobody knows which of several subagents changed them. */
  readonly shared: readonly RawPath[];
  /** Of kind `task`, where others were at work at the same time: the files that this one changed. */
  readonly own: readonly RawPath[];
  /** Files that a checkout would not give back byte for byte are also kept as they were, under `verbatimRef`. */
  readonly verbatim: boolean;
}

export const REFS = 'refs/piton/checkpoints/';
const VERBATIM_REFS = 'refs/piton/verbatim/';

export const checkpointRef = (id: string): string => `${REFS}${id}`;
export const verbatimRef = (id: string): string => `${VERBATIM_REFS}${id}`;

type Written = Omit<Checkpoint, 'ref' | 'commit' | 'tree' | 'base' | 'at'>;

const LONGEST_CHARACTER = 16;

/** One line, short, and nothing that a terminal would take for a command. Characters are never cut in two. */
export function oneLine(text: string, limit = 120): string {
  const clean = text
    .replace(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  // Of a prompt of many pages only the beginning is looked at: telling characters apart takes longer the more there are, each time.
  const head = clean.slice(0, limit * LONGEST_CHARACTER);
  const parts = [...new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(head)].map(({ segment }) => segment);
  return parts.length <= limit && head.length === clean.length ? clean : `${parts.slice(0, limit - 1).join('')}…`;
}

/** The message of a checkpoint's commit: a name for people, and lines for us. */
export function formatMessage(written: Written): string {
  const { id, kind, name, by, session, agent, turn, branch, worktree, before, workOf, linked, skipped, verbatim } = written;
  const work = workOf === session ? null : workOf === null ? '-' : workOf;
  const lines = { kind, by, session, work, agent, turn, branch, worktree, before, commit: linked, verbatim: verbatim ? 'yes' : null };
  const body = Object.entries(lines).filter((line): line is [string, string] => line[1] !== null && line[1] !== '');
  const data = body.map(([field, value]) => `Piton-${field[0]?.toUpperCase()}${field.slice(1)}: ${oneLine(value, 500)}`);
  const left = skipped.map(({ path, reason, bytes }) => `Piton-Skipped: ${JSON.stringify([shownPath(path), reason, bytes])}`);
  const named = (field: string, paths: readonly RawPath[]): string[] =>
    paths.map((path) => `Piton-${field}: ${JSON.stringify(shownPath(path))}`);
  const apart = [...named('Own', written.own), ...named('Shared', written.shared)];
  return `${oneLine(name) || kind}\n\nPiton-Id: ${id}\n${[...data, ...left, ...apart].join('\n')}\n`;
}

/** The fields of a commit as `for-each-ref` or `log` gives them. */
export interface CommitFacts {
  readonly ref: string;
  readonly commit: string;
  readonly tree: string;
  readonly parent: string;
  readonly message: string;
}

/** Null if that is no checkpoint of ours: anybody may write a ref. */
export function parseCheckpoint({ ref, commit, tree, parent, message }: CommitFacts): Checkpoint | null {
  const id = ref.slice(REFS.length);
  const value = (field: string) => new RegExp(`^Piton-${field}: (.*)$`, 'm').exec(message)?.[1] ?? null;
  const kind = CHECKPOINT_KINDS.find((known) => known === value('Kind'));
  if (!ref.startsWith(REFS) || !isUlid(id) || !kind || value('Id') !== id) return null;
  return {
    id,
    ref,
    commit,
    tree,
    base: parent.split(' ')[0] || null,
    kind,
    name: message.split('\n')[0] ?? '',
    by: AUTHORS.find((known) => known === value('By')) ?? 'shared',
    session: value('Session'),
    agent: value('Agent'),
    turn: value('Turn'),
    branch: value('Branch'),
    worktree: value('Worktree') ?? 'main',
    before: value('Before'),
    workOf: value('Work') === '-' ? null : (value('Work') ?? value('Session')),
    linked: value('Commit'),
    verbatim: value('Verbatim') === 'yes',
    at: new Date(ulidTime(id)),
    skipped: [...message.matchAll(/^Piton-Skipped: (.*)$/gm)].flatMap(([, json]) => parseSkipped(json ?? '')),
    shared: [...message.matchAll(/^Piton-Shared: (.*)$/gm)].flatMap(([, json]) => parsePath(json ?? '')),
    own: [...message.matchAll(/^Piton-Own: (.*)$/gm)].flatMap(([, json]) => parsePath(json ?? '')),
  };
}

/** What a subagent changed, itself or together with another; null where nobody worked beside it, and all that changed is its. */
export function subagentPaths({ own, shared }: Pick<Checkpoint, 'own' | 'shared'>): readonly RawPath[] | null {
  return own.length + shared.length === 0 ? null : [...own, ...shared];
}

function parsePath(json: string): RawPath[] {
  try {
    return [rawPath(String(JSON.parse(json)))];
  } catch {
    return [];
  }
}

function parseSkipped(json: string): Skipped[] {
  try {
    const [path, reason, bytes] = JSON.parse(json) as [string, Skipped['reason'], number];
    return [{ path: rawPath(path) as RawPath, reason, bytes }];
  } catch {
    return [];
  }
}
