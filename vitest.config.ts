import { readFileSync } from 'node:fs';
import { defineConfig } from 'vitest/config';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

export default defineConfig({
  define: { PITON_VERSION: JSON.stringify(version) },
  test: {
    include: ['packages/*/test/**/*.test.ts', 'apps/*/test/**/*.test.ts', 'scenarios/**/*.test.ts', 'scripts/test/**/*.test.mjs'],
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
