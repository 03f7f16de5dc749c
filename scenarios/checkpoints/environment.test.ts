import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Stage } from '../repository-setup.ts';

let stage: Stage;
const { PATH } = process.env;
beforeAll(() => {
  stage = new Stage();
  const real = execFileSync('/bin/sh', ['-c', 'command -v git'], { encoding: 'utf8' }).trim();
  const noted = '$PITON_HOME|$MALLOC_ARENA_MAX|$MALLOC_TRIM_THRESHOLD_';
  mkdirSync(join(stage.root, 'bin'));
  writeFileSync(join(stage.root, 'bin/git'), `#!/bin/sh\necho "${noted}" >> '${stage.root}/seen'\nexec '${real}' "$@"\n`, { mode: 0o755 });
  process.env.PATH = `${join(stage.root, 'bin')}:${PATH}`;
});
afterAll(() => {
  process.env.PATH = PATH;
  stage.end();
});

it('git, which the server starts, has the memory habits of any program', async () => {
  expect(stage.piton('init', '--yes', '--agent', 'claude').status).toBe(0);
  await stage.turn('s', 'Write a file', 'b.txt', 'two\n');
  stage.settle();
  const lines = readFileSync(join(stage.root, 'seen'), 'utf8').trim().split('\n');
  // Only the command was told where Piton's home is.
  expect([...new Set(lines.filter((line) => line.startsWith('|')))]).toEqual(['||']);
});
