import type { Author } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import { fitsPattern } from './named-files.ts';
import type { CallAtWork, TurnAtWork } from './turns-at-work.ts';

/** Whose a change is that no checkpoint has yet. */
export interface Owner {
  readonly by: Author;
  /** Null: a person's, or several sessions'. */
  readonly session: string | null;
  readonly agent: string | null;
  readonly turn: string | null;
  /** What the turn was asked. */
  readonly name: string | null;
  /** Of several sessions: which. Absent in what older versions wrote. */
  readonly among?: readonly string[];
}

export const PERSON: Owner = { by: 'human', session: null, agent: null, turn: null, name: null };

export const isSameOwner = (a: Owner, b: Owner): boolean =>
  a.by === b.by && a.session === b.session && a.turn === b.turn && sameAmong(a.among, b.among);

const sameAmong = (a: Owner['among'] = [], b: Owner['among'] = []): boolean =>
  a.length === b.length && a.every((session, at) => session === b[at]);

/**
 * Whose a change to this file is, by the calls that were open when it happened. One that names the file made it. One that may change
 * anything may have, and so may the person: nobody can tell. Nor can anybody of a file that was named, and not read when its call was
 * over, or of an edit whose end nobody has heard: unless `blob`, what lies there now, is what the call announced. With no call open it is
 * the person's.
 */
export function ownerOf(path: RawPath, turns: readonly TurnAtWork[], blob: () => string | null): Owner {
  const isIts = (call: CallAtWork): boolean => names(call, path) && (!isDoubted(call, path) || makes(call, path, blob));
  const naming = turns.filter(({ calls }) => calls === undefined || calls.some(isIts));
  if (naming.length > 0) return ownedBy('agent', naming);
  const whole = turns.filter(({ calls }) => calls?.some(({ reach }) => reach === 'all'));
  const able = turns.filter(({ calls }) => calls?.some((call) => call.reach !== 'named' || names(call, path)));
  if (whole.length > 0 && sessionsOf(able).length === 1) return ownedBy('agent', whole);
  return able.length > 0 ? ownedBy('shared', able) : PERSON;
}

/** An edit takes no time: one that is still open was never made, or ended unheard. A command may take as long as it takes. */
const isDoubted = ({ mayBeAnothers, reach }: CallAtWork, path: RawPath): boolean => mayBeAnothers?.(path) ?? reach === 'named';

const makes = (call: CallAtWork, path: RawPath, blob: () => string | null): boolean =>
  call.makes?.some(([file, oid]) => file === path && oid === blob()) === true;

const names = ({ files, patterns }: CallAtWork, path: RawPath): boolean =>
  files.includes(path) || patterns.some((pattern) => fitsPattern(path, pattern));

const sessionsOf = (turns: readonly TurnAtWork[]): string[] => [...new Set(turns.map(({ session }) => session))].sort();

/** Two turns of one session, of which the first was interrupted, are still one session's. */
function ownedBy(by: Author, turns: readonly TurnAtWork[]): Owner {
  const among = sessionsOf(turns);
  if (among.length > 1) return { ...PERSON, by: 'shared', among };
  const latest = turns.at(-1);
  return { by, session: latest?.session ?? null, agent: latest?.agent ?? null, turn: latest?.turn ?? null, name: latest?.name ?? null };
}
