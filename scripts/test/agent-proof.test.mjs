import { expect, test } from 'vitest';
import { difference } from '../agent-proof.mjs';

test('a row that no run has shown, and one that is not committed, are both named', () => {
  const text = (...rows) => `[\n${rows.map((row) => `  ${row}`).join(',\n')}\n]\n`;
  expect(difference(text('a', 'b'), text('a', 'b'))).toEqual([]);
  expect(difference(text('a', 'b'), text('b', 'c'))).toEqual(['not shown in this run: a', 'not committed: c']);
});
