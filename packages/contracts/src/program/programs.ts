import { accessSync, constants, existsSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join } from 'node:path';

/** What `piton init` found on the person's `PATH`. The environment of a server is that of whichever agent happened to start it. */
export interface NotedPrograms {
  readonly git?: string;
  readonly bwrap?: string;
  /** Working trees with directories on that `PATH`: nvm, pyenv and Homebrew are clones. */
  readonly toolTrees: readonly string[];
}

export interface PathRules {
  readonly toolTrees?: readonly string[];
  /** Watched ones. Their `.git` need not be there: an agent can move it away. */
  readonly repositories?: readonly string[];
}

export function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** The nearest directory at or above this one that has a `.git`. What lies in there came with a clone, or an agent wrote it. */
export function workingTreeAround(directory: string): string | undefined {
  for (let at = directory; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return undefined;
  }
}

const DEPENDENCIES = /\/node_modules(?:\/|$)/;

/**
 * A `PATH` without what a repository may fill: entries inside of working trees, those of dependencies, and those that depend on the
 * working directory. Links do not hide where an entry lies.
 */
export const trustedPath = (path: string, rules: PathRules = {}): string => trustedEntries(path, rules).join(delimiter);

const trustedEntries = (path: string, rules: PathRules): string[] => path.split(delimiter).filter((entry) => isTrustedEntry(entry, rules));

const isTrustedEntry = (entry: string, rules: PathRules): boolean =>
  isAbsolute(entry) && [entry, realPathOf(entry)].every((each) => isTrusted(each, rules));

function isTrusted(entry: string, { toolTrees = [], repositories = [] }: PathRules): boolean {
  if (DEPENDENCIES.test(entry) || repositories.some((root) => `${entry}/`.startsWith(`${root}/`))) return false;
  const tree = workingTreeAround(entry);
  return tree === undefined || toolTrees.includes(tree);
}

/** Does the file itself lie in a working tree, wherever the links to it do? */
export function liesInRepository(file: string, { toolTrees = [], repositories = [] }: PathRules = {}): boolean {
  return [file, realPathOf(file)].some((each) => {
    const tree = workingTreeAround(dirname(each));
    return (tree !== undefined && !toolTrees.includes(tree)) || repositories.some((root) => each.startsWith(`${root}/`));
  });
}

function realPathOf(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // not there yet
  }
}

/** The first of that name on the trusted part of `PATH`: rather outside of any working tree than in one of a tool. */
export function findTrustedProgram(name: string, path: string, rules: PathRules = {}): string | undefined {
  const { repositories = [] } = rules;
  // Most entries have no such program, and whether one is trusted takes many more looks than whether it has.
  const entries = path.split(delimiter).filter((entry) => isAbsolute(entry) && isProgram(join(entry, name)));
  const found = [{ repositories }, rules].map((each) => entries.find((entry) => isTrustedEntry(entry, each))).find(Boolean);
  return found && join(found, name);
}

/** The working trees of tools, as a person has them on `PATH`: all but the one that they stand in, and those that are watched. */
export function toolTreesOn(path: string, cwd: string, repositories: readonly string[]): string[] {
  const here = workingTreeAround(realPathOf(cwd));
  const entries = path.split(delimiter).filter((entry) => isAbsolute(entry) && !DEPENDENCIES.test(entry));
  const trees = entries.flatMap((entry) => [entry, realPathOf(entry)]).map(workingTreeAround);
  return [...new Set(trees)].filter((tree) => tree !== undefined && tree !== here && !repositories.includes(tree)) as string[];
}

const NOTED = ['git', 'bwrap'] as const;

export const placeFile = (home: string): string => join(home, 'place.json');

export function notedPrograms(home: string): NotedPrograms {
  let noted: Record<string, unknown> = {};
  try {
    noted = JSON.parse(readFileSync(placeFile(home), 'utf8')) as Record<string, unknown>;
  } catch {
    // before `piton init`
  }
  const toolTrees = Array.isArray(noted['toolTrees']) ? noted['toolTrees'].filter((each) => typeof each === 'string') : [];
  const programs = NOTED.map((name) => [name, noted[name]] as const).filter(([, file]) => typeof file === 'string' && isAbsolute(file));
  return { toolTrees, ...Object.fromEntries(programs) };
}

/** The noted program for as long as it is there, else one on the trusted part of `PATH`. Asked again, it is looked for only when it has gone. */
export function programFinder(home: string, name: (typeof NOTED)[number], path: string, rules: PathRules = {}): () => string | undefined {
  let found: string | undefined;
  return () => {
    if (found !== undefined && isProgram(found)) return found;
    const { toolTrees, [name]: noted } = notedPrograms(home);
    found = noted !== undefined && isProgram(noted) ? noted : findTrustedProgram(name, path, { toolTrees, ...rules });
    return found;
  };
}
