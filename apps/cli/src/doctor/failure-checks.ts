import { type HookFailure, localStore, openStore } from '@piton/store';
import type { Context } from '../context.ts';
import { oneLine, plural } from '../output/text.ts';
import { formatTime } from '../output/time.ts';
import { repositoryRoot } from '../repository.ts';
import { type Check, type Finding, problem } from './finding.ts';

const RECENT_MS = 24 * 3_600_000;
const SHOWN = 5;

/** To an agent, a hook that failed looks like one that made no decision. Not here. */
export const failuresCheck: Check = async ({ context, places }) => {
  const opened = await openStore(localStore(places), { readonly: true });
  // A store that cannot be read is a finding of its own.
  if (!opened.ok) return [];
  try {
    const failures = await opened.store.hookFailures({ since: (Date.now() - RECENT_MS) * 1000, limit: 200 });
    return describeFailures(failures.filter(concerns(context)));
  } finally {
    await opened.store.close();
  }
};

/** Your own hooks run everywhere. Those of a project are its own business: IDs are the same in every project. */
function concerns(context: Context): (failure: HookFailure) => boolean {
  const root = repositoryRoot(context) ?? context.cwd;
  return ({ scope, projectPath }) => scope === 'user' || projectPath === root || projectPath.startsWith(`${root}/`);
}

function describeFailures(failures: readonly HookFailure[]): Finding[] {
  const byHook = new Map<string, HookFailure[]>();
  for (const failure of failures) byHook.set(failure.hook, [...(byHook.get(failure.hook) ?? []), failure]);
  return [...byHook].slice(0, SHOWN).map(([hook, all]) => {
    const [last] = all;
    const how = `${last?.failed}${last?.exitCode === null ? '' : `, exit ${last?.exitCode}`}${last?.note ? `: ${oneLine(last.note)}` : ''}`;
    return problem('hook.failed', {
      what: `${hook} failed ${plural(all.length, 'time')} in the last day, at ${formatTime((last?.wallUs ?? 0) / 1000)} (${how})`,
      remedy: `piton hooks explain ${last?.eventId}`,
    });
  });
}
