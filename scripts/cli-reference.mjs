// Writes docs/cli.md from the command tree of the built command. With `--check` it only reports whether it is stale.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const page = join(root, 'docs', 'cli.md');
const { status, stdout, stderr } = spawnSync(process.execPath, [join(root, 'dist', 'cli.mjs'), 'reference'], {
  encoding: 'utf8',
  env: { ...process.env, NO_COLOR: '1' },
});

if (status !== 0) {
  console.error(`cli-reference: the command could not be run; build it first (npm run build)\n${stderr}`);
  process.exitCode = 1;
} else if (!process.argv.includes('--check')) {
  writeFileSync(page, stdout);
  console.log('cli-reference: wrote docs/cli.md');
} else if (!existsSync(page) || readFileSync(page, 'utf8') !== stdout) {
  console.error('cli-reference: docs/cli.md is stale; run node scripts/cli-reference.mjs');
  process.exitCode = 1;
} else {
  console.log('cli-reference: docs/cli.md is fresh');
}
