import { join } from 'node:path';
import { EVENTS, type EventName, PITON_EVENTS, type PitonEventName } from '@piton/contracts';
import { type BuiltInGuard, GUARD_MODES, type GuardMode } from '../built-in-guard/guard.ts';
import { createBuiltIns } from '../built-in-guard/hook.ts';
import type { HookDefinition, HookEvent, Subscription } from '../definition.ts';
import { createCopies } from '../trust/copies.ts';
import { indexPath, readTrust, type TrustRead } from '../trust/index-file.ts';
import { createArtifacts } from './artifacts.ts';
import { createExecutables } from './executables.ts';
import { type HookPlace, type Problem, projectPlaces, userPlace } from './places.ts';
import { createProjectHooks } from './project-hooks.ts';
import { createRequirements } from './requirements.ts';
import { createRoots } from './roots.ts';
import { createSettings, type HookReading, readSettings, settingsReading } from './settings.ts';
import { createStatRecord } from './stat-record.ts';
import { createUserHooks } from './user-hooks.ts';
import { type StatOf, statOf, watched } from './watched.ts';

export interface RegistryPorts extends HookReading {
  /** The user's configuration directory. */
  readonly config: string;
  readonly trustDir: string;
  /** A caller in a burst may answer a stat from its cache. */
  readonly stat?: StatOf;
  /** The built-in guard of Piton's own files; its mode stands in the user's settings. */
  readonly builtInGuard?: BuiltInGuard;
  /** Where programs that hooks require are looked for, and not run: an agent's `PATH`. Default: our own. */
  readonly path?: string;
  /** Called before something of any size is read or hashed. */
  readonly onSlow?: () => void;
}

/** Where an event happens. */
export interface EventPlace {
  readonly cwd: string;
  /** Fixed when the session started: `cd` never removes a guard. */
  readonly sessionRoot: string | null;
}

export interface Registry {
  /** The hooks in force, in the order in which they run: by name, then scope, then as written or named. The same array while they are the same. */
  hooksFor(place: EventPlace, names: readonly EventName[]): readonly HookDefinition[];
  /** The same for one of Piton's own events. */
  subscriptionsFor(place: EventPlace, name: PitonEventName): readonly Subscription[];
  list(place: EventPlace): Listing;
  /** Project directories that count for a working directory, the nearest last. */
  projectRoots(cwd: string): string[];
  guardMode(): GuardMode;
  /** Can the user's hooks be read here? Not where their directory is missing, or the settings are broken: then nothing follows from what is not there. */
  userHooksSeen(): boolean;
  forget(): void;
}

export interface Listing {
  readonly hooks: readonly HookDefinition[];
  readonly subscriptions: readonly Subscription[];
  readonly problems: readonly Problem[];
}

const UNTRUSTING: TrustRead = { index: { version: 1, roots: {} } };

/** Costs some stats when nothing has changed: it is asked on every event. */
export function createRegistry(ports: RegistryPorts): Registry {
  const user = userPlace(ports.config);
  const record = createStatRecord(ports.stat ?? statOf);
  const { stat } = record;
  const executables = createExecutables(stat);
  const { parseArtifact, onSlow = () => {} } = ports;
  const announced =
    <Args extends readonly unknown[], Read>(read: (...args: Args) => Read) =>
    (...args: Args): Read => {
      onSlow();
      return read(...args);
    };
  const settings = createSettings(settingsReading({ ...ports, parseSettings: announced(ports.parseSettings) }), stat);
  const artifacts = createArtifacts(parseArtifact && announced(parseArtifact), ports.agents, stat);
  const copies = createCopies(ports.trustDir, onSlow);
  const roots = createRoots(stat);
  const builtIns = createBuiltIns(ports.builtInGuard, user.settingsFile);
  const guardMode = (): GuardMode => settings(user.settingsFile).guard ?? GUARD_MODES[0];
  const withRequirements = createRequirements(ports.path);
  const userHooks = createUserHooks(user, executables, settings, artifacts, stat);
  const projectHooks = createProjectHooks(executables, settings, artifacts, copies);
  const trust = watched(UNTRUSTING, () => readTrust(ports.trustDir), stat);

  const rootsOf = ({ cwd, sessionRoot }: EventPlace, { index }: TrustRead): string[] => {
    const here = roots.find(cwd, index);
    if (sessionRoot === null) return here;
    const found = sessionRoot === cwd ? here : roots.find(sessionRoot, index);
    // Renaming the project must not remove its guards, nor must a repository that was made inside it.
    const named = roots.named(sessionRoot, index).filter((root) => !found.includes(root));
    const session = named.length === 0 ? found : [...named, ...found].sort((a, b) => a.length - b.length);
    return sessionRoot === cwd ? session : [...new Set([...session, ...here])];
  };
  const steady = steadyLists();
  const inForce = <Name extends HookEvent>(
    place: EventPlace,
    names: readonly Name[],
    first: readonly HookDefinition<Name>[] = [],
  ): readonly HookDefinition<Name>[] => {
    const trusted = trust(indexPath(ports.trustDir));
    const places = rootsOf(place, trusted).map(projectPlaces);
    const all: HookDefinition<Name>[] = [];
    const add = (hooks: readonly HookDefinition<Name>[]): void => {
      for (const hook of hooks) all.push(hook);
    };
    add(first);
    for (const name of names) {
      add(userHooks(name));
      for (const [project] of places) add(projectHooks.of(project, trusted.index.roots[project.root], name));
      for (const [, local] of places) add(projectHooks.of(local, trusted.index.roots[local.root], name));
    }
    return steady(`${place.cwd}\0${place.sessionRoot}\0${names.join()}`, withRequirements(all));
  };
  const problemsOf = (place: HookPlace): Problem[] => [
    ...settings(place.settingsFile).problems,
    ...(place.scope !== 'user' && settings(place.settingsFile).guard !== undefined ? [guardProblem(place.settingsFile)] : []),
    ...artifacts.problems(place),
    ...executables.problems(place),
  ];
  const found = (place: EventPlace, names: readonly EventName[]): readonly HookDefinition[] =>
    inForce(place, names, ports.builtInGuard === undefined ? [] : builtIns(guardMode(), names));
  const held = new Map<string, { readonly made: readonly HookDefinition[]; readonly holds: () => boolean }>();
  /** The user's own hooks are looked up again when something that they were made of has changed. */
  const hooksFor: Registry['hooksFor'] = (place, names) => {
    const key = `${place.cwd}\0${place.sessionRoot}\0${names.join()}`;
    const known = held.get(key);
    if (known?.holds()) return known.made;
    const latest = record.during(() => found(place, names));
    if (held.size >= MOST_LISTS) held.clear();
    if (latest.made.every(dependsOnStats)) held.set(key, latest);
    else held.delete(key);
    return latest.made;
  };
  return {
    hooksFor,
    subscriptionsFor: (place, name) => inForce(place, [name]),
    list(place) {
      const trusted = trust(indexPath(ports.trustDir));
      const hooks = hooksFor(place, EVENTS);
      const subscriptions = inForce(place, PITON_EVENTS);
      const files = rootsOf(place, trusted).flatMap(projectPlaces);
      const index = trusted.problem === undefined ? [] : [indexProblem(ports.trustDir, trusted.problem)];
      const places: Problem[] = [user, ...files].flatMap(problemsOf);
      const statuses = [...hooks, ...subscriptions].flatMap(statusProblem);
      return { hooks, subscriptions, problems: [...index, ...roots.links(place.cwd).map(linkProblem), ...places, ...statuses] };
    },
    guardMode,
    userHooksSeen: () => statOf(ports.config) !== undefined && readSettings(user.settingsFile, settingsReading(ports)).whole,
    projectRoots: (cwd) => roots.find(cwd, trust(indexPath(ports.trustDir)).index),
    forget() {
      held.clear();
      for (const cache of [executables, settings, artifacts, copies, roots, projectHooks, trust]) cache.forget();
    },
  };
}

const MOST_LISTS = 256;

/** Trusted copies are compared with their hashes, and programs looked for on PATH: not by a look at their files. */
const dependsOnStats = ({ scope, requires }: HookDefinition): boolean => scope === 'user' && requires === undefined;

/** Gives the former list where nothing in it has changed, so that what was worked out about it still holds. */
function steadyLists(): <T>(key: string, list: readonly T[]) => readonly T[] {
  const held = new Map<string, readonly unknown[]>();
  return <T>(key: string, list: readonly T[]) => {
    const former = held.get(key) as readonly T[] | undefined;
    if (former?.length === list.length && list.every((item, at) => item === former[at])) return former;
    if (held.size >= MOST_LISTS) held.clear();
    held.set(key, list);
    return list;
  };
}

const indexProblem = (trustDir: string, problem: string): Problem => ({
  path: indexPath(trustDir),
  problem: `cannot read the list of trusted hooks, so no project hooks run: ${problem}`,
  remedy: `move ${join(trustDir, 'index.json')} away and run piton trust in each project`,
});

const linkProblem = (path: string): Problem => ({
  path,
  problem: 'it is a symbolic link, so hooks in it do not run',
  remedy: 'make it a directory',
});

const guardProblem = (path: string): Problem => ({
  path,
  problem: '"guard" has no effect here: a repository must not weaken it',
  remedy: 'remove it. Use your user settings instead: piton settings set guard ask',
});

/** What is wrong with a settings entry stands in the problems of its file. */
function statusProblem(hook: HookDefinition<HookEvent>): Problem[] {
  if (hook.status.kind === 'not-executable')
    return [{ path: hook.source, problem: `${hook.id} is not executable, so it does not run`, remedy: `chmod +x "${hook.source}"` }];
  if (hook.status.kind !== 'broken' || ((hook.argv[0] === '/bin/sh' || hook.module !== undefined) && hook.root === null)) return [];
  return [{ path: hook.source, problem: `${hook.id} does not run: ${hook.status.note}`, remedy: 'fix it, then run piton doctor' }];
}
