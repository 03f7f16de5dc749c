// Installs the real hook managers into the cache, for tests and for the bench: husky and lefthook from npm, pre-commit from PyPI.
// Needs no root, and does not change the system. What is there is not installed again.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

const cache = join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', 'hook-managers');
const quiet = { stdio: 'ignore', timeout: 180_000 };

/** The directory with `husky` and `lefthook`, to prepend to PATH; null where there is no registry. */
export function hookManagers() {
  const bin = join(cache, 'node_modules', '.bin');
  const isThere = () => existsSync(join(bin, 'lefthook')) && existsSync(join(bin, 'husky'));
  if (isThere()) return bin;
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{ "private": true }\n');
  const npm = join(dirname(process.execPath), 'npm');
  const args = ['install', '--no-audit', '--no-fund', 'husky@9', 'lefthook@2'];
  spawnSync(existsSync(npm) ? npm : 'npm', args, { ...quiet, cwd: cache });
  return isThere() ? bin : null;
}

/** The directory to put on `PYTHONPATH`, from which `python3 -m pre_commit` runs; null where there is no Python or no package index. */
export function preCommit() {
  const folder = join(cache, 'python');
  const isThere = () => existsSync(join(folder, 'pre_commit'));
  if (!isThere()) spawnSync('python3', ['-m', 'pip', 'install', '--quiet', '--target', folder, 'pre-commit'], quiet);
  return isThere() ? folder : null;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = [
    ['husky and lefthook', hookManagers()],
    ['pre-commit', preCommit()],
  ];
  for (const [name, place] of found)
    console.log(place === null ? `${name} could not be had: their tests are skipped` : `${name}: ${place}`);
}
