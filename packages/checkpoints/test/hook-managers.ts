import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The real ones, fetched once into a cache outside the clone; null where there is no registry. */
export function hookManagers(): string | null {
  const worktree = join(homedir(), '.cache', 'piton', 'hook-managers');
  const bin = join(worktree, 'node_modules', '.bin');
  if (existsSync(join(bin, 'lefthook'))) return bin;
  try {
    mkdirSync(worktree, { recursive: true });
    writeFileSync(join(worktree, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'husky@9', 'lefthook@2'], {
      cwd: worktree,
      stdio: 'ignore',
      timeout: 60_000,
    });
    return bin;
  } catch {
    return null;
  }
}

/** The directory to put on `PYTHONPATH`; null where there is no Python or no package index. */
export function preCommit(): string | null {
  const worktree = join(homedir(), '.cache', 'piton', 'hook-managers', 'python');
  if (existsSync(join(worktree, 'pre_commit'))) return worktree;
  try {
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', worktree, 'pre-commit'], { stdio: 'ignore', timeout: 90_000 });
    return worktree;
  } catch {
    return null;
  }
}
