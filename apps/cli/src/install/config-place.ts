import { existsSync, lstatSync, readlinkSync, realpathSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import type { Agent, ConfigFile } from '@piton/contracts';
import { codeOf, Failure, reasonOf } from '../failure.ts';
import { agentFailure, filesOf } from './failed-agent.ts';

export type InstallScope = 'user' | 'project';

/** One file of an agent's configuration at one level. */
export interface ConfigPlace {
  readonly agent: Agent;
  readonly scope: InstallScope;
  /** As users know it. */
  readonly path: string;
  /** What is read and written: the same path, or the target of a symbolic link. */
  readonly target: string;
  readonly label: string;
  readonly file: ConfigFile;
}

type Environment = Readonly<Record<string, string | undefined>>;

/** All files, the main one first. */
export type ConfigPlaces = readonly [ConfigPlace, ...ConfigPlace[]];

/** `base` is the user's home or the repository. */
export function configPlaces(agent: Agent, scope: InstallScope, base: string, env: Environment): ConfigPlaces {
  const files = agent.installer.configFiles(scope, env);
  try {
    const [main, ...others] = files;
    const look = (file: ConfigFile): ConfigPlace => lookUp(agent, scope, base, file);
    return [look(main), ...others.map(look)];
  } catch (error) {
    if (error instanceof Failure) throw agentFailure(agent, error, 'replace it by a file, or remove it');
    if (codeOf(error) === undefined) throw error;
    throw new Failure(`${agent.title}'s ${filesOf(agent)} cannot be read: ${reasonOf(error)}`, {
      where: pathIn(base, files[0]),
      remedy: 'make the directory readable, or move away what is in its place',
    });
  }
}

const pathIn = (base: string, { path }: ConfigFile): string => (isAbsolute(path) ? path : join(base, path));

/** Where a file of an agent is written, unless links lead out of `base`. */
export function lookUp(agent: Agent, scope: InstallScope, base: string, file: ConfigFile): ConfigPlace {
  const moved = isAbsolute(file.path);
  const path = pathIn(base, file);
  if (!moved) refuseEscape(dirname(path), base);
  const target = followLink(path);
  // A repository belongs to others: its links must not redirect a write out of it.
  if (scope === 'project' && !isInside(realParent(target), realpathSync(base))) {
    throw new Failure('the settings file is a symbolic link to outside the repository', {
      where: `${path} → ${target}`,
      remedy: 'replace the link by a file, or install for your user (without --project)',
    });
  }
  return { agent, scope, file, path, target, label: file.label };
}

function refuseEscape(directory: string, base: string): void {
  const real = realDirectory(directory);
  if (isInside(real, realpathSync(base))) return;
  throw new Failure('the directory is a symbolic link', {
    where: `${directory} → ${real}`,
    remedy: 'replace the link by a directory. A link of the file itself is fine',
  });
}

/** The real path of a directory. If it does not exist, that of its nearest existing parent, with the rest appended. */
function realDirectory(directory: string): string {
  if (existsSync(directory)) return realpathSync(directory);
  const parent = dirname(directory);
  return parent === directory ? directory : join(realDirectory(parent), relative(parent, directory));
}

const realParent = (path: string): string => realDirectory(dirname(path));

/** Follows a link of the file itself, even if its target does not exist yet. */
function followLink(path: string): string {
  let at = path;
  for (let steps = 0; steps < 16; steps++) {
    const next = linkAt(at, path);
    if (next === undefined) return at;
    at = next;
  }
  throw new Failure('symbolic links form a loop', { where: path });
}

function linkAt(at: string, path: string): string | undefined {
  try {
    return lstatSync(at, { throwIfNoEntry: false })?.isSymbolicLink() ? resolve(dirname(at), readlinkSync(at)) : undefined;
  } catch (error) {
    throw new Failure(`it cannot be read: ${reasonOf(error)}`, { where: path });
  }
}

/** Where an agent's configuration is, for messages: its file, or the directory of several. */
export function whereOf([main, ...others]: ConfigPlaces): string {
  if (others.length === 0) return main.path;
  const directory = dirname(main.path);
  return others.every(({ path }) => dirname(path) === directory) ? directory : `${main.path} and ${others.length} more`;
}

export function isInside(path: string, base: string): boolean {
  return path === base || path.startsWith(base.endsWith(sep) ? base : base + sep);
}
