import type { LintContext, Rule, Subject } from './context.ts';
import type { LintFinding } from './finding.ts';
import { undeclaredRule } from './rules/commands.ts';
import { decisionRule, exitRule } from './rules/decisions.ts';
import { eventRule } from './rules/event.ts';
import { jqDefaultRule } from './rules/jq.ts';
import { deadAlternativeRule, deadMatcherRule, ignoredMatcherRule, kindMatcherRule } from './rules/matcher.ts';
import { partialEventRule } from './rules/partial-event.ts';
import { descriptionRule, longActionRule, sandboxRule } from './rules/plain.ts';
import { schemaRule, unknownFieldRule } from './rules/schema.ts';
import { scriptsRule } from './rules/scripts.ts';
import { targetEventRule } from './rules/target-event.ts';
import { deadConditionRule } from './rules/when.ts';

/** Checked wherever a hook is read, in addition to the checks of its fields. */
const ENTRY_ERRORS: readonly Rule[] = [eventRule, targetEventRule, scriptsRule, deadMatcherRule, deadConditionRule];
const ERRORS: readonly Rule[] = [schemaRule, ...ENTRY_ERRORS];
const WARNINGS: readonly Rule[] = [
  unknownFieldRule,
  descriptionRule,
  longActionRule,
  sandboxRule,
  ignoredMatcherRule,
  deadAlternativeRule,
  kindMatcherRule,
  undeclaredRule,
  jqDefaultRule,
  decisionRule,
  exitRule,
  partialEventRule,
];

const found = (severity: LintFinding['severity'], rules: readonly Rule[], subject: Subject, context: LintContext): LintFinding[] =>
  rules.flatMap((rule) => rule(subject, context)).map((each) => ({ severity, ...each }));

/** Why a hook cannot be used, in addition to the errors of its fields. */
export const errorsOf = (subject: Subject, context: LintContext): LintFinding[] => found('error', ENTRY_ERRORS, subject, context);

/** All findings about a hook, by line. */
export function lintSubject(subject: Subject, context: LintContext): LintFinding[] {
  return inOrder([...found('error', ERRORS, subject, context), ...found('warning', WARNINGS, subject, context)]);
}

export const inOrder = (findings: readonly LintFinding[]): LintFinding[] =>
  [...findings].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
