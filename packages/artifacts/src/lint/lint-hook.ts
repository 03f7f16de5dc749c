import type { LintFinding } from './finding.ts';
import { undeclaredRule } from './rules/commands.ts';
import { decisionRule, exitRule } from './rules/decisions.ts';
import { eventRule } from './rules/event.ts';
import { jqDefaultRule } from './rules/jq.ts';
import { deadAlternativeRule, deadMatcherRule, ignoredMatcherRule, kindMatcherRule } from './rules/matcher.ts';
import { descriptionRule, longActionRule, sandboxRule } from './rules/plain.ts';
import { schemaRule, unknownFieldRule } from './rules/schema.ts';
import { scriptsRule } from './rules/scripts.ts';
import { targetEventRule } from './rules/target-event.ts';
import { deadConditionRule } from './rules/when.ts';
import type { LintWorld, Rule, Subject } from './world.ts';

/** Beyond what the reader of fields says by itself, wherever a hook is read. */
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
];

const found = (severity: LintFinding['severity'], rules: readonly Rule[], subject: Subject, world: LintWorld): LintFinding[] =>
  rules.flatMap((rule) => rule(subject, world)).map((each) => ({ severity, ...each }));

/** Why a hook cannot be taken in, besides what the reader of its fields says. */
export const errorsOf = (subject: Subject, world: LintWorld): LintFinding[] => found('error', ENTRY_ERRORS, subject, world);

/** All that can be said of a hook as it is written, in the order of its lines. */
export function lintSubject(subject: Subject, world: LintWorld): LintFinding[] {
  return inOrder([...found('error', ERRORS, subject, world), ...found('warning', WARNINGS, subject, world)]);
}

export const inOrder = (findings: readonly LintFinding[]): LintFinding[] =>
  [...findings].sort((a, b) => (a.file < b.file ? -1 : a.file > b.file ? 1 : a.line - b.line));
