import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { oneLine } from '../checkpoint.ts';
import { type LoggedCall, placeCall, readCalls, type WayBack } from '../images/call-log.ts';
import { saveHeld } from '../images/held-image.ts';
import type { RawPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import type { Worktree } from '../worktree.ts';
import { type KeptCall, keptFolder, NO_ANSWER } from './kept-call.ts';
import { filesOf, type KeptPlace, keptIn, namesIn } from './kept-files.ts';

/** A draft whose stand-in died. */
const STALE_MS = 3_600_000;

export interface Adopted {
  readonly call: LoggedCall;
  /** The person knows already. */
  readonly told: boolean;
}

export interface AdoptPorts {
  /** Which turn a session's call belongs to. */
  readonly turnOf: (call: KeptCall) => Promise<string | null>;
  /** Whose the files are: `done` takes what was kept away, so that later looks find what the call has made of it. */
  readonly attribute?: (call: KeptCall, turn: string, held: ReadonlyMap<RawPath, Held>, done: () => void) => Promise<void>;
  /** The call is over: until then they were its. */
  readonly attributeEnd?: (call: KeptCall, turn: string, held: ReadonlyMap<RawPath, Held>) => Promise<void>;
}

export const hasKeptCalls = (home: string): boolean => namesIn(keptFolder(home)).length > 0;

/** Takes what stand-ins have kept of this working tree into the record of calls. */
export async function adoptKeptCalls(
  home: string,
  worktree: Worktree,
  { turnOf, attribute, attributeEnd }: AdoptPorts,
): Promise<readonly Adopted[]> {
  const folder = keptFolder(home);
  const adopted: Adopted[] = [];
  for (const name of namesIn(folder)) if (name.startsWith('.')) dropStale(join(folder, name));
  for (const one of keptIn(home, worktree.repository.root)) {
    const { place, kept } = one;
    const turn = (await turnOf(kept)) ?? kept.stamp;
    const held = heldBy(one);
    const done = (): void => rmSync(place, { recursive: true, force: true });
    if (kept.isEnd) {
      if (attributeEnd && held instanceof Map && held.size > 0) await attributeEnd(kept, turn, held);
      done();
      continue;
    }
    const call = await adopt(worktree, kept, turn, held);
    if (call !== null) adopted.push({ call, told: kept.told === true });
    if (attribute && held instanceof Map && held.size > 0) await attribute(kept, turn, held, done);
    done();
  }
  return adopted;
}

/** Or why there is nothing. */
function heldBy(one: KeptPlace): Map<RawPath, Held> | string {
  if (one.kept.noWayBack !== undefined) return oneLine(one.kept.noWayBack, 300);
  try {
    return filesOf(one);
  } catch (error) {
    return notKept(error);
  }
}

const notKept = (error: unknown): string => oneLine(`${NO_ANSWER}, and its files could not be kept: ${(error as Error).message}`, 300);

async function adopt(
  worktree: Worktree,
  kept: KeptCall,
  turn: string,
  held: ReadonlyMap<RawPath, Held> | string,
): Promise<LoggedCall | null> {
  const known = readCalls(worktree).find(({ id }) => id === kept.stamp);
  // A server that came to it in time knows better.
  if (known && known.wayBack.kind !== 'none') return null;
  const { session, agent, tool, what, atMs } = kept;
  const { wayBack, after } = await savedOf(worktree, turn, held);
  const call = {
    ...{ id: kept.stamp, session, agent, turn, tool, what: oneLine(worktree.redact(what)), atMs, after },
    wayBack,
    late: true,
  } as const;
  placeCall(worktree, call);
  return call;
}

async function savedOf(
  worktree: Worktree,
  turn: string,
  held: ReadonlyMap<RawPath, Held> | string,
): Promise<{ wayBack: WayBack; after: string | null }> {
  const none = (why: string) => ({ wayBack: { kind: 'none', why } as const, after: null });
  if (typeof held === 'string') return none(held);
  return saveHeld(worktree, turn, held).catch((error: unknown) => none(notKept(error)));
}

function dropStale(place: string): void {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS) rmSync(place, { recursive: true, force: true });
}
