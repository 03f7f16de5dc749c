import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { watched } from '../../src/registry/watched.ts';
import { temporary } from '../scenery.ts';

const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

/** Many file systems count time in steps of 4 ms or more: within one, a second change shows in no stat. */
it('a file that was just written is read at each look, since its times may not show the next change', () => {
  const path = join(temporary(), 'file');
  for (let attempt = 0; attempt < 50; attempt++) {
    let reads = 0;
    const look = watched('absent', () => `read ${++reads}`);
    const from = Date.now();
    writeFileSync(path, String(attempt));
    const seen = [look(path), look(path), look(path)];
    // Only where the machine was quick enough to make all three looks while the file was young.
    if (Date.now() - from < 25) return expect(seen).toEqual(['read 1', 'read 2', 'read 3']);
  }
  throw new Error('this machine never made three looks in 25 ms');
});

it('a file that has settled is read once', async () => {
  const path = join(temporary(), 'file');
  writeFileSync(path, 'x');
  await wait(150);
  let reads = 0;
  const look = watched('absent', () => `read ${++reads}`);
  expect([look(path), look(path)]).toEqual(['read 1', 'read 1']);
  look.forget();
  expect(look(path)).toBe('read 2');
  expect(look(`${path}.not`)).toBe('absent');
});
