import { appendFileSync, mkdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RawPath } from '../raw-path.ts';
import type { Recipe } from '../snapshot/conversion/recipe.ts';
import type { Skipped } from '../snapshot/skipped.ts';
import type { Entry } from '../snapshot/tree.ts';
import { replaceFile } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';

/** A call of an agent that could change files, and what a rewind before it has. */
export interface LoggedCall {
  /** The stamp of its event. */
  readonly id: string;
  readonly session: string;
  readonly agent: string;
  /** The turn that it belongs to. */
  readonly turn: string;
  /** The portable name of the tool. */
  readonly tool: string;
  /** What it was asked, in one line, redacted. */
  readonly what: string;
  readonly atMs: number;
  /** The last checkpoint then; null where there was none. */
  readonly after: string | null;
  readonly wayBack: WayBack;
  /** It stands for the turn as a whole, whose before-image could not be saved. */
  readonly wholeTurn?: true;
  /** The server learned of it only afterwards. */
  readonly late?: true;
}

/** `image`: the whole working tree. `files`: just those that the call named. `none`: nothing, and why. */
export type WayBack =
  | {
      readonly kind: 'image';
      readonly tree: string;
      readonly verbatim: string | null;
      readonly base: string | null;
      readonly skipped: readonly Skipped[];
      /** As in `Checkpoint`. */
      readonly asOnDisk?: true;
    }
  | { readonly kind: 'files'; readonly files: readonly HeldFile[]; readonly skipped: readonly Skipped[]; readonly asOnDisk?: true }
  | { readonly kind: 'none'; readonly why: string };

export interface HeldFile {
  readonly path: RawPath;
  /** Null: it was not there. */
  readonly entry: Entry | null;
  /** The blob of its own bytes, where `entry` does not have them. */
  readonly verbatim?: string;
  /** How those bytes follow from `entry`; absent where they are stored. */
  readonly recipe?: Recipe;
}

const logFile = ({ state }: Pick<Worktree, 'state'>) => join(state, 'calls.jsonl');

/** Past this the log is written anew with the calls of recent turns. */
const LONGEST_LOG = 512 * 1024;
const MOST_TURNS = 20;

/** In the order in which they were seen: the clocks of agents do not matter. */
export function readCalls(worktree: Pick<Worktree, 'state'>): LoggedCall[] {
  let text = '';
  try {
    text = readFileSync(logFile(worktree), 'utf8');
  } catch {
    return [];
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as LoggedCall];
    } catch {
      return []; // cut by a crash
    }
  });
}

/** What could not be written, most likely because the disk is full: it is written with the next. */
const unwritten = new Map<string, LoggedCall[]>();
const MOST_UNWRITTEN = 1000;

/** One line, whole or absent: what a crash has cut does not spoil the next. Never fails: that a call has no way back must not be lost. */
export const logCall = (worktree: Pick<Worktree, 'state'>, call: LoggedCall): void => append(worktree, [call]);

/** Writes what could not be written before, if it can be now. */
export function flushCalls(worktree: Pick<Worktree, 'state'>): void {
  if (unwritten.has(logFile(worktree))) append(worktree, []);
}

function append(worktree: Pick<Worktree, 'state'>, more: readonly LoggedCall[]): void {
  const file = logFile(worktree);
  const calls = [...(unwritten.get(file) ?? []), ...more];
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    appendFileSync(file, `\n${calls.map((each) => JSON.stringify(each)).join('\n')}\n`, { mode: 0o600 });
    unwritten.delete(file);
  } catch {
    unwritten.set(file, calls.slice(-MOST_UNWRITTEN));
    return;
  }
  try {
    if (statSync(file).size > LONGEST_LOG) shorten(worktree, file);
  } catch {
    // it is shortened some other time
  }
}

/** A call that the server learned of only afterwards goes where it belongs in time, and in the place of what was logged of it before. */
export function placeCall(worktree: Pick<Worktree, 'state'>, call: LoggedCall): void {
  const all = readCalls(worktree);
  const known = all.findIndex(({ id, wholeTurn }) => id === call.id && wholeTurn === call.wholeTurn);
  const later = all.findIndex(({ atMs }) => atMs > call.atMs);
  if (known < 0 && later < 0) return logCall(worktree, call);
  const at = known >= 0 ? known : later;
  try {
    rewrite(logFile(worktree), all.toSpliced(at, known >= 0 ? 1 : 0, call));
  } catch {
    logCall(worktree, call); // at the end rather than not at all
  }
}

function shorten(worktree: Pick<Worktree, 'state'>, file: string): void {
  rewrite(file, recentTurns(readCalls(worktree)));
}

/** Calls before a time, whose images are gone. */
export function forgetCalls(worktree: Pick<Worktree, 'state'>, beforeMs: number): void {
  const calls = readCalls(worktree);
  const kept = calls.filter(({ atMs }) => atMs >= beforeMs);
  if (kept.length < calls.length) rewrite(logFile(worktree), kept);
}

function rewrite(file: string, kept: readonly LoggedCall[]): void {
  replaceFile(file, kept.map((call) => `${JSON.stringify(call)}\n`).join(''));
}

/** The calls of the latest turns, and no more of a turn than a log holds. */
function recentTurns(calls: readonly LoggedCall[]): LoggedCall[] {
  const turns = new Set([...new Set([...calls].reverse().map(({ turn }) => turn))].slice(0, MOST_TURNS));
  let room = LONGEST_LOG / 2;
  const kept: LoggedCall[] = [];
  for (const call of [...calls].reverse()) {
    room -= JSON.stringify(call).length;
    if (turns.has(call.turn) && room > 0) kept.push(call);
  }
  return kept.reverse();
}
