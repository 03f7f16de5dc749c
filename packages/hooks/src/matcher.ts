import { type CanonicalEvent, isToolEvent } from '@piton/contracts';
import type { HookDefinition } from './definition.ts';
import { textMatch } from './text-match.ts';
import { whenCouldHold, whenHolds } from './when.ts';

/** Why a matcher cannot be used, or undefined. */
export function matcherProblem(matcher: string): string | undefined {
  if (matcher === '') return undefined;
  const compiled = textMatch(matcher);
  return compiled.ok ? undefined : `matcher ${compiled.problem}`;
}

/** Would this hook run on this event, as far as its matcher and its conditions are concerned? */
export function matches(
  hook: Pick<HookDefinition, 'event' | 'matcher' | 'failClosed' | 'when' | 'builtIn'>,
  event: CanonicalEvent,
): boolean {
  if (hook.builtIn) return hook.builtIn(event) !== undefined;
  return matcherFits(hook, event.tool?.name) && (hook.when === undefined || whenHolds(hook.when, event, hook.failClosed));
}

/** Might it run once an earlier hook has changed the input? */
export function mightMatch(
  hook: Pick<HookDefinition, 'event' | 'matcher' | 'failClosed' | 'when' | 'builtIn'>,
  event: CanonicalEvent,
): boolean {
  return hook.builtIn !== undefined || (hook.when !== undefined && matcherFits(hook, event.tool?.name) && whenCouldHold(hook.when, event));
}

export function matcherFits(hook: Pick<HookDefinition, 'event' | 'matcher' | 'failClosed'>, tool: string | undefined): boolean {
  if (hook.matcher === '' || !isToolEvent(hook.event)) return true;
  // The tool is unknown (a payload that was cut): a policy runs, other hooks do not.
  if (tool === undefined) return hook.failClosed;
  const compiled = textMatch(hook.matcher);
  return compiled.ok && compiled.test(tool);
}
