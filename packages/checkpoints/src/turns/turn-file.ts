import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { RawPath } from '../raw-path.ts';
import { writeWhole } from '../snapshot/working-state.ts';
import type { Worktree } from '../worktree.ts';
import { type AgentProcess, isGone } from './agent-process.ts';
import { sessionFile } from './session-file.ts';

/** A turn that began and has not ended. */
export interface OpenTurn {
  readonly session: string;
  readonly turn: string | null;
  readonly startedMs: number;
  /** When an event of it was last seen. Absent where older versions began it. */
  readonly seenMs?: number;
  /** False as long as its before-image is not durable. */
  readonly laid?: boolean;
  /** Why its before-image could not be saved. */
  readonly noWayBack?: string;
  /** Its working tree. */
  readonly root?: string;
  /** HEAD at its beginning, where no checkpoint was made then: the last one may be older than the commit. Absent in what older versions wrote. */
  readonly head?: string | null;
  /** The last checkpoint at its beginning; null where there was none. Absent in what older versions wrote. */
  readonly after?: string | null;
  readonly agent?: string | null;
  /** What it was asked, in one line, redacted. */
  readonly name?: string;
  /** Its calls that have not ended. Absent where nobody follows them: then all that changes is its doing. */
  readonly calls?: readonly OpenCall[];
  /** The agent's process, where it is known: once it is gone, the turn is over. */
  readonly process?: AgentProcess;
}

/** A call that may change files and has not ended. */
export interface OpenCall {
  /** By which its end is known. */
  readonly key: string;
  /** The files that it names. */
  readonly files: readonly RawPath[];
  /** Those with something that a shell fills in. */
  readonly patterns: readonly string[];
  /** `named`: it changes no others. `any`: it may. `all`: a subagent, whose own calls are not all reported. */
  readonly reach: 'named' | 'any' | 'all';
  /** It goes on after its end was reported. */
  readonly stays?: true;
  /** What an edit announced: the blob that a file is to become. */
  readonly makes?: readonly (readonly [RawPath, string])[];
}

/** Without an event for so long, and no call open, a turn is over: nobody reports that it was interrupted. */
const LONGEST_SILENCE_MS = 15 * 60 * 1000;
/** With a call open, or where nobody follows its calls. What is older was left by a crash. */
const LONGEST_TURN_MS = 24 * 60 * 60 * 1000;

type Place = Pick<Worktree, 'state' | 'now'>;

const directory = ({ state }: Pick<Worktree, 'state'>) => join(state, 'turns');
const turnFile = (place: Pick<Worktree, 'state'>, session: string) => sessionFile(directory(place), session);

const read = (file: string): OpenTurn | null => {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as OpenTurn;
  } catch {
    return null;
  }
};

export const writeTurn = (place: Pick<Worktree, 'state'>, turn: OpenTurn): Promise<void> =>
  writeWhole(turnFile(place, turn.session), JSON.stringify(turn));

/** Nothing, where it has ended. */
export async function updateTurn(place: Place, session: string, change: (turn: OpenTurn) => Partial<OpenTurn>): Promise<void> {
  const turn = read(turnFile(place, session));
  if (turn !== null) await writeTurn(place, { ...turn, ...change(turn), seenMs: place.now() });
}

/** At a stop, and when a session ends. The checkpoint of the turn is the caller's to take, before this. */
export async function endTurn(place: Pick<Worktree, 'state'>, session: string): Promise<void> {
  rmSync(turnFile(place, session), { force: true });
}

/** However long ago it began: it has not ended. */
export const isOpen = (place: Pick<Worktree, 'state'>, session: string): boolean => existsSync(turnFile(place, session));

export async function openTurn(place: Place, session: string): Promise<OpenTurn | undefined> {
  return (await openTurns(place)).find((turn) => turn.session === session);
}

/** Turns in this worktree. */
export async function openTurns(place: Place): Promise<OpenTurn[]> {
  return notedTurns(place).filter((turn) => !isOver(turn, place.now()));
}

/** Also those that are over, and that nobody has ended. */
export function notedTurns(place: Pick<Worktree, 'state'>): OpenTurn[] {
  const names = existsSync(directory(place)) ? readdirSync(directory(place)) : [];
  return names.filter((one) => one.endsWith('.json')).flatMap((name) => read(join(directory(place), name)) ?? []);
}

/** A clock that was set says nothing: what lies far ahead is as far away as what lies far behind. */
export function isOver({ startedMs, seenMs, calls, process }: OpenTurn, nowMs: number): boolean {
  if (process !== undefined && isGone(process)) return true;
  const passedMs = Math.abs(nowMs - (calls === undefined ? startedMs : (seenMs ?? startedMs)));
  if (calls?.length === 0) return passedMs >= LONGEST_SILENCE_MS;
  // A call of an agent that is there may take as long as it takes.
  return passedMs >= LONGEST_TURN_MS && (calls === undefined || process === undefined);
}

/** The working trees in which a session's turn is open, as whoever opened it has noted in the folder of all states. */
export function treesAtWork(stateDirectory: string, session: string): string[] {
  // With a dot: of those that are gone.
  const worktrees = existsSync(stateDirectory) ? readdirSync(stateDirectory).filter((name) => !name.includes('.')) : [];
  return worktrees.flatMap((worktree) => {
    const root = read(sessionFile(join(stateDirectory, worktree, 'turns'), session))?.root;
    return root === undefined ? [] : [root];
  });
}
