import { type DecisionName, ruleOf } from '@piton/contracts';
import { type Ran, withDecisions } from './hook-run.ts';
import type { Part } from './reduce.ts';

/** No agent takes a changed input for one file of several: the change is dropped, and the trace shows it. */
export function withoutModify(ran: Ran): Ran {
  const decisions = ran.answer.part.decisions.filter(({ decision }) => ruleOf(decision).severalFiles !== 'none');
  if (decisions.length === ran.answer.part.decisions.length) return ran;
  return withDecisions(ran, decisions, 'returned modify, which has no effect on a call that edits several files');
}

/** What a hook answered for each file, as one. Any deny denies the call; an allow counts only if it was given for every file. */
export function aboutAllFiles(parts: readonly Part[], files: number): Part {
  const timesGiven = (name: DecisionName): number =>
    parts.filter((part) => part.decisions.some(({ decision }) => decision === name)).length;
  const decisions = parts
    .flatMap((part) => part.decisions)
    .filter(({ decision }) => ruleOf(decision).severalFiles !== 'every' || timesGiven(decision) === files);
  const messages = parts.flatMap((part) => part.userMessage ?? []);
  return {
    decisions,
    ...(messages.length > 0 && { userMessage: [...new Set(messages)].join('\n') }),
    ...(parts.some((part) => part.endRun) && { endRun: true }),
  };
}
