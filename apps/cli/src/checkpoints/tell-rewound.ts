import { type Checkpoint, type Place, placeWith } from '@piton/checkpoints';
import type { Made, RewoundTold } from '@piton/server';
import type { Context } from '../context.ts';
import { requirePlaces } from '../locations.ts';
import { rewound } from '../server/client.ts';
import { ensureServer } from '../server/life.ts';

const madeOf = ({ id, kind, name, base, branch, session, agent, linked }: Checkpoint): Made => ({
  ...{ id, kind, name, base, branch, session, agent, linked },
});

/** The place as it is, and the checkpoints that are made in it from now on. */
export function noting(place: Place): { place: Place; made: readonly Checkpoint[] } {
  const made: Checkpoint[] = [];
  return { place: placeWith(place, (checkpoint) => void made.push(checkpoint)), made };
}

/** Subscriptions hear of it from the server; where none runs, one is started for that. */
export async function tellRewound(
  context: Context,
  place: Place,
  made: readonly Checkpoint[],
  restored: { readonly checkpoint: Checkpoint; readonly undo: string } | null,
): Promise<void> {
  if (made.length === 0 && restored === null) return;
  const told: RewoundTold = {
    root: place.repository.root,
    made: made.map(madeOf),
    restored: restored && { checkpoint: madeOf(restored.checkpoint), undo: restored.undo },
  };
  try {
    const places = requirePlaces(context);
    await ensureServer(places, context.env);
    const reply = await rewound(places, told);
    if (!reply.ok) throw new Error(reply.error);
  } catch (error) {
    context.err(`piton: subscriptions were not told of this: ${(error as Error).message}\n`);
  }
}
