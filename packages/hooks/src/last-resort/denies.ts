import { homedir } from 'node:os';
import { type Agent, canBlock, capabilityOf, type EventName, type NativeEvent, namesOfAnyKind, registrationName } from '@piton/contracts';
import { launcherIn, nameCommand, pathInShell } from '@piton/contracts/command';
import { BUILT_IN_EVENTS } from '../built-in-guard/hook.ts';
import type { HookDefinition } from '../definition.ts';

/** A policy in force: it denies also where it cannot run. What was never trusted, or only watches, has no say. */
export const isPolicy = ({ failClosed, enabled, observe, shadow, status }: HookDefinition): boolean =>
  failClosed && enabled && !observe && shadow !== true && status.kind !== 'not-trusted';

/** Ends of calls, at which the stand-in keeps what a call has made of the files that it names. */
const CALL_ENDS: readonly EventName[] = ['post_tool_use', 'post_tool_use_failure'];

/** For what else than policies the stand-in has to be asked. */
export interface StandInAsked {
  readonly builtInGuard: boolean;
  /** It keeps files that calls name, for checkpoints. */
  readonly keeps: boolean;
}

/** Who writes these does not know the shell of whoever reads them: the command is named by its path. */
export const commandForDenies = (home: string): string => pathInShell({ userHome: homedir() }, launcherIn(home));

/**
 * For each registration that these hooks could deny the exact native bytes. Where the built-in guard alone has a say, or files are kept,
 * there are none: it can be asked, but that nobody could ask it is no reason to deny.
 */
export function deniesOf(
  agents: readonly Agent[],
  policies: readonly HookDefinition[],
  { builtInGuard, keeps }: StandInAsked,
  command: string,
): Map<string, string> {
  const denies = new Map<string, string>();
  for (const agent of agents) {
    for (const native of agent.events) {
      const name = registrationName(agent.id, native.name);
      const hooks = isDeniable(agent, native) ? policies.filter((hook) => couldFire(hook, native, agent.id)) : [];
      if (hooks.length > 0) denies.set(name, denyOf(agent, native, hooks, command));
      else if (
        ((builtInGuard || keeps) && canBlock(agent.capabilities, native.event) && isAmong(native, BUILT_IN_EVENTS)) ||
        (keeps && isAmong(native, CALL_ENDS))
      )
        denies.set(name, '');
    }
  }
  return denies;
}

const isAmong = ({ event }: NativeEvent, events: readonly EventName[]): boolean =>
  events.some((each) => namesOfAnyKind(event).includes(each));

const isDeniable = ({ capabilities }: Agent, { event }: NativeEvent): boolean => capabilityOf(capabilities, event, 'deny').how === 'now';

const couldFire = (hook: HookDefinition, native: NativeEvent, agent: string): boolean =>
  (hook.targets === undefined || hook.targets.includes(agent)) && namesOfAnyKind(native.event).includes(hook.event);

function denyOf(agent: Agent, native: NativeEvent, hooks: readonly HookDefinition[], command: string): string {
  const event = agent.decode({}, { nativeEvent: native.name, cwd: '/', variables: {} });
  const names = [...new Set(hooks.map((hook) => hook.name))].join(', ');
  const reason = `Piton could not run a required hook (${names}). ${nameCommand('Ask the user to run: piton doctor', () => command)}`;
  return agent.encode(event, { decision: 'deny', verdict: 'deny', reason }, { attended: false }).answer.stdout;
}
