import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { findGit } from '@piton/git';
import type { Context } from '../context.ts';

/** What the server cannot tell from its home, nor from the environment of the agent that starts it: where the settings lie, and git. */
export function notePlaces({ env, cwd }: Pick<Context, 'env' | 'cwd'>, { home, config }: Places): void {
  const file = join(home, 'place.json');
  const git = findGit(env.PATH ?? '', cwd);
  const text = `${JSON.stringify({ config, ...(git !== undefined && { git }) })}\n`;
  if (textOf(file) !== text) writeFileSync(file, text, { mode: 0o600 });
}

function textOf(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
