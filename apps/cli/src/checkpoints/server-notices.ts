import type { Checkpoint, Checkpoints } from '@piton/checkpoints';
import type { Places } from '@piton/contracts/places';
import { type RelinkReport, type RewindReport, summarizeCheckpoint } from '@piton/contracts/server-api';
import { withCommandName } from '../command-name.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { requirePlaces } from '../locations.ts';
import { type Reply, relinked, rewound, settle } from '../server/client.ts';
import { ensureServer } from '../server/server-process.ts';

/** The same checkpoints, and a list that collects those made from now on. */
export function collectMade(checkpoints: Checkpoints): { checkpoints: Checkpoints; made: readonly Checkpoint[] } {
  const made: Checkpoint[] = [];
  return { checkpoints: checkpoints.observedBy((checkpoint) => void made.push(checkpoint)), made };
}

/** Subscriptions run in the server. If none is running, it is started. */
export async function notifyRewound(
  context: Context,
  checkpoints: Checkpoints,
  made: readonly Checkpoint[],
  restored: { readonly checkpoint: Checkpoint; readonly undo: string } | null,
): Promise<void> {
  if (made.length === 0 && restored === null) return;
  const report: RewindReport = {
    root: checkpoints.repository.root,
    made: made.map(summarizeCheckpoint),
    restored: restored && { checkpoint: summarizeCheckpoint(restored.checkpoint), undo: restored.undo },
  };
  await sendToServer(context, (places) => rewound(places, report));
}

/** Waits for what the server is saving just now. Without a server there is nothing to wait for, but calls may have been kept for one. */
export async function settleServer(context: Context, checkpoints: Checkpoints): Promise<void> {
  const reply = await settle(requirePlaces(context), checkpoints.repository.root);
  if (!reply.ok && reply.why === 'silent')
    throw new Failure('the server does not answer, so the state before the latest call may not be saved yet', {
      remedy: withCommandName(context, 'nothing was changed. Try again, or stop it: piton server stop'),
    });
  if (!reply.ok) await checkpoints.adoptKept();
}

interface RepairedLink {
  readonly kind: 'made' | 'linked';
  readonly checkpoint: Checkpoint;
  readonly commit: string;
}

/** True once the server has accepted it, so that it is not reported twice. */
export async function notifyRelinked(context: Context, checkpoints: Checkpoints, links: readonly RepairedLink[]): Promise<boolean> {
  if (links.length === 0) return true;
  const report: RelinkReport = {
    root: checkpoints.repository.root,
    links: links.map(({ checkpoint, ...link }) => ({ ...link, checkpoint: summarizeCheckpoint(checkpoint) })),
  };
  return sendToServer(context, (places) => relinked(places, report));
}

async function sendToServer(context: Context, send: (places: Places) => Promise<Reply<unknown>>): Promise<boolean> {
  try {
    const places = requirePlaces(context);
    await ensureServer(places, context.env);
    const reply = await send(places);
    if (!reply.ok) throw new Error(reply.error);
    return true;
  } catch (error) {
    context.err(`piton: could not notify subscriptions: ${(error as Error).message}\n`);
    return false;
  }
}
