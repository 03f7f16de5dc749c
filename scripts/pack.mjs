// npm run pack: puts the published packages together in dist/packages, and their tarballs with checksums in dist/tarballs.
import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { parseArgs } from 'node:util';
import { stageCli } from './package/cli.mjs';
import { stageContracts } from './package/contracts.mjs';
import { stageHooks } from './package/hooks.mjs';
import { emptyFolder, packStage } from './package/staging.mjs';
import { ROOT } from './sources.mjs';
import { step } from './step.mjs';
import { settleUsage } from './usage.mjs';

const PACKAGES = { cli: stageCli, hooks: stageHooks, contracts: stageContracts };

settleUsage(
  `usage: npm run pack [-- --out <directory>]

Builds, puts the packages together in dist/packages (npm pack and npm publish work there), and writes their tarballs and SHA256SUMS.
The same commit gives the same bytes.

  --out <directory>  where the tarballs go (default dist/tarballs)`,
  ['--out'],
);
const { values } = parseArgs({ options: { out: { type: 'string', default: join(ROOT, 'dist', 'tarballs') } } });

async function main() {
  if (!step('build', ['scripts/build.mjs'])) throw new Error('the build failed');
  const out = emptyFolder(values.out);
  const files = [];
  for (const [name, stage] of Object.entries(PACKAGES)) files.push(packStage(await stage(join(ROOT, 'dist', 'packages', name)), out));
  const sums = files.map((file) => `${createHash('sha256').update(readFileSync(file)).digest('hex')}  ${basename(file)}\n`);
  writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
  for (const file of files) console.log(`${file} (${statSync(file).size} bytes)`);
}

main().catch((error) => {
  console.error(`pack: ${error.message}`);
  process.exitCode = 1;
});
