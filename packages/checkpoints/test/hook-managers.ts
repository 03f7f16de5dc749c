import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';

/** The real ones, fetched once into a cache outside the clone; null where there is no registry. */
export function hookManagers(): string | null {
  const place = join(homedir(), '.cache', 'piton', 'hook-managers');
  const bin = join(place, 'node_modules', '.bin');
  if (existsSync(join(bin, 'lefthook'))) return bin;
  try {
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'package.json'), '{ "private": true }\n');
    execFileSync('npm', ['install', '--no-audit', '--no-fund', 'husky@9', 'lefthook@2'], { cwd: place, stdio: 'ignore', timeout: 60_000 });
    return bin;
  } catch {
    return null;
  }
}

/** The directory to put on `PYTHONPATH`; null where there is no Python or no package index. */
export function preCommit(): string | null {
  const place = join(homedir(), '.cache', 'piton', 'hook-managers', 'python');
  if (existsSync(join(place, 'pre_commit'))) return place;
  try {
    execFileSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', place, 'pre-commit'], { stdio: 'ignore', timeout: 90_000 });
    return place;
  } catch {
    return null;
  }
}
