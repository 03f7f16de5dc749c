import type { LintFinding } from '@piton/artifacts';
import { withCommandName } from '../command-name.ts';
import { type Context, printLine } from '../context.ts';
import { oneLine, plural } from '../output/text.ts';

/** Grouped by file, each with its line, so that a terminal can jump there. */
export function showFindings(context: Context, findings: readonly LintFinding[]): void {
  const { paint } = context;
  for (const file of new Set(findings.map((finding) => finding.file))) {
    printLine(context, paint('bold', oneLine(file)));
    for (const { severity, line, rule, what, remedy } of findings.filter((finding) => finding.file === file)) {
      const mark = severity === 'error' ? paint('red', 'error') : paint('yellow', 'warning');
      printLine(context, `  ${oneLine(file)}:${line}  ${mark}  ${oneLine(what)}  ${paint('dim', rule)}`);
      if (remedy !== undefined) printLine(context, paint('dim', `    → ${oneLine(withCommandName(context, remedy))}`));
    }
    printLine(context);
  }
}

export function countOf(findings: readonly LintFinding[]): { errors: number; warnings: number; words: string } {
  const errors = findings.filter(({ severity }) => severity === 'error').length;
  const warnings = findings.length - errors;
  return { errors, warnings, words: `${plural(errors, 'error')}, ${plural(warnings, 'warning')}` };
}
