import { type Ran, saying } from './hook-run.ts';
import type { Part } from './reduce.ts';

/** No agent takes a changed input for one file of several: the change is none, and the trace tells. */
export function withoutModify(ran: Ran): Ran {
  const decisions = ran.answer.part.decisions.filter(({ decision }) => decision !== 'modify');
  if (decisions.length === ran.answer.part.decisions.length) return ran;
  return saying(ran, decisions, 'said modify, which has no effect on a call that edits several files');
}

/** What a hook said of each file, as one. Any deny denies the call; an allow counts only if it was said of every file. */
export function aboutAllFiles(parts: readonly Part[], files: number): Part {
  const allowed = parts.filter((part) => part.decisions.some(({ decision }) => decision === 'allow')).length;
  const decisions = parts.flatMap((part) => part.decisions).filter(({ decision }) => decision !== 'allow' || allowed === files);
  const messages = parts.flatMap((part) => part.userMessage ?? []);
  return {
    decisions,
    ...(messages.length > 0 && { userMessage: [...new Set(messages)].join('\n') }),
    ...(parts.some((part) => part.endRun) && { endRun: true }),
  };
}
