import { readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { oneLine } from '../checkpoint.ts';
import { type LoggedCall, placeCall, readCalls, type WayBack } from '../images/call-log.ts';
import { saveHeld } from '../images/held-image.ts';
import { fromRoot, inInnerRepository, type RawPath } from '../raw-path.ts';
import type { Held } from '../snapshot/observe.ts';
import type { Sighting } from '../snapshot/working-file.ts';
import type { Worktree } from '../worktree.ts';
import { readKept } from './keep-call.ts';
import { type KeptCall, type KeptFile, keptFolder, NO_ANSWER } from './kept-call.ts';

/** A draft whose stand-in died. */
const STALE_MS = 3_600_000;

export interface Adopted {
  readonly call: LoggedCall;
  /** The person knows already. */
  readonly told: boolean;
}

export const hasKeptCalls = (home: string): boolean => namesIn(keptFolder(home)).length > 0;

/** Takes what stand-ins have kept of this working tree into the record of calls. `turnOf`: which turn a session's call belongs to. */
export async function adoptKeptCalls(
  home: string,
  worktree: Worktree,
  turnOf: (call: KeptCall) => Promise<string | null>,
): Promise<readonly Adopted[]> {
  const folder = keptFolder(home);
  const adopted: Adopted[] = [];
  for (const name of namesIn(folder).sort()) {
    const place = join(folder, name);
    if (name.startsWith('.')) {
      dropStale(place);
      continue;
    }
    const kept = readKept(place);
    if (kept === undefined || kept.root !== worktree.repository.root) continue;
    const turn = (await turnOf(kept)) ?? kept.stamp;
    const call = await adopt(worktree, place, kept, turn);
    if (call !== null) adopted.push({ call, told: kept.told === true });
    rmSync(place, { recursive: true, force: true });
  }
  return adopted;
}

async function adopt(worktree: Worktree, place: string, kept: KeptCall, turn: string): Promise<LoggedCall | null> {
  const known = readCalls(worktree).find(({ id }) => id === kept.stamp);
  // A server that came to it in time knows better.
  if (known && known.wayBack.kind !== 'none') return null;
  const { session, agent, tool, what, atMs } = kept;
  const { wayBack, after } = await savedOf(worktree, place, kept, turn);
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
  place: string,
  kept: KeptCall,
  turn: string,
): Promise<{ wayBack: WayBack; after: string | null }> {
  const none = (why: string) => ({ wayBack: { kind: 'none', why } as const, after: null });
  if (kept.noWayBack !== undefined) return none(oneLine(kept.noWayBack, 300));
  try {
    const held = new Map<RawPath, Held>();
    for (const file of kept.files) {
      const path = fromRoot(worktree.repository.root, file.path);
      if (path !== null && !inInnerRepository(worktree.repository.root, path)) held.set(path, heldOf(place, file));
    }
    return await saveHeld(worktree, turn, held);
  } catch (error) {
    return none(oneLine(`${NO_ANSWER}, and its files could not be kept: ${(error as Error).message}`, 300));
  }
}

function heldOf(place: string, file: KeptFile): Held {
  if (file.kind === 'absent') return { look: { kind: 'absent' }, bytes: null };
  const bytes = file.kind === 'symlink' ? Buffer.from(file.target, 'base64') : readFileSync(join(place, basename(file.content)));
  // It is held, so nobody compares this with what lies there now.
  const sighting: Sighting = [`${bytes.length}`, '0', '0', '0', 0];
  return { look: { kind: file.kind, executable: file.kind === 'file' && file.executable, bytes: bytes.length, sighting }, bytes };
}

function dropStale(place: string): void {
  const stat = statSync(place, { throwIfNoEntry: false });
  if (stat !== undefined && Date.now() - stat.mtimeMs > STALE_MS) rmSync(place, { recursive: true, force: true });
}

function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}
