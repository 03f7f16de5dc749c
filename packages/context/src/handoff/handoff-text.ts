import { relative } from 'node:path';
import { blockOf, type Line } from '../text/block.ts';
import { quote, quoteEnd } from '../text/quote.ts';
import type { CommandFact, Handoff } from './handoff.ts';

/** Of one kind: what comes after these is counted. */
const MOST = 15;

/** The handoff as a model reads it: the most recent and the unfinished first, within the limit. Undefined if nothing was done. */
export function handoffText(handoff: Handoff, maxTokens: number): string | undefined {
  return blockOf(`what this session has done so far (${handoff.agent} ${handoff.ref.slice(0, 8)}).`, handoffLines(handoff), maxTokens);
}

/** Without a frame, for texts that hold more than this. */
export function handoffLines(handoff: Handoff): Line[] {
  const { goal, files = [], commands = [], commits = [], denials = [], choices = [], todos = [], next, failure } = handoff;
  const base = handoff.repo ?? handoff.projectPath;
  const place = (path: string): string => quote(path.startsWith(`${base}/`) ? relative(base, path) : path, 160);
  const open = commands.filter(({ ok }) => ok === false);
  const tests = commands.filter((command) => command.purpose === 'test' && command.ok !== false);
  const others = commands.filter(({ purpose, ok }) => purpose !== 'test' && ok !== false);
  return [
    ...(goal ? [{ text: `Last prompt: ${quote(goal.text, 400)} [${goal.eventId}]`, rank: 0 }] : []),
    ...(failure ? [{ text: `The last turn failed: ${failure.cause}${failure.text ? ` ${quote(failure.text, 160)}` : ''}`, rank: 1 }] : []),
    ...some(
      todos,
      1,
      ({ text, status, eventId }) => `Open to-do${status === 'active' ? ' (begun)' : ''}: ${quote(text, 160)} [${eventId}]`,
    ),
    ...(next?.from === 'answer' ? [{ text: `Last answer ended: ${quoteEnd(next.text, 300)} [${next.eventId}]`, rank: 3 }] : []),
    ...some(open, 2, (command) => `Failed: ${commandText(command)}`),
    ...some(
      commits,
      2,
      ({ sha, subject, eventId }) => `Committed: ${sha.slice(0, 12)}${subject ? ` ${quote(subject, 120)}` : ''} [${eventId}]`,
    ),
    ...some(tests, 2, (command) => `Tests: ${commandText(command)}`),
    ...some(files, 3, ({ path, times, eventId }) => `Wrote: ${place(path)}${times > 1 ? ` (${times} times)` : ''} [${eventId}]`),
    ...some(
      denials,
      4,
      ({ tool, what, reason, eventId }) =>
        `Denied: ${tool ?? 'a request'} ${quote(what, 120)}${reason ? ` because ${quote(reason, 120)}` : ''} [${eventId}]`,
    ),
    ...some(choices, 4, ({ question, answer, eventId }) => `The user chose: ${quote(question, 120)} → ${quote(answer, 160)} [${eventId}]`),
    ...some(others, 5, (command) => `Ran: ${commandText(command)}`),
  ];
}

export function commandText({ command, exitCode, ok, detail, eventId }: CommandFact): string {
  const end = exitCode !== null ? `exit ${exitCode}` : ok === null ? 'end unknown' : ok ? 'succeeded' : 'failed';
  return `${quote(command, 160)} → ${end}${detail ? `, ${quoteEnd(detail, 120)}` : ''} [${eventId}]`;
}

/** The newest come first, and the later ones are the first to be left out. */
const some = <T>(all: readonly T[], rank: number, text: (one: T) => string): Line[] =>
  all.slice(0, MOST).map((one, at) => ({ text: text(one), rank: rank + at / 5 }));
