import { relative } from 'node:path';
import type { LintFinding } from '@piton/artifacts';
import { Command } from 'commander';
import { withCommandName } from '../command-name.ts';
import { type Context, printJson, printLine } from '../context.ts';
import { withExamples } from '../examples.ts';
import { lintTarget } from '../lint/lint-target.ts';
import { countOf, showFindings } from '../lint/show-findings.ts';
import { type LintTarget, targetsAt, targetsHere } from '../lint/targets.ts';
import { hookPlaces } from '../locations.ts';
import { plural } from '../output/text.ts';
import { findHere } from '../programs.ts';

interface Options {
  readonly strict?: boolean;
  readonly json?: boolean;
}

export function lintCommand(context: Context): Command {
  const command = new Command('lint')
    .argument('[path...]', 'Artifacts, folders of artifacts, settings files or executables (default: all hooks active here)')
    .option('--strict', 'Exit 1 on warnings too')
    .option('--json', 'Print JSON')
    .action((paths: string[], options: Options) => run(context, paths, options));
  return withExamples(command, ['lint', 'lint .piton/artifacts/no-force-push', 'lint --strict --json']);
}

function run(context: Context, paths: readonly string[], options: Options): void {
  const all = paths.length > 0 ? paths.flatMap((path) => targetsAt(context, path)) : targetsHere(context, hookPlaces(context));
  const targets = all.filter((target, at) => all.findIndex((other) => other.path === target.path) === at);
  const checker = findHere(context, 'shellcheck');
  const findings = targets.flatMap((target) => lintTarget(target, checker)).map((finding) => near(context, finding));
  const { errors, warnings, words } = countOf(findings);
  if (errors > 0 || (options.strict && warnings > 0)) context.exit.code = 1;
  if (options.json) return printJson(context, { looked: targets.length, errors, warnings, findings });
  showFindings(context, findings);
  printLine(context, withCommandName(context, summary(targets, findings, words)));
}

function summary(targets: readonly LintTarget[], findings: readonly LintFinding[], words: string): string {
  if (targets.length === 0) return 'No hooks here. They are in .piton/ and in your Piton configuration.';
  const looked = plural(targets.length, 'hook file or folder', 'hook files and folders');
  return findings.length === 0 ? `${looked}: no problems` : `${looked}: ${words}`;
}

/** Relative to the current directory, if it is below it. */
function near(context: Context, finding: LintFinding): LintFinding {
  const path = relative(context.cwd, finding.file);
  return path.startsWith('..') || path === '' ? finding : { ...finding, file: path };
}
