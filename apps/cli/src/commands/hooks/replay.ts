import { shellWord } from '@piton/contracts';
import { Command } from 'commander';
import { type Context, printJson, printLine } from '../../context.ts';
import { decisionColour, subjectOf } from '../../events/row.ts';
import { SOME_AGENT } from '../../example-agents.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { readSession, type StoredSession } from '../../hook-tests/backtest/stored-events.ts';
import { asEnforced, findHook } from '../../hook-tests/hook-under-test.ts';
import { runInParallel } from '../../hook-tests/parallel.ts';
import { openProgress } from '../../hook-tests/progress.ts';
import { createReplay, type Replayed, type ReplayStep } from '../../hook-tests/replay-run.ts';
import { openSafeRunner } from '../../hook-tests/safe-runner.ts';
import { SESSION_FORMS } from '../../ids/session.ts';
import { catchSignals } from '../../interruption.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';
import { parseAgentOption } from '../../options/names.ts';
import { oneLine, plural, printable, truncate } from '../../output/text.ts';
import { formatTime } from '../../output/time.ts';

interface Options {
  readonly as?: string;
  readonly hook?: string;
  readonly unsandboxed?: boolean;
  readonly json?: boolean;
}

export function hooksReplayCommand(context: Context): Command {
  const command = new Command('replay')
    .argument('<session>', SESSION_FORMS)
    .option('--hook <hook>', 'Only this hook, by ID, name or path, as it is now')
    .option('--as <agent>', 'Encode the answers as this agent would get them')
    .option('--unsandboxed', 'Run hooks without a sandbox, where none is available')
    .option('--json', 'Print JSON')
    .action((ref: string, options: Options) => run(context, ref, options));
  return withExamples(command, ['hooks replay @', 'hooks replay @ --hook no-rm-rf', `hooks replay @ --as ${SOME_AGENT}`]);
}

async function run(context: Context, ref: string, options: Options): Promise<void> {
  const places = requirePlaces(context);
  const as = options.as === undefined ? undefined : parseAgentOption(options.as);
  const hook = options.hook === undefined ? undefined : asEnforced(findHook(context, options.hook));
  const stored = await readStore<StoredSession | undefined>(places, (store) => readSession(store, ref), undefined);
  if (stored === undefined) throw new Failure(`no session starts with ${JSON.stringify(ref)}`, { remedy: 'nothing has been recorded yet' });
  const interruption = catchSignals();
  const progress = openProgress(context, 'replayed');
  const command = `piton hooks replay ${shellWord(stored.session.id)}`;
  const runner = openSafeRunner(context, { unsandboxed: options.unsandboxed === true, signal: interruption.signal, command });
  let steps: readonly ReplayStep[];
  try {
    const replay = createReplay(places, { stored, ...(hook && { hook }), ...(as && { as }) }, runner);
    const all = await runInParallel(stored.events, replay, interruption.signal, (count) => progress.step(count, stored.events.length));
    steps = all.filter((step) => step !== undefined);
  } finally {
    progress.end();
    runner.close();
    interruption.release();
  }
  if (steps.some((step) => 'failure' in step && step.failure !== undefined)) context.exit.code = 1;
  context.exit.code = interruption.exitCode() ?? context.exit.code;
  if (options.json) return printJson(context, { session: stored.session.id, expired: stored.expired, events: steps.map(stepJson) });
  printReplay(context, stored, steps, as !== undefined);
}

function printReplay(context: Context, { session, events, expired }: StoredSession, steps: readonly ReplayStep[], answers: boolean): void {
  const replayed = steps.filter((step): step is Replayed => 'now' in step);
  const listed = replayed.filter(({ differs, failure, now }) => differs || failure !== undefined || (answers && now !== 'observe'));
  for (const one of listed) context.out(describe(context, one, answers));
  const differing = replayed.filter(({ differs }) => differs).length;
  const cutShort = steps.length < events.length ? `stopped: ${steps.length} of ` : '';
  printLine(
    context,
    `${listed.length > 0 ? '\n' : ''}${session.agent} ${session.id}: ${cutShort}${plural(events.length, 'event')}, ${differing === 0 ? 'same decisions' : `${plural(differing, 'different decision')}`}`,
  );
  for (const [why, count] of countedBy(steps.flatMap((step) => ('left' in step ? [step.left] : []))))
    printLine(context, context.paint('dim', `${plural(count, 'event')} skipped: ${why}`));
  if (expired > 0) printLine(context, context.paint('dim', `${plural(expired, 'event')} skipped: their bodies have expired`));
}

function describe(context: Context, { event, was, now, outcome, answer, failure }: Replayed, answers: boolean): string {
  const { paint } = context;
  const change = `${paint(decisionColour(was), was ?? 'no decision')} → ${paint(decisionColour(now), now)}`;
  const { reason } = outcome.decision;
  const lines = [
    `${formatTime(event.wallUs / 1000)}  ${event.event}  ${truncate(oneLine(subjectOf(event)), 60)}  ${change}  ${paint('dim', event.eventId)}`,
    ...(event.reason ? [`    then    ${oneLine(event.reason)}`] : []),
    ...(reason === undefined ? [] : [`    now     ${oneLine(reason)}`]),
    ...(failure === undefined ? [] : [`    ${paint('red', 'failed')}  ${oneLine(failure)}`]),
    ...(answers
      ? [
          `    gets    ${answer.stdout === '' ? 'nothing' : printable(answer.stdout.trimEnd())}${answer.exitCode === 0 ? '' : `, exit ${answer.exitCode}`}`,
        ]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

function countedBy(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function stepJson(step: ReplayStep): object {
  const { eventId, event, agent } = step.event;
  if ('left' in step) return { event_id: eventId, event, agent, left_out: step.left };
  const { was, now, differs, outcome, answer, failure } = step;
  return { event_id: eventId, event, agent, was, now, differs, outcome, answer, ...(failure !== undefined && { failure }) };
}
