import { readdirSync, readFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { Agent, ConfigFile } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { isStable, type StatOf, statOf } from '../registry/watched.ts';
import { machineDisk } from './disk.ts';
import { type BuiltInGuard, createBuiltInGuard } from './guard.ts';
import type { AgentSwitches, GuardedPlaces } from './guarded-places.ts';

type Environment = Readonly<Record<string, string | undefined>>;

/** Whose places are guarded. */
export interface GuardedMachine {
  readonly places: Pick<Places, 'home' | 'config' | 'sockets'>;
  readonly agents: readonly Agent[];
  readonly env: Environment;
  readonly gitHooks: GuardedPlaces['gitHooks'];
  readonly pids?: readonly number[];
}

/** What agents must leave alone on this machine: Piton's own, and every file that decides which hooks an agent runs. */
export function guardedPlacesOf({ places, agents, env, gitHooks, pids = [] }: GuardedMachine): GuardedPlaces {
  const user = env.HOME || homedir();
  const named = agents.flatMap((agent) => filesOf(agent, env));
  const moved = join(dirname(places.home), 'config') === places.config ? dirname(places.home) : undefined;
  return {
    directories: [places.home, places.config, places.sockets],
    userFiles: unique([...named.filter(({ of }) => of === 'user').map(({ path }) => resolve(user, path)), ...recorded(places.home)]),
    projectFiles: unique(named.filter(({ of }) => of === 'project').map(({ path }) => path)),
    gitHooks,
    // What PITON_HOME names is ours as a whole, though a project may lie in it.
    shared: unique([
      user,
      ...(moved === undefined ? [dirname(places.home), dirname(places.config)] : []),
      env.XDG_CONFIG_HOME || join(user, '.config'),
    ]),
    variables: {
      HOME: user,
      XDG_STATE_HOME: env.XDG_STATE_HOME || join(user, '.local', 'state'),
      XDG_CONFIG_HOME: env.XDG_CONFIG_HOME || join(user, '.config'),
      ...(moved !== undefined && { PITON_HOME: moved }),
    },
    pids,
    agents: agents.map(switchesOf),
  };
}

function switchesOf({ id, aliases, programs, hookSwitches }: Agent): AgentSwitches {
  return {
    programs: unique([...(programs ?? []), id, ...aliases]),
    packages: hookSwitches?.packages ?? [],
    options: hookSwitches?.options ?? [],
    variables: hookSwitches?.variables ?? [],
  };
}

interface Named {
  readonly of: 'user' | 'project';
  readonly path: string;
}

/** Those that we edit, and those that decide whether what stands there counts. */
function filesOf({ installer, readiness }: Agent, env: Environment): Named[] {
  return (['user', 'project'] as const).flatMap((scope) =>
    [
      ...(scope === 'project' && installer.userOnly !== undefined ? [] : installer.configFiles(scope, env)),
      ...(readiness?.files(scope, env) ?? []),
    ].map((file) => namedBy(file, scope)),
  );
}

/** At either scope `~/` is the user's home and `./` the project; what an agent's variable moved is nobody's project. */
function namedBy({ path }: ConfigFile, scope: 'user' | 'project'): Named {
  if (path.startsWith('~/')) return { of: 'user', path: path.slice(2) };
  if (path.startsWith('./')) return { of: 'project', path: path.slice(2) };
  return { of: isAbsolute(path) ? 'user' : scope, path };
}

/** Where `init` has written: an agent's own variable may have moved its files, and only it knew. */
function recorded(home: string): string[] {
  const directory = join(home, 'installed');
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => recordedIn(join(directory, name)));
  } catch {
    return [];
  }
}

/** One that is broken, or was taken away just now, must not hide the others. */
function recordedIn(record: string): string[] {
  try {
    const { file } = JSON.parse(readFileSync(record, 'utf8')) as { file?: unknown };
    return typeof file === 'string' && isAbsolute(file) ? [file] : [];
  } catch {
    return [];
  }
}

const unique = (all: readonly string[]): string[] => [...new Set(all)];

/** The guard, made anew when `init` or `uninstall` has been at work. `stat`: whoever asks very often may answer from a moment ago. */
export function builtInGuardOf(machine: GuardedMachine, stat: StatOf = statOf): BuiltInGuard {
  const installed = join(machine.places.home, 'installed');
  let seen: number | undefined;
  let guard: BuiltInGuard | undefined;
  return (event) => {
    const changed = stat(installed)?.ctimeMs;
    if (guard === undefined || changed !== seen) {
      // What is this young may change once more without showing it: then it is looked at again.
      seen = changed === undefined || isStable(changed) ? changed : Number.NaN;
      guard = createBuiltInGuard(guardedPlacesOf(machine), machineDisk);
    }
    return guard(event);
  };
}
