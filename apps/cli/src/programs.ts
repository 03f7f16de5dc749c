import { readRepositories } from '@piton/checkpoints/repositories';
import { homeDirectories } from '@piton/contracts/places';
import { findTrustedProgram, liesInRepository, type PathRules, programFinder, toolTreesOn, trustedPath } from '@piton/contracts/programs';
import type { GitPlace } from '@piton/git';
import { createSandbox, type Sandbox } from '@piton/hooks';
import type { Context } from './context.ts';

/**
 * A person's `PATH` is theirs, but what the repository brings that they stand in is not: `npm run` and direnv put it first. So the
 * programs that Piton starts on its own are those that `piton init` noted, or lie elsewhere.
 */
export const gitHere = (context: Where): GitPlace => ({ environment: context.env, program: finderHere(context, 'git') });

export const sandboxHere = (context: Where, home = context.env.HOME): Sandbox =>
  createSandbox({ ...(home && { home }), path: '', bwrap: finderHere(context, 'bwrap') });

/** A program that Piton uses if it is there, and that nobody noted. */
export const findHere = (context: Where, name: string): string | undefined =>
  findTrustedProgram(name, context.env.PATH ?? '', rulesHere(context));

/** The first of these names that a repository can neither hold nor link to. */
export function findAgentProgram(context: Where, names: readonly string[]): string | undefined {
  const rules = rulesHere(context);
  const found = names.flatMap((name) => findTrustedProgram(name, context.env.PATH ?? '', rules) ?? []);
  return found.find((program) => !liesInRepository(program, rules));
}

/** The part of `PATH` that no repository can fill. */
export const pathHere = (context: Where): string => trustedPath(context.env.PATH ?? '', rulesHere(context));

type Where = Pick<Context, 'env' | 'cwd'>;

const homeOf = ({ env }: Where): string => {
  const found = homeDirectories(env);
  return 'error' in found ? '' : found.home;
};

function rulesHere(context: Where): PathRules {
  const repositories = readRepositories(homeOf(context));
  return { repositories, toolTrees: toolTreesHere(context, repositories) };
}

const known = new WeakMap<Where, { readonly repositories: string; readonly trees: readonly string[] }>();

/** Looked for once in a command, which asks for the programs of a dozen agents; again when `init` has added a repository. */
function toolTreesHere(context: Where, repositories: readonly string[]): readonly string[] {
  const key = repositories.join('\0');
  const before = known.get(context);
  if (before?.repositories === key) return before.trees;
  const trees = toolTreesOn(context.env.PATH ?? '', context.cwd, repositories);
  known.set(context, { repositories: key, trees });
  return trees;
}

export const finderHere = (context: Where, name: 'git' | 'bwrap'): (() => string | undefined) =>
  programFinder(homeOf(context), name, context.env.PATH ?? '', rulesHere(context));
