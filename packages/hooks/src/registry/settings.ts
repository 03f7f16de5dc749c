import { readFileSync, statSync } from 'node:fs';
import { GUARD_MODES, type GuardMode } from '../built-in-guard/guard.ts';
import type { ParseArtifact } from './artifacts.ts';
import { type DeclaredHook, readEntry, unknownKey } from './declared-hook.ts';
import type { Problem } from './places.ts';
import type { AgentNames } from './surroundings.ts';
import { type StatOf, watched } from './watched.ts';

/** Reads JSON with comments: what it could make of the text, and what was wrong with it. */
export type ParseSettings = (text: string) => { value: unknown; errors: readonly string[] };

export interface SettingsFile {
  readonly enabled: boolean;
  /** What the built-in guard does; counts in the user's settings alone. */
  readonly guard?: GuardMode;
  readonly hooks: readonly DeclaredHook[];
  readonly problems: readonly Problem[];
}
export const NO_SETTINGS: SettingsFile = { enabled: true, hooks: [], problems: [] };

export type SettingsReader = ((path: string) => SettingsFile) & { forget(): void };

/** Keys at the top of a settings file that belong to hooks; others belong to other rooms. */
const KEYS = ['$schema', 'hooks_enabled', 'guard', 'hooks'];

/** How hooks are read, by the registry and by whoever trusts them. */
export interface HookReading {
  readonly parseSettings: ParseSettings;
  /** Without one there are no artifacts. */
  readonly parseArtifact?: ParseArtifact;
  /** Without them any name of an agent is taken. */
  readonly agents?: AgentNames;
  /** Keys of settings files that belong to other rooms and are no mistake. */
  readonly settingsKeys?: readonly string[];
}
export const settingsReading = ({ parseSettings, settingsKeys = [], agents }: HookReading): SettingsReading => ({
  parse: parseSettings,
  otherKeys: settingsKeys,
  ...(agents && { agents }),
});

/** How settings are read. */
export interface SettingsReading {
  readonly parse: ParseSettings;
  /** Keys that belong to other rooms and are no mistake. */
  readonly otherKeys?: readonly string[];
  readonly agents?: AgentNames;
}

export function createSettings(reading: SettingsReading, stat: StatOf): SettingsReader {
  const lastGood = new Map<string, SettingsFile>();
  const read = (path: string): SettingsFile => {
    const settings = readSettings(path, reading);
    if (settings.whole) lastGood.set(path, settings.file);
    const earlier = lastGood.get(path);
    // Someone is in the middle of an edit: guards must not vanish meanwhile.
    return settings.whole || earlier === undefined ? settings.file : { ...earlier, problems: settings.file.problems };
  };
  return watched(NO_SETTINGS, read, stat);
}

/** Nobody writes as much by hand. The agent waits while a file is read, and a repository may hold any. */
const MOST_BYTES = 1_000_000;
const MOST_HOOKS = 2000;

export function readSettings(path: string, reading: SettingsReading): { whole: boolean; file: SettingsFile } {
  const unread = (problem: string, remedy: string) => ({ whole: false, file: { ...NO_SETTINGS, problems: [{ path, problem, remedy }] } });
  let text: string;
  try {
    const stat = statSync(path);
    // A link to a device has no end, and a pipe no beginning.
    if (!stat.isFile()) return unread('it is not a regular file', 'replace it by a settings file, or remove it');
    if (stat.size > MOST_BYTES) return unread('it is larger than 1 MB', 'make it shorter');
    text = readFileSync(path, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return { whole: true, file: NO_SETTINGS };
    return unread((error as Error).message, `make ${path} readable`);
  }
  try {
    return fromText(path, text, reading);
  } catch (error) {
    // It would take everybody else's hooks with it.
    return unread(`it is nested too deeply (${(error as Error).message})`, 'reduce the nesting');
  }
}

function fromText(path: string, text: string, reading: SettingsReading): { whole: boolean; file: SettingsFile } {
  const { value, errors } = reading.parse(text);
  const whole = errors.length === 0;
  const broken = errors.map((problem) => ({ path, problem, remedy: 'fix it. Until then the last readable version is used' }));
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    const empty = text.trim() === '';
    const problems = whole && !empty ? [{ path, problem: 'it is not an object', remedy: 'use { "hooks": [ … ] }' }] : empty ? [] : broken;
    return { whole: empty, file: { ...NO_SETTINGS, problems } };
  }
  const file = fromObject(path, value as Record<string, unknown>, reading);
  return { whole, file: { ...file, problems: [...broken, ...file.problems] } };
}

function fromObject(path: string, settings: Record<string, unknown>, { otherKeys = [], agents }: SettingsReading): SettingsFile {
  const wrong: string[] = [];
  const known = [...KEYS, ...otherKeys];
  for (const key of Object.keys(settings)) if (!known.includes(key)) wrong.push(unknownKey(key, known));
  if (settings.hooks_enabled !== undefined && typeof settings.hooks_enabled !== 'boolean')
    wrong.push('"hooks_enabled" is not true or false, so it counts as true');
  const guard = GUARD_MODES.find((mode) => mode === settings.guard);
  if (settings.guard !== undefined && guard === undefined)
    wrong.push(`"guard" is not one of ${GUARD_MODES.map((mode) => `"${mode}"`).join(', ')}, so it counts as "${GUARD_MODES[0]}"`);
  if (settings.hooks !== undefined && !Array.isArray(settings.hooks)) wrong.push('"hooks" is not a list');
  const hooks = declaredIn(settings.hooks, agents, wrong).map(({ hook }) => hook);
  const problems = wrong.map((problem) => ({ path, problem, remedy: 'fix it there. Available settings: piton schema settings' }));
  return { enabled: settings.hooks_enabled !== false, ...(guard !== undefined && { guard }), hooks, problems };
}

/** Where in the list of a settings file the hook of this name stands, however it came by the name. */
export function settingPosition(value: unknown, name: string): number | undefined {
  const hooks = typeof value === 'object' && value !== null ? (value as { hooks?: unknown }).hooks : undefined;
  return declaredIn(hooks, undefined, []).find(({ hook }) => hook.name === name)?.position;
}

function declaredIn(entries: unknown, agents: AgentNames | undefined, wrong: string[]): { position: number; hook: DeclaredHook }[] {
  const declared: { position: number; hook: DeclaredHook }[] = [];
  const all: readonly unknown[] = Array.isArray(entries) ? entries : [];
  if (all.length > MOST_HOOKS) wrong.push(`there are more than ${MOST_HOOKS} hooks: those after hooks[${MOST_HOOKS - 1}] do not run`);
  const names = new Map<string, number>();
  for (const [position, entry] of all.slice(0, MOST_HOOKS).entries()) {
    const { hook, problems } = readEntry(entry, `hooks[${position}]`, agents, (event) => `${event.replaceAll('_', '-')}-${position + 1}`);
    wrong.push(...problems);
    if (hook !== null) declared.push({ position, hook: uniquelyNamed(hook, names, wrong) });
  }
  return declared;
}

/** The name is the id by which a hook is trusted and traced. */
function uniquelyNamed(hook: DeclaredHook, names: Map<string, number>, wrong: string[]): DeclaredHook {
  let count = names.get(hook.name) ?? 0;
  let name = hook.name;
  while (names.has(name)) name = `${hook.name}#${++count}`;
  names.set(hook.name, Math.max(count, 1)).set(name, 1);
  if (name === hook.name) return hook;
  wrong.push(`two hooks are named ${hook.name}: the later one is called ${name}`);
  return { ...hook, name };
}
