import { type Checkpoint, type Place, placeWith } from '@piton/checkpoints';
import type { Places } from '@piton/contracts/places';
import type { Made, RelinkedTold, RewoundTold } from '@piton/server';
import type { Context } from '../context.ts';
import { requirePlaces } from '../locations.ts';
import { type Reply, relinked, rewound } from '../server/client.ts';
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
  await tell(context, (places) => rewound(places, told));
}

interface RepairedLink {
  readonly kind: 'made' | 'linked';
  readonly checkpoint: Checkpoint;
  readonly commit: string;
}

/** Whether the server has it now: then it will not be told twice. */
export async function tellRelinked(context: Context, place: Place, links: readonly RepairedLink[]): Promise<boolean> {
  if (links.length === 0) return true;
  const told: RelinkedTold = {
    root: place.repository.root,
    links: links.map(({ checkpoint, ...link }) => ({ ...link, checkpoint: madeOf(checkpoint) })),
  };
  return tell(context, (places) => relinked(places, told));
}

async function tell(context: Context, send: (places: Places) => Promise<Reply<unknown>>): Promise<boolean> {
  try {
    const places = requirePlaces(context);
    await ensureServer(places, context.env);
    const reply = await send(places);
    if (!reply.ok) throw new Error(reply.error);
    return true;
  } catch (error) {
    context.err(`piton: subscriptions were not told of this: ${(error as Error).message}\n`);
    return false;
  }
}
