import type { Tool } from '@piton/contracts';
import { type HookDefinition, isPermission, PERMISSIONS } from './definition.ts';
import { type Ran, withDecisions } from './hook-run.ts';
import { fileHoldsThroughout } from './when.ts';

/**
 * A project's hook that was not given `allow` or `modify` decides nothing where it returns one, and the trace shows it. Nobody's counts
 * where a link may lead the file away from the name that was approved.
 */
export function withinPermission(hook: HookDefinition, ran: Ran, tool: Tool | undefined): Ran {
  const elsewhere = tool?.leadsOut || (hook.when && !fileHoldsThroughout(hook.when, tool));
  const may = elsewhere ? [] : hook.may;
  const whyNot = (list: readonly string[]): string =>
    elsewhere ? 'does not count where a link may lead elsewhere' : `it is not permitted: piton trust --may ${list.join(',')}`;
  const { decisions, native, ...part } = ran.answer.part;
  if (native !== undefined && !PERMISSIONS.every((each) => may.includes(each))) {
    // Nobody reads an answer in the agent's own language: it might allow or change anything.
    const note = `its answer was not passed on: it might allow or modify, which ${whyNot(PERMISSIONS)}`;
    return { answer: { ...ran.answer, part: { ...part, decisions }, note }, entry: { ...ran.entry, note } };
  }
  const refused = decisions.filter(({ decision }) => isPermission(decision) && !may.includes(decision));
  if (refused.length === 0) return ran;
  const gone = [...new Set(refused.map(({ decision }) => decision))];
  const kept = decisions.filter((said) => !refused.includes(said));
  return withDecisions(ran, kept, `returned ${gone.join(' and ')}, which ${whyNot(gone)}`);
}
