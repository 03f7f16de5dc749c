// All checks that need no test run.
import { pathToFileURL } from 'node:url';
import { step, TOOLS } from './step.mjs';
import { settleUsage } from './usage.mjs';

const CHECKS = [
  ['types', [TOOLS.tsc, '-p', '.']],
  ['types of the page', [TOOLS.tsc, '-p', 'apps/dashboard']],
  ['lint', [TOOLS.biome, 'lint', '--error-on-warnings', '.']],
  ['format', [TOOLS.biome, 'format', '.']],
  ['package rules', ['scripts/package-rules.mjs']],
  ['lockfile', ['scripts/lockfile.mjs']],
  ['dead code', [TOOLS.knip, '--no-progress']],
  ['schemas are fresh', ['scripts/schemas.mjs', '--check']],
  ['the page of agents is fresh', ['scripts/pages.mjs', '--check']],
  ['the page of the payload is fresh', ['scripts/payload-page.mjs', '--check']],
  ['the page of redaction is fresh', ['scripts/redaction-page.mjs', '--check']],
  ['the page of the structure is fresh', ['scripts/structure-page.mjs', '--check']],
  ['the counts of the guards are fresh', ['scripts/guard-counts.mjs', '--check']],
  ['the counts of the library are fresh', ['scripts/library-counts.mjs', '--check']],
  ['the plugin is fresh', ['scripts/plugin.mjs', '--check']],
  ['the page of commands is fresh', ['scripts/cli-reference.mjs', '--check']],
];

/** Runs all, and returns the names of those that failed. */
export function runChecks() {
  return CHECKS.filter(([name, argv]) => !step(name, argv)).map(([name]) => name);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  settleUsage('usage: npm run check', []);
  const failed = runChecks();
  console.log(failed.length === 0 ? '\nall checks passed' : `\nfailed: ${failed.join(', ')}`);
  process.exitCode = failed.length === 0 ? 0 : 1;
}
