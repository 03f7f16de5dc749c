import { readFileSync, writeFileSync } from 'node:fs';
import { readRepositories } from '@piton/checkpoints/repositories';
import type { Places } from '@piton/contracts/places';
import { findTrustedProgram, placeFile, toolTreesOn } from '@piton/contracts/programs';
import type { Context } from '../context.ts';

/**
 * What the server cannot tell from its home, nor from the environment of the agent that starts it: where the settings lie, and the
 * programs that it starts. Node is noted in the runtime.
 */
export function notePlaces({ env, cwd }: Pick<Context, 'env' | 'cwd'>, { home, config }: Places): void {
  const path = env.PATH ?? '';
  const repositories = readRepositories(home);
  const toolTrees = toolTreesOn(path, cwd, repositories);
  const [git, bwrap] = ['git', 'bwrap'].map((name) => findTrustedProgram(name, path, { toolTrees, repositories }));
  const noted = {
    config,
    ...(git !== undefined && { git }),
    ...(bwrap !== undefined && { bwrap }),
    ...(toolTrees.length > 0 && { toolTrees }),
  };
  const text = `${JSON.stringify(noted)}\n`;
  if (textOf(placeFile(home)) !== text) writeFileSync(placeFile(home), text, { mode: 0o600 });
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
