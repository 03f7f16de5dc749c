import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHome, removeHome, type TestHome } from '@piton/testing';
import { onTestFinished } from 'vitest';

export const LIBRARY = join(import.meta.dirname, '..', '..', 'dist', 'hooks-library');
export const NAMES = existsSync(LIBRARY) ? readdirSync(LIBRARY).sort() : [];

/** A home with the built programs, and a repository to work in. */
export function newHome(): TestHome {
  const home = createTestHome();
  onTestFinished(() => removeHome(home));
  git(home, 'init', '-q', '-b', 'main');
  return home;
}

const IDENTITY = ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.com'];
export const git = (home: TestHome, ...args: readonly string[]): string =>
  execFileSync('git', [...IDENTITY, ...args], { cwd: home.work, encoding: 'utf8', env: { PATH: process.env.PATH, HOME: home.root } });

/** A script of the library as the engine would run it: data by environment and stdin. */
export function runScript(
  home: TestHome,
  artifact: string,
  script: string,
  env: Record<string, string> = {},
): { code: number | null; stdout: string; stderr: string } {
  const { status, stdout, stderr } = spawnSync(join(LIBRARY, artifact, 'scripts', script), [], {
    cwd: home.work,
    input: '{}',
    encoding: 'utf8',
    env: { PATH: process.env.PATH, HOME: home.root, PITON_CWD: home.work, PITON_REPO: home.work, ...env },
  });
  return { code: status, stdout, stderr };
}
