import type { Delivery, TraceEntry } from '@piton/contracts';
import type { EventDetail, HookRun } from '@piton/store';
import type { Context } from '../context.ts';
import { fitLines } from '../output/fit.ts';
import { indent, oneLine, printable } from '../output/text.ts';
import { formatDuration, formatTime } from '../output/time.ts';
import { decisionColour, decisionOf, subjectOf } from './row.ts';

/** Two spaces behind the longest name: so what is wrapped is known to begin there. */
const LABEL = 10;

/** One event in full: payload, hooks with their results, decision, and what the agent got. */
export function describeEvent(context: Context, event: EventDetail, advice: string | null): string {
  const { paint } = context;
  const facts: [string, string | null | undefined][] = [
    ['when', `${formatTime(event.wallUs / 1000)} (${event.receivedAt})`],
    ['agent', `${event.agent}, ${event.nativeEvent} (${event.via})`],
    ['session', event.session ?? (event.canary ? 'none: test event of piton status' : 'none')],
    ['about', subjectOf(event)],
    ['in', [event.projectPath, event.branch && `branch ${event.branch}`].filter(Boolean).join(', ')],
    ['model', event.model],
    ['text', event.text],
    ['advice', advice],
    ['marks', marksOf(event)],
    ['from', event.parentId && `${event.derived ? 'derived from' : 'inside a hook of'} ${event.parentId}`],
    ['took', event.serverUs === null ? null : `${formatDuration(event.serverUs / 1000)} in the server, hooks not counted`],
    ['problems', event.problems.join('; ')],
  ];
  const head = facts.flatMap(([name, value]) =>
    value
      ? [fitLines(`${paint('dim', name.padEnd(LABEL))}${printable(value).replaceAll('\n', `\n${' '.repeat(LABEL)}`)}`, context.width)]
      : [],
  );
  return [
    paint('bold', `${event.event}  ${event.eventId}`),
    ...head,
    '',
    paint('bold', 'decision'),
    ...decisionLines(context, event),
    '',
    paint('bold', 'hooks'),
    ...traceLines(context, event),
    '',
    paint('bold', 'envelope'),
    indent(event.envelope ? printable(JSON.stringify(event.envelope, null, 2)) : 'the body has expired'),
    '',
  ].join('\n');
}

function marksOf(event: EventDetail): string {
  const marks = [
    event.late && 'late: no server handled it to the end',
    event.truncated && `truncated: the payload had ${event.payloadSize} bytes`,
    event.depth > 0 && `depth ${event.depth}`,
    event.derived && 'derived by Piton',
    event.canary && 'canary',
  ];
  return marks.filter(Boolean).join('; ');
}

function decisionLines(context: Context, event: EventDetail): string[] {
  const { outcome } = event;
  if (!outcome) return [`  none ${decisionOf(event)}`];
  const { decision, delivered } = outcome;
  const parts: [string, unknown][] = [
    ['reason', decision.reason],
    ['input', decision.input],
    ['output', decision.output],
    ['context', decision.content],
    ['go on', decision.continue],
    ['to user', decision.userMessage],
  ];
  return [
    `  ${context.paint(decisionColour(decision.decision), decision.decision)}${decision.endRun ? ', and the run stops' : ''}`,
    ...parts.flatMap(([name, value]) =>
      value === undefined
        ? []
        : [
            `  ${name.padEnd(9)}${printable(typeof value === 'string' ? value : JSON.stringify(value))
              .trimEnd()
              .replaceAll('\n', `\n${' '.repeat(11)}`)}`,
          ],
    ),
    ...delivered.map((delivery) => `  delivery ${deliveryLine(delivery)}`),
  ];
}

function deliveryLine({ decision, how, note }: Delivery): string {
  const words = {
    now: 'reached the agent',
    deferred: 'is deferred to the next event that can carry it',
    degraded: 'reached the agent in a weaker form',
    none: 'is not supported by this agent here',
  };
  return `${decision} ${words[how]}${note ? `: ${oneLine(note)}` : ''}`;
}

function traceLines(context: Context, event: EventDetail): string[] {
  const trace = event.outcome?.trace ?? [];
  const later = event.hookRuns.filter(({ observed }) => observed);
  if (trace.length + later.length === 0) return ['  none active for this event'];
  return [...trace.map((entry) => traceLine(context, entry)), ...later.map((run) => laterLine(context, run))];
}

/** The output of hooks that ran after the answer is not stored, only the result. */
function laterLine(context: Context, { hook, event, exitCode, durationMs, failed, said, note }: HookRun): string {
  const mark = failed ? context.paint('red', '✗') : context.paint('green', '✓');
  const words = failed ? `failed (${failed})` : `returned ${context.paint(decisionColour(said), said ?? 'nothing')}`;
  const head = `  ${mark} ${oneLine(hook)} (${event}) ran after the answer, exit ${exitCode} after ${formatDuration(durationMs ?? 0)}, ${words}`;
  return note ? `${head}\n      ${printable(note).replaceAll('\n', '\n      ')}` : head;
}

function traceLine(context: Context, entry: TraceEntry): string {
  // A name is that of a file, which may have line breaks: what stands behind them must not look like a line of ours.
  const name = `${oneLine(entry.hook)} (${entry.event})`;
  if (entry.did === 'skipped')
    return `  ${context.paint('dim', `- ${name} was considered and skipped: ${entry.why}${entry.note ? `, ${oneLine(entry.note)}` : ''}`)}`;
  const mark = entry.failed ? context.paint('red', '✗') : context.paint('green', '✓');
  const end = entry.timedOut
    ? `timed out after ${formatDuration(entry.durationMs)} (${entry.timedOut === 'hook' ? 'its limit' : "the event's budget"})`
    : `exit ${entry.exitCode} after ${formatDuration(entry.durationMs)}`;
  const said = entry.failed
    ? `failed (${entry.failed}${entry.note ? `: ${oneLine(entry.note)}` : ''})`
    : `returned ${context.paint(decisionColour(entry.said.decision), entry.said.decision)}`;
  const note = entry.note && !entry.failed ? [indent(printable(entry.note), '      ')] : [];
  const output = [...note, ...block('stdout', entry.stdout), ...block('stderr', entry.stderr)];
  return [`  ${mark} ${name} ran, ${end}, ${said}${entry.observed ? ', after the answer' : ''}`, ...output].join('\n');
}

function block(name: string, text: string): string[] {
  return text.trim() === '' ? [] : [`      ${name}: ${printable(text).trimEnd().replaceAll('\n', '\n              ')}`];
}
