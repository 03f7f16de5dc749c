import { localStore, openStore } from '@piton/store';
import { Failure } from '../failure.ts';
import { whereOf } from '../install/config-place.ts';
import { levelOf } from '../install/levels.ts';
import { agentNamed, callerLine, type UnknownCaller, unknownCallers } from '../status/unknown-callers.ts';
import { type Check, type CheckInput, type Finding, note } from './finding.ts';

/** Who runs the hooks of an agent and is not that agent. Guards hold there as far as its calls can be read. */
export const callersCheck: Check = async (input) => {
  const opened = await openStore(localStore(input.places), { readonly: true });
  if (!opened.ok) return []; // the check of the store says why
  try {
    return (await unknownCallers(opened.store)).map((caller) => findingOf(input, caller));
  } finally {
    await opened.store.close();
  }
};

function findingOf(input: CheckInput, caller: UnknownCaller): Finding {
  const where = fileOf(input, caller);
  return note('agent.unknown', {
    what: callerLine(caller),
    ...(where !== undefined && { where }),
    remedy: `your hooks run for it, on what can be read of its calls: piton events show ${caller.latest}. If it is ${caller.title}, upgrade Piton. Otherwise tell that program not to read the settings of ${caller.title}, or see that it honours what it is answered`,
  });
}

/** The settings that it reads, where they can be seen from here. */
function fileOf({ context, home }: CheckInput, { agent: id, scope }: UnknownCaller): string | undefined {
  const agent = agentNamed(id);
  if (agent === undefined || (scope !== 'user' && scope !== 'project')) return undefined;
  try {
    const places = levelOf(context, agent, scope, home);
    return places && whereOf(places);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
