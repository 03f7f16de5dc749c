import type { Author } from '../checkpoint.ts';
import type { RawPath } from '../raw-path.ts';
import type { OpenCall, OpenTurn } from '../turns/turn-file.ts';
import { fitsPattern } from './named-files.ts';

/** Whose a change is that no checkpoint has yet. */
export interface Owner {
  readonly by: Author;
  /** Null: a person's, or several sessions'. */
  readonly session: string | null;
  readonly agent: string | null;
  readonly turn: string | null;
  /** What the turn was asked. */
  readonly name: string | null;
}

export const PERSON: Owner = { by: 'human', session: null, agent: null, turn: null, name: null };
const SEVERAL: Owner = { ...PERSON, by: 'shared' };

export const isSameOwner = (a: Owner, b: Owner): boolean => a.by === b.by && a.session === b.session && a.turn === b.turn;

/**
 * Whose a change to this file is, by the calls that were open when it happened. One that names the file made it. One that may change
 * anything may have, and so may the person: nobody can tell. With no call open it is the person's.
 */
export function ownerOf(path: RawPath, turns: readonly OpenTurn[]): Owner {
  const naming = turns.filter(({ calls }) => calls === undefined || calls.some((call) => names(call, path)));
  if (naming.length > 0) return naming.length > 1 ? SEVERAL : ownedBy('agent', naming[0]);
  const whole = turns.filter(({ calls }) => calls?.some(({ reach }) => reach === 'all'));
  const able = turns.filter(({ calls }) => calls?.some(({ reach }) => reach !== 'named'));
  if (able.length > 1) return SEVERAL;
  if (whole.length > 0) return ownedBy('agent', whole[0]);
  return able.length > 0 ? ownedBy('shared', able[0]) : PERSON;
}

const names = ({ files, patterns }: OpenCall, path: RawPath): boolean =>
  files.includes(path) || patterns.some((pattern) => fitsPattern(path, pattern));

const ownedBy = (by: Author, turn: OpenTurn | undefined): Owner => ({
  ...{ by, session: turn?.session ?? null, agent: turn?.agent ?? null, turn: turn?.turn ?? null, name: turn?.name ?? null },
});
