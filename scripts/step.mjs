// Runs one program of this workspace and prints how long it took.
import { spawnSync } from 'node:child_process';
import { ROOT } from './sources.mjs';

/** Runs `argv` with this Node. Resolves to the exit code. */
export function step(name, argv, environment = {}) {
  const started = Date.now();
  console.log(`\n── ${name}`);
  const { status, error } = spawnSync(process.execPath, argv, { cwd: ROOT, stdio: 'inherit', env: { ...process.env, ...environment } });
  const ok = !error && status === 0;
  console.log(`── ${name}: ${ok ? 'ok' : `failed${error ? `, ${error.message}` : ''}`} (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  return ok;
}

/** The script behind a command that a dependency installs. */
export const TOOLS = {
  biome: 'node_modules/@biomejs/biome/bin/biome',
  knip: 'node_modules/knip/bin/knip.js',
  tsc: 'node_modules/typescript/bin/tsc',
  vitest: 'node_modules/vitest/vitest.mjs',
};
