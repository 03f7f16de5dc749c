import { basename, dirname, join } from 'node:path';
import type { HookDefinition, HookEvent, HookStatus } from '../definition.ts';
import type { Copies } from '../trust/copies.ts';
import type { TrustedHook, TrustedRoot } from '../trust/index-file.ts';
import { copiedFolder, copiedModule, readSettingCopy, sameDefinition } from '../trust/setting-copy.ts';
import type { Artifacts } from './artifacts.ts';
import type { DeclaredHook } from './declared-hook.ts';
import { executableDefinition, modulePath, READY, settingDefinition, settingId } from './definitions.ts';
import { compareNames, type Executable, type Executables } from './executables.ts';
import type { ProjectPlace } from './places.ts';
import { projectArtifacts } from './project-artifacts.ts';
import { brokenCopy, notTrusted, sourceStatus, trustedHooks, unknownPolicy } from './project-trust.ts';
import type { SettingsFile, SettingsReader } from './settings.ts';
import { byEvent, type HooksByEvent, isOn, notExecutable } from './user-hooks.ts';
import { linkStatOf } from './watched.ts';

export interface ProjectHooks {
  of<Name extends HookEvent>(place: ProjectPlace, trusted: TrustedRoot | undefined, event: Name): readonly HookDefinition<Name>[];
  forget(): void;
}

interface Merged {
  readonly file: SettingsFile;
  readonly trusted: TrustedRoot | undefined;
  readonly intact: string;
  readonly byEvent: HooksByEvent;
}

/** Hooks of a project: what runs is the trusted copy, whatever has become of the source. */
export function createProjectHooks(executables: Executables, settings: SettingsReader, artifacts: Artifacts, copies: Copies): ProjectHooks {
  const merged = new Map<string, Merged>();
  const fromSettings = (place: ProjectPlace, file: SettingsFile, trusted: TrustedRoot | undefined): HooksByEvent => {
    const known = merged.get(place.settingsFile);
    const isTrusted = ({ name }: DeclaredHook): boolean => trusted?.hooks[settingId(place, name)] !== undefined;
    const folders = file.hooks
      .filter(isTrusted)
      .flatMap(({ module }) => (module === undefined ? [] : copies.hashOf(dirname(modulePath(place, module)))));
    const intact = [...trustedHooks(place, trusted, 'setting').map(([, hook]) => copies.at(hook.hash).ok), ...folders].join();
    if (known?.file === file && known.trusted === trusted && known.intact === intact) return known.byEvent;
    const made = { file, trusted, intact, byEvent: byEvent(mergeSettings(place, file, trusted, copies)) };
    merged.set(place.settingsFile, made);
    return made.byEvent;
  };
  return {
    of(place, trusted, event) {
      const file = settings(place.settingsFile);
      const { enabled } = file;
      const found = executables
        .find(place, event)
        .map((executable) => fromSource(place, executable, trusted?.hooks[executable.id], enabled, copies));
      const ids = new Set(found.map(({ id }) => id));
      const gone = trustedHooks(place, trusted, 'executable').filter(([id, hook]) => hook.event === event && !ids.has(id));
      const lost = gone.map(([id, hook]) => fromCopy(place, goneExecutable(place, id, hook), hook, enabled, copies));
      const all = lost.length === 0 ? found : [...found, ...lost].sort((a, b) => compareNames(a.name, b.name));
      const folders = projectArtifacts(place, event, { artifacts, copies, trusted, enabled });
      return [...(fromSettings(place, file, trusted).get(event) ?? []), ...folders, ...all.filter(isOn(event))];
    },
    forget: () => merged.clear(),
  };
}

function fromSource(
  place: ProjectPlace,
  executable: Executable,
  hook: TrustedHook | undefined,
  enabled: boolean,
  copies: Copies,
): HookDefinition<HookEvent> {
  if (hook !== undefined) return fromCopy(place, executable, hook, enabled, copies);
  const status = sourceProblem(executable.path) ?? notTrusted(executable.path);
  return executableDefinition(place, executable, executable.path, { enabled, may: [], status });
}

function fromCopy(
  place: ProjectPlace,
  executable: Executable,
  hook: TrustedHook,
  enabled: boolean,
  copies: Copies,
): HookDefinition<HookEvent> {
  const copy = copies.at(hook.hash);
  const run = copy.ok ? join(copy.path, hook.file) : executable.path;
  const status = copy.ok ? sourceStatus(executable.path, copies.hashOf(executable.directory) === hook.hash) : brokenCopy(copy.why);
  return executableDefinition(place, executable, run, { enabled, may: hook.may, status });
}

function goneExecutable(place: ProjectPlace, id: string, hook: TrustedHook): Executable {
  const path = join(place.root, hook.source);
  return { id, name: basename(path), event: hook.event, directory: dirname(path), path };
}

function mergeSettings(
  place: ProjectPlace,
  file: SettingsFile,
  trusted: TrustedRoot | undefined,
  copies: Copies,
): HookDefinition<HookEvent>[] {
  const { enabled } = file;
  const written = file.hooks.map((hook) => {
    const given = trusted?.hooks[settingId(place, hook.name)];
    if (given === undefined) return settingDefinition(place, hook, { enabled, may: [], status: notTrusted(place.settingsFile) });
    return trustedSetting(place, given, hook, enabled, copies);
  });
  const ids = new Set(written.map(({ id }) => id));
  const gone = trustedHooks(place, trusted, 'setting').filter(([id]) => !ids.has(id));
  return [...written, ...gone.map(([, hook]) => trustedSetting(place, hook, undefined, enabled, copies))];
}

function trustedSetting(
  place: ProjectPlace,
  given: TrustedHook,
  source: DeclaredHook | undefined,
  enabled: boolean,
  copies: Copies,
): HookDefinition<HookEvent> {
  const copy = copies.at(given.hash);
  const setting = copy.ok ? readSettingCopy(copy.path) : undefined;
  const access = { enabled, may: given.may };
  if (setting === undefined) {
    // Without its copy nobody knows what it was: if it was a policy, it must not pass for none.
    const stub = source ?? unknownPolicy(given);
    return settingDefinition(
      place,
      { ...stub, broken: brokenCopy(copy.ok ? 'its trusted copy cannot be read' : copy.why).note },
      { ...access, status: READY },
    );
  }
  const path = copy.ok ? copy.path : '';
  const same = source !== undefined && sameDefinition(source, setting) && sameFolder(place, source, path, copies);
  const status = sourceStatus(source === undefined ? null : place.settingsFile, same);
  return settingDefinition(
    place,
    setting,
    { ...access, status },
    setting.module === undefined ? undefined : copiedModule(path, setting.module),
  );
}

const sameFolder = (place: ProjectPlace, { module }: DeclaredHook, copy: string, copies: Copies): boolean =>
  module === undefined || copies.hashOf(dirname(modulePath(place, module))) === copies.hashOf(copiedFolder(copy));

/** A link could lead to anything by the time that it is run. */
function sourceProblem(path: string): HookStatus | undefined {
  const stat = linkStatOf(path);
  if (stat === undefined || !stat.isFile())
    return { kind: 'broken', note: `${path} is a link or not a file: a project hook must be a regular file` };
  return (stat.mode & 0o111) === 0 ? notExecutable(path) : undefined;
}
