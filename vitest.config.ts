import { readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** Rooms by how long their files take, so that a fresh clone, which knows no times yet, does not end on a long one. */
const LONGEST_FIRST = [/\/scenarios\/(storm|real-)/, /\/scenarios\//, /\/apps\//];
const rankOf = ({ moduleId }: TestSpecification): number => {
  const rank = LONGEST_FIRST.findIndex((pattern) => pattern.test(moduleId));
  return rank < 0 ? LONGEST_FIRST.length : rank;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

export default defineConfig({
  define: { PITON_VERSION: JSON.stringify(version) },
  test: {
    include: [
      'packages/*/test/**/*.test.ts',
      'apps/*/test/**/*.test.ts',
      'scenarios/**/*.test.ts',
      'scripts/test/**/*.test.mjs',
      'hooks-library/test/**/*.test.ts',
    ],
    // Most of these tests wait for processes, sockets and clocks; by default there would be one worker on two cores.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // Patience, not a limit that anything is held to: a second is short on a machine that is busy.
    expect: { poll: { timeout: 30_000 } },
  },
});
