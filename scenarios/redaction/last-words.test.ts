import { spawnSync } from 'node:child_process';
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestHome, type TestHome } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';

const SECRET = `ghp${'_'}${'Q7w'.repeat(12)}`;

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => rmSync(home.root, { recursive: true, force: true }));

it.each([
  ['throws', 'throw error'],
  ['breaks a promise', 'Promise.reject(error)'],
])('a server that %s says why without quoting a secret', (_how, failing) => {
  const saboteur = join(home.root, 'saboteur.cjs');
  writeFileSync(saboteur, `const error = new Error('Unexpected token in ${SECRET}');\nsetTimeout(() => { ${failing}; }, 300);\n`);
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--require', saboteur, join(home.places.current, 'server.cjs'), '--home', home.places.home],
    {
      encoding: 'utf8',
      timeout: 100_000,
    },
  );
  expect(status).toBe(1);
  expect(stderr).toMatch(/piton server: .*Unexpected token in \[redacted:github:/);
  expect(stderr).not.toContain(SECRET);
});
