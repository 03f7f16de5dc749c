import type { Stats } from 'node:fs';
import type { HookDefinition, HookEvent, HookStatus } from '../definition.ts';
import type { Artifact, Artifacts } from './artifacts.ts';
import { artifactDefinition, executableDefinition, FULL_ACCESS, READY, settingDefinition } from './definitions.ts';
import type { Executable, Executables } from './executables.ts';
import type { HookPlace } from './places.ts';
import type { SettingsFile, SettingsReader } from './settings.ts';
import type { StatOf } from './watched.ts';

type AnyHook = HookDefinition<HookEvent>;
/** Under each name lie the hooks of that name alone. */
export interface HooksByEvent {
  get<Name extends HookEvent>(event: Name): readonly HookDefinition<Name>[] | undefined;
}
export type HooksOf = <Name extends HookEvent>(event: Name) => readonly HookDefinition<Name>[];

export const isOn =
  <Name extends HookEvent>(event: Name) =>
  (hook: AnyHook): hook is HookDefinition<Name> =>
    hook.event === event;

/** The user's own hooks: they run from where they lie. */
export function createUserHooks(
  place: HookPlace,
  executables: Executables,
  settings: SettingsReader,
  artifacts: Artifacts,
  stat: StatOf,
): HooksOf {
  const held = new Map<string, AnyHook>();
  let grouped: { of: SettingsFile; byEvent: HooksByEvent } | undefined;
  const fromSettings = (file: SettingsFile): HooksByEvent => {
    if (grouped?.of !== file) {
      grouped = {
        of: file,
        byEvent: byEvent(file.hooks.map((hook) => settingDefinition(place, hook, { ...FULL_ACCESS, enabled: file.enabled }))),
      };
    }
    return grouped.byEvent;
  };
  /** The same object while nothing has changed. */
  const fromExecutable = (executable: Executable, enabled: boolean): AnyHook => {
    const status = runnable(executable.path, stat(executable.path));
    const known = held.get(executable.path);
    if (known?.enabled === enabled && known.status.kind === status.kind) return known;
    const definition = executableDefinition(place, executable, executable.path, { ...FULL_ACCESS, enabled, status });
    held.set(executable.path, definition);
    return definition;
  };
  const defined = new WeakMap<Artifact, AnyHook>();
  const fromArtifacts = (all: readonly Artifact[], enabled: boolean, event: HookEvent): AnyHook[] =>
    all.flatMap((artifact) => {
      const { hook, file } = artifact;
      if (hook?.event !== event) return [];
      const known = defined.get(artifact);
      if (known?.enabled === (enabled && hook.enabled)) return known;
      const definition = artifactDefinition(place, { ...artifact, hook }, file, { ...FULL_ACCESS, enabled });
      defined.set(artifact, definition);
      return definition;
    });
  return (event) => {
    const file = settings(place.settingsFile);
    const written = fromSettings(file).get(event) ?? [];
    const folders = fromArtifacts(artifacts.find(place), file.enabled, event);
    const found = executables.find(place, event);
    if (folders.length + found.length === 0) return written;
    return [...written, ...[...folders, ...found.map((executable) => fromExecutable(executable, file.enabled))].filter(isOn(event))];
  };
}

export function byEvent(hooks: readonly AnyHook[]): HooksByEvent {
  const groups = new Map<HookEvent, AnyHook[]>();
  for (const hook of hooks) {
    const group = groups.get(hook.event);
    if (group === undefined) groups.set(hook.event, [hook]);
    else group.push(hook);
  }
  return groups as HooksByEvent;
}

export function runnable(path: string, stat: Stats | undefined): HookStatus {
  if (stat === undefined) return { kind: 'broken', note: `${path} is a broken link, or cannot be read` };
  if (!stat.isFile()) return { kind: 'broken', note: `${path} is not a file` };
  return (stat.mode & 0o111) === 0 ? notExecutable(path) : READY;
}

export const notExecutable = (path: string): HookStatus => ({ kind: 'not-executable', note: `${path} is not executable: chmod +x it` });
