import { type EventName, isToolEvent, type JsonObject, namesFor } from '@piton/contracts';
import { matches } from '../matcher.ts';
import { textMatch } from '../text-match.ts';
import { canonicalEvent, eventNameOf, kindOf, knownEvent } from './canonical-event.ts';
import { hookProblem } from './define-hook.ts';
import type { Event, Hook } from './hook.ts';

const namesOf = (event: EventName, toolName: string): EventName[] => (toolName === '' ? [event] : namesFor(event, kindOf(toolName)));

/**
 * Would this hook run? `toolName` counts on tool events only. What `when` requires of the input is checked only if the
 * input is given.
 */
export function matchesEvent(hook: Hook, event: Event, toolName = '', toolInput?: JsonObject): boolean {
  if (typeof hook !== 'object' || hook === null || hook.enabled === false) return false;
  if (hook.event !== event && !isRegisteredFor(hook, namesOf(eventNameOf(event), toolName))) return false;
  // What is wrong with a hook is looked at last: there may be thousands, and few fit.
  return fits(hook, event, toolName, toolInput) && hookProblem(hook) === undefined;
}

function fits(hook: Hook, event: Event, toolName: string, toolInput: JsonObject | undefined): boolean {
  const { matcher = '', when, failClosed = false } = hook;
  if (typeof matcher !== 'string' || when === null) return false;
  if (when !== undefined) {
    return matches(
      { event: eventNameOf(hook.event), matcher, when, failClosed },
      canonicalEvent(event, { toolName, ...(toolInput && { toolInput }) }),
    );
  }
  if (matcher === '' || !isOfTools(hook.event)) return true;
  const compiled = textMatch(matcher);
  return compiled.ok && (toolName === '' ? failClosed : compiled.test(toolName));
}

/** A loop asks about many hooks of one event, one after the other. */
let last: { readonly event: Event; readonly ofTools: boolean } | undefined;

function isOfTools(event: Event): boolean {
  if (last?.event !== event) last = { event, ofTools: isToolEvent(eventNameOf(event)) };
  return last.ofTools;
}

/** Is the hook registered under one of an event's names? A `pre_shell_execution` hook runs on a `pre_tool_use` of `Bash`. */
export function isRegisteredFor(hook: Hook, names: readonly EventName[]): boolean {
  if (hook.event === names[0]) return true;
  const registered = knownEvent(hook.event);
  return registered !== undefined && names.includes(registered);
}
