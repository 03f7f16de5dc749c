import { accessSync, chmodSync, constants, mkdirSync, readFileSync, statfsSync } from 'node:fs';
import { availableParallelism, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const { version } = JSON.parse(readFileSync(new URL('package.json', import.meta.url), 'utf8')) as { version: string };

/** Packages by how long their files take, so that a fresh clone, which knows no times yet, does not end on a long one. */
const LONGEST_FIRST = [/\/scenarios\/(storm|real-)/, /\/scenarios\//, /\/apps\//];
/** A worker is kept while the next file is of its project: so those of one project stand together, the slowest project first. */
const PROJECTS = ['real', 'big-storm', 'big-page', 'big', 'alone', 'confined', 'together', 'shared'];
const rankOf = ({ moduleId, project }: TestSpecification): number => {
  const rank = LONGEST_FIRST.findIndex((pattern) => pattern.test(moduleId));
  return PROJECTS.indexOf(project.name) * 10 + (rank < 0 ? LONGEST_FIRST.length : rank);
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    return (await super.sort(files)).sort((a, b) => rankOf(a) - rankOf(b));
  }
}

/**
 * Suites that leave nothing of the process changed: no variable, no working directory, no global. They share threads and modules.
 * None of them opens a store: on Node 20 its native module may abort the process when a thread ends. None counts the processor's
 * time: that is the whole process's.
 */
const SHARED = ['agents', 'artifacts', 'contracts', 'git', 'shell'].map((name) => `packages/${name}/test/**/*.test.ts`);

/** Driven by `npm run test:agents`; `npm test` leaves the project out. */
const REAL = ['scenarios/real-*/**/*.test.ts'];

// Driven by `npm run test:big`, and `npm test` leaves them out: minutes of processor time each, or a whole machine.
/** In a browser: each file has one, and a home with a server. */
const PAGE = ['scenarios/page/**/*.test.ts'];
/** Storms of events, with servers that are killed. */
const STORM = ['scenarios/storm/**/*.test.ts'];
/** PostgreSQL, days of torture, every command on every screen. */
const BIG = [
  'packages/checkpoints/test/*torture.test.ts',
  'packages/checkpoints/test/{brought-back,in-the-way}.test.ts',
  'packages/store/test/postgres/**/*.test.ts',
  'scenarios/hostile/{every-command,screens}.test.ts',
  'scenarios/team/**/*.test.ts',
];

/**
 * In processes that share modules from file to file, and the resident command (see `runPiton`). Each file puts back what it changes of
 * its process. What a module keeps that files share is kept for all of them, and removed by none.
 */
const TOGETHER = [
  'packages/*/test/**/*.test.ts',
  'apps/*/test/**/*.test.ts',
  'scripts/test/**/*.test.mjs',
  'hooks-library/test/**/*.test.ts',
  'scenarios/**/*.test.ts',
];

/** It replaces a global for good. */
const ALONE = ['apps/client/test/port.test.ts'];

/** What is confined has a /dev of its own, and a guard takes what lies below /dev for a device: their files lie on the disk. */
const CONFINED = [
  'apps/cli/test/materialize/confinement.test.ts',
  'scenarios/{hooks-library,hooks-live,hooks-test,inside-bubblewrap}/**/*.test.ts',
  'scenarios/subscriptions/events.test.ts',
];

/** Room for the homes and repositories of all workers: thousands of small files, none of which anybody reads twice. */
const ENOUGH_BYTES = 2 * 1024 ** 3;

/** Memory, where it may be written and has room; else wherever temporary files are. */
function temporaryInMemory(): { TMPDIR?: string } {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm');
    if (bavail * bsize < ENOUGH_BYTES) return {};
    const directory = join('/dev/shm', `piton-tests-${userInfo().uid}`);
    mkdirSync(directory, { recursive: true });
    accessSync(directory, constants.W_OK);
    chmodSync(directory, 0o755); // as /tmp lets others through: what keeps them out is what is tested
    return { TMPDIR: directory };
  } catch {
    return {};
  }
}

/** What workers make once for all of them. `scripts/test-templates.mjs` removes it at the end of the run. */
process.env.PITON_TEST_TEMPLATES ??= join(temporaryInMemory().TMPDIR ?? tmpdir(), `piton-templates-${process.pid}`);

/** Node reads all these certificates when it starts, which takes longer than the rest. Only real agents may ask the network. */
if (process.argv.includes('!real')) delete process.env.NODE_EXTRA_CA_CERTS;

/** `npm run soak` makes everything slower on purpose; nothing is held to a time, but a hang must still end. */
const patience = Number(process.env.PITON_TEST_PATIENCE ?? 1);

export default defineConfig({
  define: { PITON_VERSION: JSON.stringify(version) },
  test: {
    // Most of these tests wait for processes, sockets and clocks; by default there would be one worker on two cores.
    maxWorkers: 2 * availableParallelism(),
    sequence: { sequencer: LongestFirst },
    globalSetup: ['scripts/test-templates.mjs'],
    setupFiles: process.env.PITON_TEST_CPU === undefined ? [] : ['scripts/cpu-meter.mjs'],
    testTimeout: 120_000 * patience,
    hookTimeout: 120_000 * patience,
    // Patience, not a limit that anything is held to: a second is short on a machine that is busy. See `eventually`.
    // Some polls start the command: what they wait for has to run on the same machine.
    expect: { poll: { timeout: 100_000 * patience, interval: 100 } },
    projects: [
      { extends: true, test: { name: 'shared', include: SHARED, pool: 'threads', isolate: false } },
      {
        extends: true,
        test: {
          name: 'together',
          include: TOGETHER,
          exclude: ['**/node_modules/**', ...SHARED, ...ALONE, ...CONFINED, ...PAGE, ...STORM, ...BIG, ...REAL],
          isolate: false,
          env: temporaryInMemory(),
        },
      },
      { extends: true, test: { name: 'confined', include: CONFINED, isolate: false } },
      { extends: true, test: { name: 'alone', include: ALONE, env: temporaryInMemory() } },
      { extends: true, test: { name: 'big', include: BIG, isolate: false, env: temporaryInMemory() } },
      { extends: true, test: { name: 'big-page', include: PAGE, env: temporaryInMemory() } },
      { extends: true, test: { name: 'big-storm', include: STORM, env: temporaryInMemory() } },
      { extends: true, test: { name: 'real', include: REAL } },
    ],
  },
});
