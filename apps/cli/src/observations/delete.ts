import { describeTarget, localStore, type ObservedHere, type Store } from '@piton/store';
import { openForCleaning } from '../clean/store.ts';
import { shellPath, withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { Failure } from '../failure.ts';
import { requireObservation } from '../ids/observation.ts';
import { type Change, changeJson } from '../install/change.ts';
import { requirePlaces } from '../locations.ts';
import { plural, shortLine } from '../output/text.ts';
import { consent } from '../question.ts';
import { reload } from '../server/client.ts';
import { canBeDeleted, summaryOf } from './observation-text.ts';

export interface DeleteOptions {
  readonly yes?: boolean;
  readonly dryRun?: boolean;
  readonly json?: boolean;
}

/** What was learnt and is wrong, or private. Its row stays without its text, so that it does not come back. */
export async function deleteObservations(context: Context, refs: readonly string[], options: DeleteOptions): Promise<void> {
  const places = requirePlaces(context);
  const store = await openForCleaning(places, options.dryRun === true);
  try {
    if (!store) throw new Failure(`no observation starts with ${JSON.stringify(refs[0])}`, { remedy: 'nothing has been recorded yet' });
    const found = await requireAll(store, refs);
    const what = plural(found.length, 'observation');
    const changes: Change[] = ['', '-wal', '-shm'].map((end) => ({ action: 'change', path: `${places.store}${end}`, what, whole: true }));
    if (!options.json)
      for (const one of found) printLine(context, `${context.paint('dim', one.id)}  ${one.kind}  ${shortLine(summaryOf(one), 60)}`);
    const isDone = !options.dryRun && (await confirmed(context, found, options));
    if (isDone) await removeAll(store, found);
    if (isDone) await reload(places);
    if (options.json) return printJson(context, { done: isDone, ids: found.map(({ id }) => id), changes: changes.map(changeJson) });
    printLine(context, isDone ? `Deleted ${what} from ${describeTarget(localStore(places))}.` : 'Nothing was deleted.');
  } finally {
    await store?.close();
  }
}

async function requireAll(store: Store, refs: readonly string[]): Promise<readonly ObservedHere[]> {
  const found = new Map<string, ObservedHere>();
  for (const ref of refs) {
    const one = await requireObservation(store, ref);
    if (!canBeDeleted(one))
      throw new Failure(`a ${one.kind} is a part of its session's story and cannot be deleted alone`, {
        remedy: `delete what that session said: piton clean --sessions ${one.session}`,
      });
    found.set(one.id, one);
  }
  return [...found.values()];
}

function confirmed(context: Context, found: readonly ObservedHere[], { yes = false }: DeleteOptions): Promise<boolean> {
  const words = ['piton observations delete', ...found.map(({ id }) => shellPath(context, id))];
  return consent(context, { question: 'Delete this permanently?', yes, command: withCommandName(context, words.join(' ')) });
}

async function removeAll(store: Store, found: readonly ObservedHere[]): Promise<void> {
  for (const { id } of found) {
    const report = await store.deleteObservation(id);
    if (!report.ok) throw new Failure(`could not delete ${id}: ${report.error}`, { remedy: 'run `piton doctor`' });
  }
}
