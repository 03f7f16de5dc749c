import type { RunFailure, Scope, SkipReason } from '../outcome.ts';

// The words of an outcome as values, for schemas. The types are checked against them both ways by the tests of the schemas.
export const RUN_FAILURES = ['exit', 'timeout', 'spawn', 'unreadable', 'crash', 'lost'] as const satisfies readonly RunFailure[];
export const SCOPES = ['user', 'project', 'local'] as const satisfies readonly Scope[];
export const SKIP_REASONS = [
  'disabled',
  'no-match',
  'not-trusted',
  'not-executable',
  'broken',
  'truncated',
  'out-of-budget',
  'child-run',
  'agent-not-targeted',
  'late',
  'repeated',
  'aborted',
] as const satisfies readonly SkipReason[];
