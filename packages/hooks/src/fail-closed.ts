import type { Decision, SkipReason } from '@piton/contracts';
import { COMMAND_NAME, nameCommand } from '@piton/contracts/command';
import type { HookDefinition } from './definition.ts';
import { type Ran, withDecisions } from './hook-run.ts';

/** What is said for a policy that could not say it: which one, why, and what a person can do. */
export function denyFor(hook: HookDefinition, why: string, command = (): string => COMMAND_NAME): Decision {
  // A hook of somebody's own loop lies in no file that Piton knows of.
  const where = hook.source === '' ? '' : ` Source: ${hook.source}. ${nameCommand('For details: piton doctor', command)}`;
  return { decision: 'deny', reason: `Denied because the hook ${hook.name} is fail_closed and did not answer: ${why}.${where}` };
}

interface Reader {
  readonly deniable: boolean;
  readonly command?: () => string;
}

/** A policy whose run failed denies, where the event can be denied. */
export function closedOnFailure(hook: HookDefinition, ran: Ran, { deniable, command }: Reader): Ran {
  if (!hook.failClosed || !deniable || ran.answer.failed === undefined) return ran;
  return withDecisions(ran, [...ran.answer.part.decisions, denyFor(hook, ran.answer.note ?? ran.answer.failed, command)]);
}

const SKIP_WORDS: Partial<Record<SkipReason, string>> = {
  'out-of-budget': 'no time was left for it',
  'child-run': 'hooks are nested too deeply',
  aborted: 'the caller gave up',
};

export const describeSkip = (why: SkipReason, note: string | undefined): string => note ?? SKIP_WORDS[why] ?? why;
