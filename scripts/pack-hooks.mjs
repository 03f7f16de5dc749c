// The tarball of @piton/hooks alone, for tests and benches. `npm run pack` makes those of all packages.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stageHooks } from './package/hooks.mjs';
import { packStage } from './package/staging.mjs';

/** @returns the path of the tarball */
export async function packHooks(out) {
  const staging = mkdtempSync(join(tmpdir(), 'piton-pack-'));
  try {
    return packStage(await stageHooks(join(staging, 'hooks')), out);
  } finally {
    rmSync(staging, { recursive: true, force: true });
  }
}
