import { spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { expect, it } from 'vitest';
import { CLI } from './sandbox.ts';

it('docs/cli.md is what the command says of itself', () => {
  const said = spawnSync(process.execPath, [resolve(CLI, '../../scripts/cli-reference.mjs'), '--check'], { encoding: 'utf8' });
  expect(said.stderr).toBe('');
  expect(said.status).toBe(0);
});
