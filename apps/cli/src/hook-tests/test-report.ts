import type { CanonicalEvent, NativeAnswer } from '@piton/contracts';
import type { Context } from '../context.ts';
import { decisionColour } from '../events/row.ts';
import { fitLines } from '../output/fit.ts';
import { oneLine, printable, shortLine, truncate } from '../output/text.ts';
import { formatDuration } from '../output/time.ts';
import type { CaseFile } from './cases.ts';
import type { AgentPayload } from './payloads.ts';
import { type Trial, trialDecision } from './trial.ts';

export type Tested =
  | { readonly of: 'payload'; readonly agent: string; readonly payload: AgentPayload; readonly trial: Trial }
  | { readonly of: 'none'; readonly agent: string; readonly why: string }
  | {
      readonly of: 'case';
      readonly agent: string;
      readonly filed: CaseFile;
      readonly trial: Trial;
      readonly difference: string | undefined;
    };

export const isFailed = (one: Tested): boolean =>
  one.of === 'case'
    ? one.difference !== undefined || one.trial.failure !== undefined
    : one.of === 'payload' && one.trial.failure !== undefined;

/** What an event is about, on one line. */
export function eventSubject(event: CanonicalEvent): string {
  const { tool } = event;
  const what = tool?.command ?? tool?.files.join(', ') ?? event.prompt ?? event.source ?? event.text ?? '';
  return oneLine([tool?.name, what || event.source].filter(Boolean).join('  ').replaceAll(`${event.cwd}/`, ''));
}

/** The same call of a subagent is another payload. */
const whoseCall = ({ agentId }: CanonicalEvent): string => (agentId === undefined ? '' : ' (subagent)');

/** What is left out of a report, so that a person can read it whole. `--json` has everything. */
export interface Terse {
  /** What the agents get: shown of agents that were named, and of what failed. */
  readonly answers: boolean;
  /** Words of the hook that stand above already. */
  readonly said: Set<string>;
}

export function describeTested(context: Context, one: Tested, terse: Terse = { answers: true, said: new Set() }): string {
  const { paint } = context;
  if (one.of === 'none') return `${paint('dim', `- ${one.agent.padEnd(9)} ${one.why}`)}\n`;
  const { trial } = one;
  const mark = isFailed(one) ? paint('red', '✗') : paint('green', '✓');
  const decision = trialDecision(trial);
  const ms = trial.runs.reduce((sum, run) => sum + run.durationMs, 0);
  const title =
    one.of === 'case'
      ? oneLine(one.filed.case.name)
      : `${trial.event.nativeEvent}  ${truncate(eventSubject(trial.event), 60)}${whoseCall(trial.event)}`;
  const end =
    trial.runs.length === 0
      ? paint('dim', 'did not run')
      : `${paint(decisionColour(decision), decision)}  ${paint('dim', formatDuration(ms))}`;
  const lines = [
    `${mark} ${one.agent.padEnd(9)} ${title}  ${end}`,
    ...(one.of === 'payload' && one.payload.kind === 'documented' ? [note('payload', 'documented, not yet seen in a real run')] : []),
    ...(one.of === 'case' && one.difference !== undefined ? [note('case', printable(one.difference)), note('file', one.filed.file)] : []),
    ...(trial.failure === undefined ? [] : [note('failed', printable(trial.failure))]),
    ...detailLines(trial).filter((line) => !terse.said.has(line)),
    ...((one.of === 'payload' && terse.answers) || isFailed(one) ? answerLines(context, trial.answer) : []),
  ];
  for (const line of detailLines(trial)) terse.said.add(line);
  return `${fitLines(lines.join('\n'), context.width)}\n`;
}

function detailLines({ outcome, runs }: Trial): string[] {
  const { reason, content, input, userMessage } = outcome.decision;
  const stderr = runs.map((run) => run.stderr.trim()).filter((text) => text !== '' && text !== reason);
  return [
    ...(reason === undefined ? [] : [note('reason', printable(reason))]),
    ...(input === undefined ? [] : [note('input', printable(JSON.stringify(input)))]),
    ...(content === undefined ? [] : [note('context', printable(content.trimEnd()))]),
    ...(userMessage === undefined ? [] : [note('to user', printable(userMessage))]),
    ...stderr.map((text) => note('stderr', printable(text))),
    ...runs.flatMap((run) => (run.note === undefined || run.failed !== undefined ? [] : [note('note', printable(run.note))])),
    ...outcome.delivered
      .filter(({ how }) => how !== 'now')
      .map(({ decision, how, note: why }) => note('delivery', `${decision}: ${how}${why ? `, ${why}` : ''}`)),
  ];
}

/** What the forwarder would print, and its exit code. */
function answerLines({ width }: Context, { stdout, stderr, exitCode }: NativeAnswer): string[] {
  const end = exitCode === 0 ? '' : `, exit ${exitCode}`;
  // JSON in one line. On a terminal its beginning says what it is, and --json has all of it.
  const answer = width === Number.POSITIVE_INFINITY ? printable(stdout.trimEnd()) : shortLine(stdout, width - NOTE_WIDTH - end.length);
  return [
    note('agent gets', `${stdout === '' ? 'nothing' : answer}${end}`),
    ...(stderr === '' ? [] : [note('on stderr', printable(stderr.trimEnd()))]),
  ];
}

const NOTE_WIDTH = 15;
const note = (name: string, text: string): string =>
  `    ${name.padEnd(NOTE_WIDTH - 4)}${text.replaceAll('\n', `\n${' '.repeat(NOTE_WIDTH)}`)}`;

/** For programs: everything, and the answer byte for byte. */
export function testedJson(one: Tested): object {
  if (one.of === 'none') return { agent: one.agent, ran: false, why: one.why };
  const { trial } = one;
  const origin =
    one.of === 'case'
      ? { case: one.filed.case.name, file: one.filed.file, ...(one.difference !== undefined && { difference: one.difference }) }
      : { payload: one.payload.name, source: one.payload.kind };
  return {
    agent: one.agent,
    ...origin,
    ok: !isFailed(one),
    ran: trial.runs.length > 0,
    event: trial.event.event,
    native_event: trial.event.nativeEvent,
    decision: trialDecision(trial),
    outcome: trial.outcome,
    answer: trial.answer,
    ...(trial.failure !== undefined && { failure: trial.failure }),
  };
}
