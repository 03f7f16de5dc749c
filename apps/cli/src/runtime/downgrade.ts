import type { Places } from '@piton/contracts/places';
import { describeTarget, localStore, refusalOf } from '@piton/store';
import { thisCommand } from '../command-name.ts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { versionIn } from './current.ts';
import type { RuntimePlan } from './installation.ts';

/**
 * Before anything changes: an older Piton whose server could not use the store would leave every event in the journal. The store
 * names the versions that may use it.
 */
export async function refuseDowngrade(context: Context, places: Places, { before }: Pick<RuntimePlan, 'before'>): Promise<void> {
  const target = localStore(places);
  const refused = await refusalOf(target);
  if (refused === undefined) return;
  const newer = before === undefined ? 'a newer one' : versionIn(before);
  throw new Failure(`cannot go back to Piton ${context.version}: ${refused.error}`, {
    where: describeTarget(target),
    remedy: `keep ${newer}. To go back without what was recorded, move the store to another place, with its -wal and -shm files, and run \`${thisCommand(context)} init\` again`,
  });
}
