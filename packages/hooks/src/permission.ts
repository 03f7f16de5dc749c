import type { Decision } from '@piton/contracts';
import { type HookDefinition, isPermission, PERMISSIONS } from './definition.ts';
import { type Ran, withDecisions } from './hook-run.ts';

/** A project's hook that was not given `allow` or `modify` decides nothing where it returns one, and the trace shows it. */
export function withinPermission(hook: HookDefinition, ran: Ran): Ran {
  if (ran.answer.part.native !== undefined && !PERMISSIONS.every((each) => hook.may.includes(each))) return withoutNative(ran);
  const refused = ({ decision }: Decision): boolean => isPermission(decision) && !hook.may.includes(decision);
  const { decisions } = ran.answer.part;
  const gone = [...new Set(decisions.filter(refused).map((said) => said.decision))];
  if (gone.length === 0) return ran;
  const kept = decisions.filter((said) => !refused(said));
  return withDecisions(ran, kept, `returned ${gone.join(' and ')}, which it is not permitted: piton trust --may ${gone.join(',')}`);
}

/** Nobody reads an answer in the agent's own language: it might allow or change anything. */
function withoutNative(ran: Ran): Ran {
  const { native: _, ...part } = ran.answer.part;
  const note = `its answer was not passed on: it might allow or modify, which it is not permitted: piton trust --may ${PERMISSIONS.join(',')}`;
  return { answer: { ...ran.answer, part, note }, entry: { ...ran.entry, note } };
}
