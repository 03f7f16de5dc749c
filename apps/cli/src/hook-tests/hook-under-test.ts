import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import type { EventName } from '@piton/contracts';
import { createRegistry, type HookDefinition, readLoneHook } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { hooksAt, READING } from '../hooks/in-force.ts';
import { hookPlaces } from '../locations.ts';

/** An empty trust directory: with it, every hook is read from its source. */
const NO_TRUST = '/dev/null/trust';

/** A hook by its ID, name or path, as its source is now. Testing needs no trust, and tests the source, not the trusted copy. */
export function findHook(context: Context, ref: string, event?: EventName): HookDefinition {
  const hook = registeredHook(context, ref) ?? hookAtPath(context, ref, event);
  return event === undefined ? hook : { ...hook, event };
}

function registeredHook(context: Context, ref: string): HookDefinition | undefined {
  const places = hookPlaces(context);
  const inForce = hooksAt(places, context.cwd);
  const sources = createRegistry({ config: places.config, trustDir: NO_TRUST, ...READING }).list({
    cwd: context.cwd,
    sessionRoot: null,
  }).hooks;
  const found = chooseHook(inForce, ref);
  if (found === undefined) return undefined;
  const source = sources.find(({ id }) => id === found.id) ?? found;
  return { ...source, may: found.may };
}

/** By ID, by name, or by a suffix of the ID that only one has. */
export function chooseHook(hooks: readonly HookDefinition[], ref: string): HookDefinition | undefined {
  const exact = hooks.filter(({ id }) => id === ref);
  const found = exact.length > 0 ? exact : hooks.filter(({ id, name }) => name === ref || id.endsWith(`/${ref}`) || id.endsWith(`:${ref}`));
  if (found.length < 2) return found[0];
  throw new Failure(`${JSON.stringify(ref)} matches more than one hook`, {
    where: found.map(({ id }) => id).join(', '),
    remedy: 'use the full ID',
  });
}

function hookAtPath(context: Context, ref: string, event: EventName | undefined): HookDefinition {
  const path = resolve(context.cwd, ref.split('#')[0] as string);
  if (!existsSync(path)) throw noSuchHook(ref);
  const read = readLoneHook(resolve(context.cwd, ref), READING, event);
  if (read.ok) return read.hook;
  const remedy =
    'use the folder of an artifact, settings.json#name, or a program in a directory such as pre-tool-use/. `piton hooks test` also accepts --event';
  throw new Failure(read.problem, { where: path, remedy });
}

export const noSuchHook = (ref: string): Failure =>
  new Failure(`no hook or file is named ${JSON.stringify(ref)}`, { remedy: 'list them: piton hooks list' });

/** As it would run if it were trusted, enabled and enforced. */
export function asEnforced({ shadow, ...hook }: HookDefinition): HookDefinition {
  const { status } = hook;
  return {
    ...hook,
    enabled: true,
    observe: shadow ? false : hook.observe,
    status: status.kind === 'not-trusted' || status.kind === 'changed' ? { kind: 'ready' } : status,
  };
}
