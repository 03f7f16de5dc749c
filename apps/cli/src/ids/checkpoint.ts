import type { Checkpoint } from '@piton/checkpoints';
import { Failure } from '../failure.ts';
import { formatTime } from '../output/time.ts';
import { ambiguous } from './ambiguous.ts';
import { stepsBack } from './latest.ts';

/** The forms of a checkpoint's ID, for help. */
export const CHECKPOINT_FORMS =
  'Checkpoint ID, a unique prefix of it, the ID of a turn, or @ for the latest checkpoint (@~2: two before it)';

/** Anything shorter could be a misspelt name that matches by chance. */
const MIN_LENGTH = 6;
/** Where the other IDs are not at hand: the time in full, and two random characters. */
const BRIEF_LENGTH = 12;

export const briefId = ({ id }: Pick<Checkpoint, 'id'>): string => id.slice(0, BRIEF_LENGTH);

/** What may be named where a checkpoint is: a call has an ID too, but no turn of its own. */
interface Named {
  readonly id: string;
  readonly turn?: string | null;
  readonly name?: string;
  readonly what?: string;
  readonly at?: Date;
}

/**
 * Those that a ref names: by its ID, a prefix, or the turn whose last they are. Older versions showed the end of an ID, which is
 * still taken if it is the beginning of none.
 */
export function checkpointsNamed<One extends Named>(all: readonly One[], ref: string): readonly One[] {
  const wanted = ref.toUpperCase();
  if (!/^[0-9A-Z]{6,26}$/.test(wanted)) return [];
  const whole = all.filter(({ id }) => id === wanted);
  if (whole.length > 0) return whole;
  const begin = all.filter(({ id }) => id.startsWith(wanted));
  if (begin.length > 0) return begin;
  const inTurns = turnsNamed(all, ref).flatMap((turn) => all.findLast((each) => each.turn === turn) ?? []);
  return inTurns.length > 0 ? inTurns : all.filter(({ id }) => id.endsWith(wanted));
}

const turnsNamed = (all: readonly Named[], ref: string): string[] => [
  ...new Set(all.flatMap(({ turn }) => (turn?.startsWith(ref.toUpperCase()) ? [turn] : []))),
];

/** The turn that a ref names, unless it is the beginning of another ID. */
export function turnNamed(all: readonly Named[], ref: string): string | undefined {
  const isOther = all.some(({ id }) => id.startsWith(ref.toUpperCase()));
  const [turn, ...others] = ref.length < MIN_LENGTH || isOther ? [] : turnsNamed(all, ref);
  return others.length === 0 ? turn : undefined;
}

/** The one that a ref names. `all` are checkpoints, oldest first; `others` are named by their IDs only. */
export function chooseCheckpoint<One extends Named>(all: readonly One[], ref: string, others: readonly Named[] = []): One | Named {
  const back = stepsBack(ref);
  const found = back === undefined ? checkpointsNamed<One | Named>([...all, ...others], ref) : all.slice(-1 - back).slice(0, 1);
  const isThere = back === undefined || back < all.length;
  const [only] = found;
  if (only && found.length === 1 && isThere) return only;
  if (only && isThere)
    throw ambiguous(
      ref,
      'checkpoint',
      found.map(({ id, at, name, what }) => ({ id, about: `${at ? `${formatTime(at.getTime())} ` : ''}${name ?? what ?? ''}` })),
    );
  if (back !== undefined && all.length > 0)
    throw new Failure(`no checkpoint ${JSON.stringify(ref)} here: there ${all.length === 1 ? 'is one' : `are ${all.length}`}`, {
      remedy: `the oldest is ${all.length === 1 ? '@' : `@~${all.length - 1}`}. To list them: piton checkpoints`,
    });
  const isShort = back === undefined && ref.length < MIN_LENGTH;
  throw new Failure(`no checkpoint ${JSON.stringify(ref)} here`, {
    remedy: isShort ? `use at least ${MIN_LENGTH} characters, or list them: piton checkpoints` : 'list them: piton checkpoints',
  });
}
