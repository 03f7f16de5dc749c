import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { ROOT } from '../sources.mjs';
import { costsOf, costTable } from '../test-cpu.mjs';

const directory = mkdtempSync(join(tmpdir(), 'piton-test-cpu-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

it('adds up what a file cost, the costliest first', () => {
  const lines = [
    { file: 'a', self: 100, children: 0 },
    { file: 'b', self: 50, children: 250 },
    { file: 'a', self: 20, children: 30 },
  ];
  expect(costsOf(lines.map((line) => JSON.stringify(line)).join('\n'))).toEqual([
    { file: 'b', self: 0.5, children: 2.5 },
    { file: 'a', self: 1.2, children: 0.3 },
  ]);
});

it('shows the costliest and the sum of all', () => {
  const costs = [
    { file: 'b', self: 0.5, children: 2.5 },
    { file: 'a', self: 1.2, children: 0.3 },
  ];
  expect(costTable(costs, 1).split('\n').slice(1)).toEqual(['     3.0     0.5     2.5  b', '     4.5  of 2 files']);
});

it('is written by every test file while PITON_TEST_CPU names a report', () => {
  const report = join(directory, 'report');
  const file = 'scripts/test/soak.test.mjs';
  execFileSync(process.execPath, ['node_modules/vitest/vitest.mjs', 'run', file], {
    cwd: ROOT,
    env: { ...process.env, PITON_TEST_CPU: report },
    stdio: 'pipe',
  });
  expect(costsOf(readFileSync(report, 'utf8')).map((cost) => cost.file)).toEqual([join(ROOT, file)]);
});
