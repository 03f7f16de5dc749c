import type { CanonicalEvent } from '@piton/contracts';
import type { DecideOptions } from '../decide.ts';
import type { HookDefinition } from '../definition.ts';
import { familyOf } from '../event-family.ts';
import { knownEvent } from './canonical-event.ts';
import { definitionOf } from './definition.ts';
import type { FireOptions } from './fire.ts';
import type { Event, Hook, HookFunction } from './hook.ts';
import { hears } from './matches-event.ts';
import { createRunner } from './runner.ts';

/** The hooks that hear of an event, and all that the engine needs to run them. */
export function prepare(
  hooks: readonly Hook[],
  event: Event,
  happened: CanonicalEvent,
  options: FireOptions,
): { definitions: HookDefinition[]; common: Omit<DecideOptions, 'hooks'> } {
  const functions = new Map<HookDefinition, HookFunction>();
  const definitions: HookDefinition[] = [];
  for (const given of hooks) {
    const hook = Object(given) as Hook;
    // One that names no event is broken on all of them: that must show.
    if (!hears(hook, happened.names) && knownEvent(hook.event) !== undefined) continue;
    const definition = definitionOf(hook, event, options.env ?? {});
    definitions.push(definition);
    if (hook.run !== undefined) functions.set(definition, hook.run);
  }
  // The global one: loading `node:crypto` takes longer than all of this package.
  const id = crypto.randomUUID();
  const deniable = ['before-tool', 'permission', 'prompt', 'before-compact'].includes(familyOf(happened.event));
  const common = {
    event: happened,
    context: { eventId: id, repo: null, branch: null, transcriptFormat: null },
    secrets: [],
    depth: 0,
    run: id,
    projectDir: happened.cwd,
    budgetMs: options.budget ?? Number.POSITIVE_INFINITY,
    now: () => performance.now(),
    deniable,
    ...(options.signal !== undefined && { signal: options.signal }),
    spawn: createRunner({ functions, signal: options.signal, unset: options.unset }),
  };
  return { definitions, common };
}
