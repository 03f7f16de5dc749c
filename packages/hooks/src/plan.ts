import type { CanonicalEvent, SkipReason, TraceEntry } from '@piton/contracts';
import type { HookDefinition } from './definition.ts';
import { fileViews } from './file-views.ts';
import { matcherFits, matches, mightMatch } from './matcher.ts';

export interface Plan {
  /** In the given order; they run before the answer. */
  readonly deciding: HookDefinition[];
  /** They run after it. */
  readonly observing: HookDefinition[];
  readonly skipped: TraceEntry[];
}

/** Which of the hooks in force would run on this event, and why the others do not. */
export function plan(event: CanonicalEvent, hooks: readonly HookDefinition[]): Plan {
  const views = fileViews(event);
  const unmatched = views.length === 1 ? unmatchedBy(event.tool?.name, hooks) : [];
  const result: Plan = { deciding: [], observing: [], skipped: [] };
  let certain = false;
  for (const [at, hook] of hooks.entries()) {
    const other = unmatched[at];
    if (other !== undefined) {
      result.skipped.push(other);
      continue;
    }
    const skip = whyNot(views, hook);
    // What another hook makes of the input may be what this one waits for: `decide` looks again.
    if (skip === NO_MATCH && !hook.observe && mightMatch(hook, event)) result.deciding.push(hook);
    else if (skip !== undefined) result.skipped.push(skipped(hook, skip[0], skip[1]));
    else if (hook.observe) result.observing.push(hook);
    else {
      certain = true;
      result.deciding.push(hook);
    }
  }
  if (certain) return result;
  // Trace built-ins only when they decide: they run on every call.
  const unmet = result.deciding.filter(({ builtIn }) => !builtIn).map((hook) => skipped(hook, 'no-match'));
  return { ...result, deciding: [], skipped: [...result.skipped, ...unmet] };
}

interface Unmatched {
  readonly tool: string | undefined;
  readonly entries: readonly (TraceEntry | undefined)[];
}
const held = new WeakMap<readonly HookDefinition[], Unmatched>();

/**
 * Those whose matcher wants another tool, each in its place. A matcher looks at the tool's name alone, and an agent
 * calls the same tool again and again: with the same hooks in force they are not asked anew.
 */
function unmatchedBy(tool: string | undefined, hooks: readonly HookDefinition[]): Unmatched['entries'] {
  const known = held.get(hooks);
  if (known !== undefined && known.tool === tool) return known.entries;
  const entries = hooks.map((hook) =>
    !hook.enabled || hook.status.kind === 'broken' || matcherFits(hook, tool) ? undefined : skipped(hook, 'no-match'),
  );
  held.set(hooks, { tool, entries });
  return entries;
}

/** A thousand hooks may not match: neither word is made anew for each. */
const DISABLED: [SkipReason, string?] = ['disabled'];
const NO_MATCH: [SkipReason, string?] = ['no-match'];
const NOT_TARGETED: [SkipReason, string?] = ['agent-not-targeted'];

function matchesOne(hook: HookDefinition, views: readonly CanonicalEvent[]): boolean {
  return views.length === 1 ? matches(hook, views[0] as CanonicalEvent) : views.some((view) => matches(hook, view));
}

function whyNot(views: readonly CanonicalEvent[], hook: HookDefinition): [SkipReason, string?] | undefined {
  if (!hook.enabled) return DISABLED;
  const { status } = hook;
  // A policy that cannot run stays in the plan: decide() denies for it.
  if (status.kind === 'broken') return hook.failClosed && !hook.observe ? undefined : ['broken', status.note];
  if (!isTargeted(hook, views[0])) return NOT_TARGETED;
  // Nobody has agreed to its conditions either: to look at them may take as long as a repository likes.
  if (status.kind === 'not-trusted') return matcherFits(hook, views[0]?.tool?.name) ? ['not-trusted', status.note] : NO_MATCH;
  if (!matchesOne(hook, views)) return NO_MATCH;
  switch (status.kind) {
    case 'not-executable':
      return hook.failClosed && !hook.observe ? undefined : ['not-executable', status.note];
    case 'ready':
    case 'changed':
      return undefined;
  }
}

/** Whoever runs the hooks of an agent meets those that are for it. */
export const isTargeted = ({ targets }: HookDefinition, event: CanonicalEvent | undefined): boolean =>
  targets?.some((id) => id === event?.agent || id === event?.through) ?? true;

export function skipped(hook: HookDefinition, why: SkipReason, note?: string): TraceEntry {
  if (note === undefined) return { hook: hook.id, scope: hook.scope, event: hook.event, did: 'skipped', why };
  return { hook: hook.id, scope: hook.scope, event: hook.event, did: 'skipped', why, note };
}
