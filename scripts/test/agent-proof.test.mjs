import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { difference, settleProof } from '../agent-proof.mjs';
import { ROOT } from '../sources.mjs';

test('a row that no run has shown, and one that is not committed, are both named', () => {
  const text = (...rows) => `[\n${rows.map((row) => `  ${row}`).join(',\n')}\n]\n`;
  expect(difference(text('a', 'b'), text('a', 'b'))).toEqual([]);
  expect(difference(text('a', 'b'), text('b', 'c'))).toEqual(['not shown in this run: a', 'not committed: c']);
});

test('what nobody drives any more is missed', async () => {
  const nothing = mkdtempSync(join(tmpdir(), 'piton-rows-'));
  onTestFinished(() => rmSync(nothing, { recursive: true }));
  const committed = JSON.parse(readFileSync(join(ROOT, 'packages/agents/src/proven.json'), 'utf8'));
  const rows = committed.flatMap(({ rows }) => rows).length;
  const missed = await settleProof(nothing, { write: false, only: [] });
  expect(rows).toBeGreaterThan(0);
  expect(missed.filter((line) => line.startsWith('not shown in this run: {"event"')).length).toBe(rows);
  // Chosen agents leave the others alone.
  const [first] = committed;
  const some = await settleProof(nothing, { write: false, only: [first.agent] });
  expect(some.filter((line) => line.startsWith('not shown in this run: {"event"')).length).toBe(first.rows.length);
});
