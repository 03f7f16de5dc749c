import type { Checkpoint } from '@piton/checkpoints';
import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
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
 * Those that a ref names: by its ID, a prefix, or the turn that they belong to. Older versions showed the end of an ID, which is
 * still taken if it is the beginning of none.
 */
export function checkpointsNamed<One extends Named>(all: readonly One[], ref: string, ofTurn: 'first' | 'last'): readonly One[] {
  const wanted = ref.toUpperCase();
  if (!/^[0-9A-Z]{6,26}$/.test(wanted)) return [];
  const whole = all.filter(({ id }) => id === wanted);
  if (whole.length > 0) return whole;
  const begin = all.filter(({ id }) => id.startsWith(wanted));
  if (begin.length > 0) return begin;
  const turns = new Set(all.flatMap(({ turn }) => (turn?.startsWith(wanted) ? [turn] : [])));
  const inTurns = [...turns].flatMap((turn) => all[ofTurn === 'first' ? 'find' : 'findLast']((each) => each.turn === turn) ?? []);
  return inTurns.length > 0 ? inTurns : all.filter(({ id }) => id.endsWith(wanted));
}

/** The one that a ref names. `all` are checkpoints, oldest first; `others` are named by their IDs only. */
export function chooseCheckpoint<One extends Named>(
  context: Context,
  all: readonly One[],
  ref: string,
  { ofTurn = 'last', others = [] }: { readonly ofTurn?: 'first' | 'last'; readonly others?: readonly Named[] } = {},
): One | Named {
  const back = stepsBack(ref);
  const found = back === undefined ? checkpointsNamed<One | Named>([...all, ...others], ref, ofTurn) : all.slice(-1 - back).slice(0, 1);
  const isThere = back === undefined || back < all.length;
  const [only] = found;
  if (only && found.length === 1 && isThere) return only;
  if (only && isThere)
    throw ambiguous(
      ref,
      'checkpoint',
      found.map(({ id, at, name, what }) => ({ id, about: `${at ? `${formatTime(at.getTime())} ` : ''}${name ?? what ?? ''}` })),
    );
  const isShort = back === undefined && ref.length < MIN_LENGTH;
  throw new Failure(`no checkpoint ${JSON.stringify(ref)} here`, {
    remedy: withCommandName(
      context,
      isShort ? `use at least ${MIN_LENGTH} characters, or list them: piton checkpoints` : 'list them: piton checkpoints',
    ),
  });
}
