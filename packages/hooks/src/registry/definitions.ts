import { dirname, resolve } from 'node:path';
import { DEFAULT_TIMEOUT_MS, type HookDefinition, type HookEvent, type HookStatus, PERMISSIONS, type Permission } from '../definition.ts';
import type { Artifact } from './artifacts.ts';
import type { DeclaredHook } from './declared-hook.ts';
import type { Executable } from './executables.ts';
import type { HookPlace } from './places.ts';
import type { Surroundings } from './surroundings.ts';

interface HookAccess {
  readonly enabled: boolean;
  readonly may: readonly Permission[];
  readonly status: HookStatus;
}

export const READY: HookStatus = { kind: 'ready' };
/** A hook of the user needs no trust. */
export const FULL_ACCESS: HookAccess = { enabled: true, may: PERMISSIONS, status: READY };

export function executableDefinition<Name extends HookEvent>(
  place: HookPlace,
  executable: Pick<Executable<Name>, 'id' | 'name' | 'event' | 'path'>,
  run: string,
  access: HookAccess,
): HookDefinition<Name> {
  return {
    id: executable.id,
    name: executable.name,
    scope: place.scope,
    event: executable.event,
    source: executable.path,
    argv: [run],
    env: {},
    matcher: '',
    timeoutMs: DEFAULT_TIMEOUT_MS,
    observe: false,
    failClosed: false,
    injectOutput: undefined,
    root: place.root,
    ...access,
  };
}

export const modulePath = (place: Pick<HookPlace, 'settingsFile'>, module: string): string => resolve(dirname(place.settingsFile), module);

export const settingId = (place: Pick<HookPlace, 'scope'>, name: string): string => `${place.scope}:settings/${name}`;

/** `module` is where its module lies: found from the settings file, unless a trusted copy runs. */
export function settingDefinition(
  place: HookPlace,
  hook: DeclaredHook,
  access: HookAccess,
  module = hook.module === undefined ? undefined : modulePath(place, hook.module),
): HookDefinition<HookEvent> {
  return {
    id: settingId(place, hook.name),
    name: hook.name,
    scope: place.scope,
    event: hook.event,
    source: place.settingsFile,
    argv: module === undefined ? ['/bin/sh', '-c', hook.command] : [],
    ...(module !== undefined && { module }),
    env: {},
    matcher: hook.matcher,
    ...(hook.when !== undefined && { when: hook.when }),
    timeoutMs: hook.timeoutMs,
    observe: hook.observe,
    ...(hook.group !== undefined && { group: hook.group }),
    failClosed: hook.failClosed,
    injectOutput: hook.injectOutput,
    ...surroundingsOf(hook),
    root: place.root,
    ...access,
    enabled: access.enabled && hook.enabled,
    // What nobody trusts must not be able to deny, as a policy that is broken does.
    status: hook.broken === undefined || access.status.kind === 'not-trusted' ? access.status : { kind: 'broken', note: hook.broken },
  };
}

function surroundingsOf(hook: DeclaredHook): Surroundings & Pick<HookDefinition, 'shadow'> {
  const { sandbox, targets, requires, native, description, sensitivity, tags, shadow } = hook;
  return {
    ...(sandbox !== undefined && { sandbox }),
    ...(targets !== undefined && { targets }),
    ...(requires !== undefined && { requires }),
    ...(native !== undefined && { native }),
    ...(description !== undefined && { description }),
    ...(sensitivity !== undefined && { sensitivity }),
    ...(tags !== undefined && { tags }),
    ...(shadow !== undefined && { shadow }),
  };
}

/** `hook` and `folder` are those of the artifact itself, or of its trusted copy; `file` is what a person opens. */
export function artifactDefinition(
  place: HookPlace,
  { id, folder, hook }: Pick<Artifact, 'id' | 'folder'> & { readonly hook: DeclaredHook },
  file: string,
  access: HookAccess,
): HookDefinition<HookEvent> {
  const module = hook.module === undefined ? undefined : resolve(folder, hook.module);
  const definition = settingDefinition(place, hook, access, module);
  return { ...definition, id, source: file, folder, env: { PITON_ARTIFACT_DIR: folder } };
}
