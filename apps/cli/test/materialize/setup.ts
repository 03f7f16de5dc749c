import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Sandbox } from '@piton/hooks';
import { onTestFinished } from 'vitest';
import type { Context } from '../../src/context.ts';
import { findArtifact } from '../../src/materialize/artifact.ts';
import type { MaterializeTarget } from '../../src/materialize/plan.ts';

export const ARTIFACTS = join(import.meta.dirname, 'artifacts');
export const SEED = join(import.meta.dirname, '..', '..', '..', '..', 'scenarios', 'artifacts', 'samples');

export function newDirectory(): string {
  const directory = realpathSync(mkdtempSync(join(tmpdir(), 'piton-materialize-')));
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }));
  return directory;
}

/** The part of a context that finding an artifact needs. */
export const artifactAt = (folder: string) => findArtifact({ cwd: '/', env: { HOME: '/nowhere' } } as unknown as Context, folder);

const NO_SANDBOX: Sandbox = { problem: () => 'there is none', confine: () => ({ refused: 'there is none' }) };

export const targetIn = (base: string, more: Partial<MaterializeTarget> = {}): MaterializeTarget => ({
  scope: 'project',
  base,
  env: {},
  path: process.env.PATH,
  sandbox: NO_SANDBOX,
  platform: 'linux',
  allowMissing: true,
  ...more,
});
