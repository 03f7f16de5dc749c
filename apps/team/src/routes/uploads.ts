import type { Identity } from '@piton/store/team';
import { type Answer, json, refused, unavailable } from '../answer.ts';
import { changesOf } from '../batch-changes.ts';
import { batchForm } from '../forms.ts';
import type { RouteInput } from '../routes.ts';

type MachineIdentity = Extract<Identity, { kind: 'machine' }>;

export async function answerPosition({ store }: RouteInput, { tenant, machine }: MachineIdentity, epoch: string): Promise<Answer> {
  return json({ position: await store.tenant(tenant).acknowledged(machine, epoch) });
}

export async function answerUpload(
  { body, query, store, metrics, now }: RouteInput,
  { tenant, machine }: MachineIdentity,
  epoch: string,
): Promise<Answer> {
  const [after, through, sent] = ['after', 'through', 'sent'].map((name) => numberIn(query, name));
  if (after === undefined || through === undefined || through < after)
    return refused('bad-request', 'after and through have to be numbers, in this order');
  const given = batchForm(body);
  if (!given.ok) return refused('bad-request', given.error);
  const made = changesOf(given.value, machine, epoch);
  if (!made.ok) return refused('bad-request', made.error);
  const own = store.tenant(tenant);
  const { changes, gaps } = made;
  const stored = await own.ingest({ machine, epoch, after, upTo: through, changes, gaps, sentUs: (sent ?? now()) * 1000 });
  if (stored.ok) {
    metrics.ingested(stored);
    return json({ position: stored.acknowledged, stored: stored.stored });
  }
  switch (stored.problem) {
    case 'out-of-order':
      return refused('position', stored.error, { position: stored.acknowledged ?? 0 });
    case 'unknown-machine':
      return refused('machine', stored.error);
    case 'invalid':
      return refused('bad-request', stored.error);
    case 'unavailable':
    case 'busy':
    case 'no-partition':
    case 'not-migrated':
    case 'role':
      return unavailable(stored.problem);
    case 'failed':
      return refused('failed', 'it could not be stored');
  }
}

const numberIn = (query: URLSearchParams, name: string): number | undefined => {
  const given = query.get(name) ?? '';
  return /^\d{1,15}$/.test(given) ? Number(given) : undefined;
};
