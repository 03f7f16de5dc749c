import { basename, dirname, join, resolve } from 'node:path';
import { type EventName, parseEventName } from '@piton/contracts';
import type { HookDefinition, HookEvent } from '../definition.ts';
import { ARTIFACT_FILE, createArtifacts } from './artifacts.ts';
import { artifactDefinition, executableDefinition, FULL_ACCESS, settingDefinition } from './definitions.ts';
import type { HookPlace } from './places.ts';
import { createRequirements } from './requirements.ts';
import { type HookReading, readSettings, settingsReading } from './settings.ts';
import { runnable } from './user-hooks.ts';
import { statOf } from './watched.ts';

export type LoneHook = { readonly ok: true; readonly hook: HookDefinition } | { readonly ok: false; readonly problem: string };

/**
 * A hook by its path alone, wherever it lies: an artifact's folder, a settings file with `#name`, or an executable, whose
 * event is said by `event` or by its directory. For whoever tries it out: it is in force nowhere.
 */
export function readLoneHook(path: string, reading: HookReading, event?: EventName): LoneHook {
  const [file = '', name] = path.split('#');
  const at = resolve(file);
  const stat = statOf(at);
  if (stat === undefined) return wrong(`no such file or folder: ${at}`);
  if (stat.isDirectory()) return artifact(at, reading);
  if (basename(at) === ARTIFACT_FILE) return artifact(dirname(at), reading);
  if (name !== undefined || at.endsWith('.json')) return setting(at, name, reading);
  const onEvent = event ?? parseEventName(basename(dirname(at)));
  if (onEvent === undefined) return wrong(`${at} is not in a directory named after an event: name the event`);
  const executable = { id: idOf(at), name: basename(at), event: onEvent, path: at };
  return found(executableDefinition(placeAt(at), executable, at, { ...FULL_ACCESS, status: runnable(at, stat) }));
}

function artifact(folder: string, { parseArtifact, agents }: HookReading): LoneHook {
  const read = createArtifacts(parseArtifact, agents).read(folder, idOf(folder));
  if (read === undefined) return wrong(`${folder} has no ${ARTIFACT_FILE}`);
  if (read.hook === null) return wrong(`${read.file}: ${read.problems.join('; ')}`);
  return found(artifactDefinition(placeAt(join(folder, ARTIFACT_FILE)), { ...read, hook: read.hook }, read.file, FULL_ACCESS));
}

function setting(file: string, name: string | undefined, reading: HookReading): LoneHook {
  const { hooks, problems } = readSettings(file, settingsReading(reading)).file;
  const fitting = name === undefined ? hooks : hooks.filter((hook) => hook.name === name);
  const [only] = fitting;
  if (only !== undefined && fitting.length === 1)
    return found({ ...settingDefinition(placeAt(file), only, FULL_ACCESS), id: `${file}#${only.name}` });
  if (hooks.length === 0) return wrong(`${file} declares no hook${problems.map(({ problem }) => `; ${problem}`).join('')}`);
  return wrong(`${file} declares ${hooks.map((hook) => hook.name).join(', ')}: name one, as ${basename(file)}#${hooks[0]?.name}`);
}

const wrong = (problem: string): LoneHook => ({ ok: false, problem });

function found(hook: HookDefinition<HookEvent>): LoneHook {
  const event = parseEventName(hook.event);
  if (event === undefined) return wrong(`it runs on ${hook.event}, an event that Piton emits: it makes no decision`);
  const onEvent: HookDefinition = { ...hook, event };
  return { ok: true, hook: createRequirements()([onEvent])[0] ?? onEvent };
}

const idOf = (path: string): string => `path:${path}`;
const placeAt = (file: string): HookPlace => ({ scope: 'user', root: null, hooksDir: '', artifactsDir: '', settingsFile: file });
