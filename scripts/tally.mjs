// Runs vitest and counts from its own report.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step, TOOLS } from './step.mjs';

/** Reads vitest's JSON report. A file that could not even be loaded holds no test, and counts as one that failed. */
export function tallyOf(report) {
  const unloaded = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  );
  const tests = report.testResults.flatMap((file) => file.assertionResults);
  const count = (...states) => tests.filter((test) => states.includes(test.status)).length;
  return {
    passed: count('passed'),
    failed: count('failed') + unloaded.length,
    skipped: tests.filter((test) => ['pending', 'skipped', 'todo', 'disabled'].includes(test.status)).map((test) => test.fullName.trim()),
  };
}

/** The closing line that people and CI read. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`;
}

/** Everything but what drives real agents. An `--exclude` would not do: each project of vitest has its own. */
export const WITHOUT_AGENTS = ['--project', '!real'];

/** Runs the test files that `args` choose. A run that left no report is a failure. */
export function runTests(name, args = [], environment = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-tally-'));
  const report = join(directory, 'report.json');
  try {
    const ok = step(
      name,
      [TOOLS.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`, ...args],
      environment,
    );
    const tally = tallyOf(JSON.parse(readFileSync(report, 'utf8')));
    // Errors outside any test (an unhandled rejection) fail the run without failing a test.
    return !ok && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
  } catch (error) {
    console.log(`${name}: no report, ${error.message}`);
    return { passed: 0, failed: 1, skipped: [] };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
