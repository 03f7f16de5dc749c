import type { Decision, Tool } from '@piton/contracts';
import { type HookDefinition, isPermission, PERMISSIONS } from './definition.ts';
import { type Ran, withDecisions } from './hook-run.ts';
import { fileHoldsThroughout } from './when.ts';

/** A project's hook that was not given `allow` or `modify` decides nothing where it returns one, and the trace shows it. */
export function withinPermission(hook: HookDefinition, ran: Ran, tool: Tool | undefined): Ran {
  if (tool?.leadsOut || (hook.when && !fileHoldsThroughout(hook.when, tool))) return withoutPermissions(ran);
  if (ran.answer.part.native !== undefined && !PERMISSIONS.every((each) => hook.may.includes(each)))
    return withoutNative(ran, `it is not permitted: piton trust --may ${PERMISSIONS.join(',')}`);
  const refused = ({ decision }: Decision): boolean => isPermission(decision) && !hook.may.includes(decision);
  return without(refused, ran, (gone) => `returned ${gone.join(' and ')}, which it is not permitted: piton trust --may ${gone.join(',')}`);
}

/** Through a link a name approves what it does not say. */
function withoutPermissions(ran: Ran): Ran {
  const kept = without(
    ({ decision }) => isPermission(decision),
    ran,
    (gone) => `its ${gone.join(' and ')} does not count: the file lies elsewhere, or may`,
  );
  return kept.answer.part.native === undefined ? kept : withoutNative(kept, 'the file lies elsewhere, or may');
}

function without(refused: (decision: Decision) => boolean, ran: Ran, noteFor: (gone: string[]) => string): Ran {
  const { decisions } = ran.answer.part;
  const gone = [...new Set(decisions.filter(refused).map((said) => said.decision))];
  if (gone.length === 0) return ran;
  return withDecisions(
    ran,
    decisions.filter((said) => !refused(said)),
    noteFor(gone),
  );
}

/** Nobody reads an answer in the agent's own language: it might allow or change anything. */
function withoutNative(ran: Ran, why: string): Ran {
  const { native: _, ...part } = ran.answer.part;
  const note = `its answer was not passed on: it might allow or modify, and ${why}`;
  return { answer: { ...ran.answer, part, note }, entry: { ...ran.entry, note } };
}
