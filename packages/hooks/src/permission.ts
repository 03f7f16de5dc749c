import type { Decision } from '@piton/contracts';
import type { HookDefinition, Permission } from './definition.ts';
import type { Ran } from './hook-run.ts';
import { strongest } from './reduce.ts';

/** A project's hook that was not given `allow` or `modify` says nothing where it says so, and the trace tells. */
export function withinPermission(hook: HookDefinition, ran: Ran): Ran {
  const refused = (said: Decision): boolean =>
    (said.decision === 'allow' || said.decision === 'modify') && !hook.may.includes(said.decision satisfies Permission);
  const { decisions } = ran.answer.part;
  const gone = [...new Set(decisions.filter(refused).map((said) => said.decision))];
  if (gone.length === 0) return ran;
  const kept = decisions.filter((said) => !refused(said));
  const said = strongest(kept);
  const note = `said ${gone.join(' and ')}, which it may not: piton trust --may ${gone.join(',')}`;
  return {
    answer: { ...ran.answer, said, part: { ...ran.answer.part, decisions: kept } },
    entry: { ...ran.entry, said, note: ran.entry.note === undefined ? note : `${ran.entry.note}; ${note}` },
  };
}
