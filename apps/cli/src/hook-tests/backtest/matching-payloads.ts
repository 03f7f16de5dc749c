import type { Agent } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import type { Occasion } from '@piton/lifecycle';
import { type AgentPayload, withCommand } from '../payloads.ts';
import { preview } from '../trial.ts';

export interface MatchingPayload {
  readonly payload: AgentPayload;
  readonly occasion: Occasion;
}

/** The payloads of one agent on which a hook runs, or why there are none. */
export type PayloadChoice = { readonly matching: readonly [MatchingPayload, ...MatchingPayload[]] } | { readonly none: string };

/** Enough to see how an agent reports its tools. All of them would be hundreds of runs. */
const MAX_PAYLOADS = 6;

export interface MatchOptions {
  readonly work: string;
  readonly every: boolean;
  /** Only shell commands, with this command instead of the recorded one. */
  readonly command?: string | undefined;
}

/** One payload per event and tool, recorded ones before documented ones. `every` takes all. */
export function matchingPayloads(
  agent: Agent,
  payloads: readonly AgentPayload[],
  hook: HookDefinition,
  { work, every, command }: MatchOptions,
): PayloadChoice {
  if (hook.targets !== undefined && !hook.targets.includes(agent.id)) return { none: 'not among its target_harnesses' };
  const kinds = new Map<string, MatchingPayload>();
  let sent = 0;
  for (const payload of payloads) {
    const recorded: Occasion = {
      agent: agent.id,
      nativeEvent: payload.nativeEvent,
      payload: payload.payload,
      cwd: work,
      variables: payload.variables,
      terminal: true,
    };
    const occasion = command === undefined ? recorded : withShellCommand(recorded, hook, command);
    if (occasion === undefined) continue;
    const { event, runs } = preview(occasion, hook);
    if (event.agent !== agent.id) continue; // sent by another agent that runs this one's configuration
    if (event.names.includes(hook.event)) sent++;
    if (!runs) continue;
    const kind = every ? payload.name : [event.event, event.tool?.name, event.source, event.agentId === undefined].join('\0');
    if (!kinds.has(kind)) kinds.set(kind, { payload, occasion });
  }
  const [first, ...rest] = [...kinds.values()].slice(0, every ? undefined : MAX_PAYLOADS);
  if (first !== undefined) return { matching: [first, ...rest] };
  if (sent === 0) return { none: `it does not send ${hook.event}` };
  return { none: `none of its ${sent} payloads of ${hook.event} matches ${conditionsOf(hook)}` };
}

/** Undefined if the payload contains no command, or contains it in more than one form. */
function withShellCommand(occasion: Occasion, hook: HookDefinition, command: string): Occasion | undefined {
  const before = preview(occasion, hook).event.tool?.command;
  if (!before) return undefined;
  const changed = { ...occasion, payload: withCommand(occasion.payload, before, command) };
  return preview(changed, hook).event.tool?.command === command ? changed : undefined;
}

function conditionsOf({ matcher, when }: HookDefinition): string {
  const conditions = [...(matcher === '' ? [] : [`the matcher ${matcher}`]), ...(when === undefined ? [] : ['its "when"'])];
  return conditions.join(' and ') || 'it';
}
