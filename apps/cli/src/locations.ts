import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { FORWARDER_NAME, homeDirectories, makePrivate, type Places, placesOf } from '@piton/contracts/places';
import type { Context } from './context.ts';
import { codeOf, Failure, reasonOf } from './failure.ts';
import { makeDirectories } from './install/config-file.ts';

function directoriesOf(context: Context): { home: string; config: string } {
  const found = homeDirectories(context.env);
  if ('error' in found) throw new Failure(found.error);
  return found;
}

/** Piton's directories, or undefined before `piton init`. */
export function existingPlaces(context: Context): Places | undefined {
  const { home, config } = directoriesOf(context);
  try {
    return statSync(home).isDirectory() ? placesOf(home, config) : undefined;
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || codeOf(error) === 'ENOTDIR') return undefined;
    throw new Failure(`cannot read Piton's home: ${reasonOf(error)}`, {
      where: home,
      remedy: 'make it readable, or set PITON_HOME to another directory',
    });
  }
}

export function requirePlaces(context: Context): Places {
  const places = existingPlaces(context);
  if (places) return places;
  throw new Failure('Piton is not set up', { where: directoriesOf(context).home, remedy: 'run `piton init`' });
}

/** Creates Piton's home, private to the user. */
export function makePlaces(context: Context): Places {
  const { home, config } = directoriesOf(context);
  const problem = tryMake(home);
  if (problem)
    throw new Failure("cannot write to Piton's home", {
      where: problem,
      remedy: 'make it writable for you only, or set PITON_HOME to another directory',
    });
  return placesOf(home, config);
}

function tryMake(home: string): string | undefined {
  try {
    // Parents such as ~/.local/state get the usual mode. Only Piton's directory is private.
    const made = makeDirectories(dirname(home), 0o755);
    const problem = makePrivate(home);
    if (problem === undefined && made.length > 0) noteMade(home, made);
    return problem;
  } catch (error) {
    if (error instanceof Failure) return error.where ? `${error.where}: ${error.message}` : error.message;
    throw error;
  }
}

const madeFile = (home: string): string => join(home, 'made-directories.json');

/** Those around Piton's home that were made for it: they go with it if nothing else is in them by then. */
function noteMade(home: string, made: readonly string[]): void {
  writeFileSync(madeFile(home), `${JSON.stringify(made.map((each) => realpathSync(each)))}\n`, { mode: 0o600 });
}

export function directoriesAround(home: string): readonly string[] {
  try {
    const made: unknown = JSON.parse(readFileSync(madeFile(home), 'utf8'));
    return Array.isArray(made) ? made.filter((each) => typeof each === 'string' && `${home}/`.startsWith(`${each}/`)) : [];
  } catch {
    return [];
  }
}

/** Where hooks are looked up, even before `init`. */
export function hookPlaces(context: Context): Pick<Places, 'config' | 'trust'> {
  const { home, config } = directoriesOf(context);
  return { config, trust: join(home, 'trust') };
}

/** The path of the forwarder, even before `init`. */
export function futureForwarder(context: Context): string {
  const { home } = directoriesOf(context);
  return join(realpathOfFuture(home), 'runtime', 'current', FORWARDER_NAME);
}

/** Piton's home, even before `init`. */
export const futureHome = (context: Context): string => realpathOfFuture(directoriesOf(context).home);

function realpathOfFuture(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    const parent = dirname(path);
    return parent === path ? path : join(realpathOfFuture(parent), basename(path));
  }
}

/** The user's home, where agents keep their configuration. */
export function userHome(context: Context): string {
  const home = context.env.HOME || homedir();
  if (!home) throw new Failure('HOME is not set', { remedy: 'set HOME' });
  if (!existsSync(home))
    throw new Failure('the directory in HOME does not exist', {
      where: home,
      remedy: 'create it, or set HOME to another directory',
    });
  return home;
}
