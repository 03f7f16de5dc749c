import { type CanonicalEvent, EVENT_FAMILIES, familyOf } from '@piton/contracts';
import type { DecideOptions } from '../decide.ts';
import type { HookDefinition } from '../definition.ts';
import { knownEvent } from './canonical-event.ts';
import { definitionOf } from './definition.ts';
import type { FireOptions } from './fire.ts';
import type { Event, Hook, HookFunction } from './hook.ts';
import { isRegisteredFor } from './matches-event.ts';
import { createRunner } from './runner.ts';

/** The hooks of an event, and all that the engine needs to run them. */
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
    if (!isRegisteredFor(hook, happened.names) && knownEvent(hook.event) !== undefined) continue;
    const definition = definitionOf(hook, event, options.env ?? {});
    definitions.push(definition);
    if (hook.run !== undefined) functions.set(definition, hook.run);
  }
  // The global one: loading `node:crypto` takes longer than all of this package.
  const id = crypto.randomUUID();
  const began = performance.now();
  const deniable = EVENT_FAMILIES[familyOf(happened.event)].deniable === true;
  const common = {
    event: happened,
    context: { eventId: id, repo: null, branch: null, transcriptFormat: null },
    secrets: [],
    depth: 0,
    run: id,
    projectDir: happened.cwd,
    budgetMs: options.budget ?? Number.POSITIVE_INFINITY,
    now: () => performance.now(),
    elapsedUs: () => (performance.now() - began) * 1000,
    deniable,
    ...(options.signal !== undefined && { signal: options.signal }),
    spawn: createRunner({ functions, signal: options.signal, unset: options.unset }),
  };
  return { definitions, common };
}
