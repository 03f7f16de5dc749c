import type { LintFinding } from './finding.ts';
import { eventRule } from './rules/event.ts';
import { schemaRule, unknownFieldRule } from './rules/schema.ts';
import type { LintWorld, Rule, Subject } from './world.ts';

const ERRORS: readonly Rule[] = [schemaRule, eventRule];
const WARNINGS: readonly Rule[] = [unknownFieldRule];

const found = (severity: LintFinding['severity'], rules: readonly Rule[], subject: Subject, world: LintWorld): LintFinding[] =>
  rules.flatMap((rule) => rule(subject, world)).map((each) => ({ severity, ...each }));

/** Why a hook cannot be taken in. */
export const errorsOf = (subject: Subject, world: LintWorld): LintFinding[] => found('error', ERRORS, subject, world);

/** All that can be said of a hook as it is written, in the order of its lines. */
export function lintSubject(subject: Subject, world: LintWorld): LintFinding[] {
  return inOrder([...errorsOf(subject, world), ...found('warning', WARNINGS, subject, world)]);
}

export const inOrder = (findings: readonly LintFinding[]): LintFinding[] =>
  [...findings].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
