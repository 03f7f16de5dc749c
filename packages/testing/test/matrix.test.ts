import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { keep, proofsOf, proofText, readShown, type Shown } from '../src/matrix.ts';

const who = { agent: 'b', version: '1' };
const row = (event: 'stop' | 'session_start', decision: 'deny' | 'observe'): Shown => ({
  ...who,
  row: { event, decision, result: 'verified', assertion: 'x' },
});
const SHOWN: readonly Shown[] = [
  row('stop', 'observe'),
  row('stop', 'deny'),
  row('session_start', 'observe'),
  { ...who, promise: { promise: 'kept', assertion: 'y' } },
  { ...who, processes: { all: 3, ours: 2 } },
  { ...who, agent: 'a', promise: { promise: 'kept', assertion: 'y' } },
];

test('results are grouped by agent, in any order', () => {
  const text = proofText(proofsOf(SHOWN));
  expect(proofText(proofsOf([...SHOWN].reverse()))).toBe(text);
  expect(JSON.parse(text)).toEqual(proofsOf(SHOWN));
  expect(proofsOf(SHOWN)).toMatchObject([
    { agent: 'a', processes: null, rows: [] },
    {
      agent: 'b',
      processes: { all: 3, ours: 2 },
      rows: [
        { event: 'session_start', decision: 'observe' },
        { event: 'stop', decision: 'deny' },
        { event: 'stop', decision: 'observe' },
      ],
    },
  ]);
});

test('results are saved only if the variable is set', () => {
  const directory = mkdtempSync(join(tmpdir(), 'piton-rows-'));
  onTestFinished(() => rmSync(directory, { recursive: true }));
  for (const shown of SHOWN) keep(shown, { PITON_ROWS_TO: directory });
  for (const shown of SHOWN) keep(shown, {});
  expect(readShown(directory)).toEqual(SHOWN);
});
