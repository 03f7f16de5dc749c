import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../sources.mjs';

test('every file that ARCHITECTURE.md names is there', () => {
  const files = execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).split('\n');
  const named = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8').matchAll(/`([\w./-]+\.(?:ts|mjs|c|h))`/g);
  const missing = [...named].map(([, name]) => name).filter((name) => !files.some((file) => `/${file}`.endsWith(`/${name}`)));
  expect(missing).toEqual([]);
});
