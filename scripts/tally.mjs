// Runs vitest and counts the results in its report.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { step, TOOLS } from './step.mjs';

/** More than this is not a busy machine: something is broken. */
const MOST_FILES_TO_REPEAT = 12;

/** Reads vitest's JSON report. A file that could not be loaded has no tests, and counts as one failed test. */
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

/** The closing line for people and CI. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped.length > 0 ? `, ${skipped.length} skipped` : ''}`;
}

/** Everything except tests that drive real agents. `--exclude` does not work: each vitest project has its own. */
export const WITHOUT_AGENTS = ['--project', '!real'];

/** What takes minutes each: storms, the page in Chromium, PostgreSQL, torture, every command on every screen. */
export const BIG = ['--project', 'big*'];

/** The rest. Several projects that are left out leave out none: each is named. */
export const USUAL = ['alone', 'confined', 'together', 'shared'].flatMap((name) => ['--project', name]);

/** The paths of files with failures. */
export const failedFiles = (report) => report.testResults.filter(({ status }) => status === 'failed').map(({ name }) => name);

/** The failed tests, with the first line of the reason. A file that could not be loaded counts by its name. */
export const failuresOf = (report) =>
  report.testResults
    .filter(({ status }) => status === 'failed')
    .flatMap(({ name, message, assertionResults }) => {
      const failed = assertionResults.filter((test) => test.status === 'failed');
      if (failed.length === 0) return [`${name}: ${firstLine(message)}`];
      return failed.map((test) => `${test.fullName.trim()}: ${firstLine(test.failureMessages?.[0])}`);
    });
const firstLine = (text) => (text ?? '').split('\n', 1)[0];

/** One run of vitest: its report, and whether it succeeded. */
function runOnce(name, args, environment) {
  const directory = mkdtempSync(join(tmpdir(), 'piton-tally-'));
  const file = join(directory, 'report.json');
  try {
    const ok = step(
      name,
      [TOOLS.vitest, 'run', '--reporter=default', '--reporter=json', `--outputFile.json=${file}`, ...args],
      environment,
    );
    return { ok, report: JSON.parse(readFileSync(file, 'utf8')) };
  } catch (error) {
    console.log(`${name}: no report, ${error.message}`);
    return { ok: false, report: null };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/**
 * Runs the test files that `args` choose. A run without a report is a failure. With `repeat`, up to twelve failed files run once
 * more alone: what fails again has failed; what passes then counts as passed and is named as unstable, with the reason of its
 * first failure. A test that is named there is a bug to fix, but it does not block other changes.
 */
export function runTests(name, args = [], environment = {}, { repeat = false } = {}) {
  const first = runOnce(name, args, environment);
  if (first.report === null) return { passed: 0, failed: 1, skipped: [], unstable: [] };
  const tally = { ...tallyOf(first.report), unstable: [] };
  // Errors outside any test (an unhandled rejection) fail the run without failing a test.
  if (!first.ok && tally.failed === 0) return { ...tally, failed: 1 };
  const files = failedFiles(first.report);
  if (!repeat || files.length === 0 || files.length > MOST_FILES_TO_REPEAT) return tally;
  const options = args.filter((arg, at) => arg.startsWith('-') || args[at - 1]?.startsWith('-'));
  const second = runOnce(`${name}, once more: ${files.length} failed`, [...files, ...options, '--maxWorkers=1'], environment);
  return settle(first.report, second);
}

/** Combines two runs: the second counts for the files that it ran. */
export function settle(first, second) {
  if (second.report === null || (!second.ok && failedFiles(second.report).length === 0)) return { ...tallyOf(first), unstable: [] };
  const again = new Map(second.report.testResults.map((file) => [file.name, file]));
  const merged = { testResults: first.testResults.map((file) => again.get(file.name) ?? file) };
  const stillFailing = new Set(failedFiles(merged));
  const passedNow = { testResults: first.testResults.filter(({ name }) => !stillFailing.has(name)) };
  return { ...tallyOf(merged), unstable: failuresOf(passedNow) };
}
