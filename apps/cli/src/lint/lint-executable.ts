import { basename, dirname } from 'node:path';
import { type LintFinding, lintExecutable } from '@piton/artifacts';
import { parseEventName } from '@piton/contracts';
import { LINT_CONTEXT } from './lint-context.ts';
import { readLintFile } from './lint-folder.ts';

/** Lints a program in a directory that is named after its event. */
export function lintProgram(file: string): readonly LintFinding[] {
  const found = readLintFile(dirname(file), basename(file));
  const event = parseEventName(basename(dirname(file)));
  // On events that Piton emits nothing can be denied, so there is nothing to check.
  if (event === undefined) return [];
  if (found === undefined)
    return [{ severity: 'error', rule: 'unreadable', file, line: 1, what: 'it is not a regular file that can be read, so it never runs' }];
  return lintExecutable({ file, event, ...found, context: LINT_CONTEXT });
}
