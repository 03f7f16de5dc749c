import { shellWord } from '@piton/contracts';
import { lastResortFolder, readLastResorts, staleLastResorts } from '@piton/hooks';
import { hooksHere } from '../hooks/in-force.ts';
import { keepLastResorts, lastResortPorts } from '../last-resort.ts';
import { settingsFiles } from '../settings/files.ts';
import { projectHooks } from '../trust/pending.ts';
import { failuresCheck } from './failure-checks.ts';
import { type Check, type Finding, problem } from './finding.ts';

export const hooksCheck: Check = async (input) => {
  const { context, places } = input;
  const { hooks, subscriptions, problems } = hooksHere(context, places);
  const gone = new Set(
    projectHooks(context, places)
      .filter(({ hook }) => hook.trusted === 'changed' && hook.hash === '')
      .map(({ hook }) => hook.id),
  );
  const standing = [...hooks, ...subscriptions].flatMap((hook): Finding[] => {
    if (hook.status.kind === 'not-trusted')
      return [
        problem('hook.not-trusted', {
          what: `${hook.id} does not run: not trusted`,
          where: hook.source,
          remedy: `review it: piton trust ${shellWord(hook.id)}`,
        }),
      ];
    if (hook.status.kind === 'changed')
      return [
        problem('hook.changed', {
          what: `${hook.id}: ${hook.status.note}`,
          where: hook.source,
          remedy: `piton ${gone.has(hook.id) ? 'untrust' : 'trust'} ${shellWord(hook.id)}`,
        }),
      ];
    return [];
  });
  const settings = new Set(settingsFiles(context).map(({ path }) => path));
  const others = problems.filter(({ path }) => !settings.has(path));
  // No fix here: what is executable, and what runs, is the user's decision.
  const wrong = others.map((each) => problem('hook.problem', { what: each.problem, where: each.path, remedy: each.remedy }));
  return [...wrong, ...standing, ...(await failuresCheck(input))];
};

/**
 * What forwarders read if no server answers. The server and the command write it at every change, but a full disk or a manual
 * edit can make it stale.
 */
export const lastResortCheck: Check = ({ places }) => {
  const broken = readLastResorts(places.home).filter(({ kept }) => kept === undefined);
  const stale = staleLastResorts(lastResortPorts(places));
  if (broken.length + stale.length === 0) return [];
  const what =
    broken.length > 0
      ? `cannot read which hooks are required without a server: ${broken.map(({ name }) => name).join(', ')}`
      : `which hooks are required without a server is out of date for ${stale.map((root) => root ?? 'your user').join(', ')}`;
  const fix = (): string => {
    keepLastResorts(places);
    return 'written again';
  };
  return [problem('hooks.last-resort', { what, where: lastResortFolder(places.home), remedy: 'piton doctor --fix', fix })];
};
