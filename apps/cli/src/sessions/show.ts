import { findAgent } from '@piton/agents';
import type { EventName, ExportCost, ExportUsage } from '@piton/contracts';
import type { EventHeader, SessionDetail, SessionSummary, TurnRecord } from '@piton/store';
import type { Context } from '../context.ts';
import { decidedEvent, type Happening, happeningsOf } from '../events/happening.ts';
import { subjectOf } from '../events/row.ts';
import { resultOf } from '../events/words.ts';
import { costWords } from '../export/cost.ts';
import { tokenWords } from '../export/facts.ts';
import { fitLines, fitProse } from '../output/fit.ts';
import { beginningOf, oneLine, plural, printable, shortLine } from '../output/text.ts';
import { formatDuration, formatTime } from '../output/time.ts';

/** A session for people: what was asked, done and denied. */
export function describeSession(
  context: Context,
  {
    session,
    events,
    usage,
    cost,
    shortIds,
    story,
  }: {
    readonly session: SessionDetail;
    readonly events: readonly EventHeader[];
    readonly usage: readonly ExportUsage[];
    readonly cost: ExportCost | null;
    /** Of its turns. */
    readonly shortIds: readonly string[];
    /** The sessions of the same work, handed from agent to agent. */
    readonly story: readonly SessionSummary[];
  },
): string {
  const { paint } = context;
  const resume = findAgent(session.agent)?.resume(session.providerRef).join(' ');
  const facts: [string, string | null | undefined][] = [
    ['agent', session.agent + (session.model ? `, ${session.model}` : '')],
    ['within', session.parentId && `${session.depth > 0 ? 'hook of event' : 'session'} ${session.parentId}`],
    ['state', session.phase + (session.endReason ? ` (${session.endReason})` : '')],
    [
      'time',
      `${formatTime(session.startedUs / 1000)} to ${formatTime(session.lastUs / 1000)}, ${formatDuration((session.lastUs - session.startedUs) / 1000)}`,
    ],
    ['in', [session.repo ?? session.projectPath, session.branch && `branch ${session.branch}`].filter(Boolean).join(', ')],
    [
      'did',
      `${plural(session.turns, 'turn')}, ${plural(session.tools, 'tool call')}, ${plural(session.denials, 'denial')}, ${plural(session.events, 'event')}`,
    ],
    ...usage.map(({ model, tokens }, at): [string, string] => [
      at === 0 ? 'tokens' : '',
      `${model ?? 'model unknown'}: ${tokenWords(tokens)}`,
    ]),
    ['story', story.length > 1 ? story.map(({ id, agent }) => `${agent} ${id}${id === session.id ? ' (this)' : ''}`).join(' → ') : null],
    ['cost', cost && costWords(cost)],
    ['resume', session.providerRef ? resume : null],
  ];
  const head = facts.flatMap(([name, value]) =>
    value ? [fitLines(`${paint('dim', name.padEnd(9))}${printable(value)}`, context.width)] : [],
  );
  const calls = callsIn(events);
  const turns = session.turnList.map((turn, at) =>
    turnText(context, turn, shortIds[at] ?? turn.id, callsOf(turn, session.turnList[at + 1], calls)),
  );
  return [paint('bold', `session ${session.id}`), ...head, ...turns, ''].join('\n');
}

function callsOf(turn: TurnRecord, next: TurnRecord | undefined, calls: readonly Happening[]): Happening[] {
  return calls.filter(({ event }) => event.wallUs >= turn.startedUs && (next === undefined || event.wallUs < next.startedUs));
}

/** The tool calls among events, both oldest first. Some agents report only the end of a call. */
function callsIn(events: readonly EventHeader[]): Happening[] {
  const told = events.filter(({ derived, canary }) => !derived && !canary);
  return happeningsOf(told.toReversed())
    .filter(({ event }) => CALLS.has(event.event))
    .reverse();
}

const CALLS: ReadonlySet<EventName> = new Set(['pre_tool_use', 'post_tool_use', 'post_tool_use_failure']);

function turnText(context: Context, turn: TurnRecord, shortId: string, calls: readonly Happening[]): string {
  const { paint } = context;
  const length =
    turn.endedUs === null
      ? 'still open'
      : `${formatDuration((turn.endedUs - turn.startedUs) / 1000)}${turn.closed ? `, ${turn.closed}` : ''}`;
  const title = `\n${paint('bold', `turn ${turn.number}`)}  ${paint('dim', `${formatTime(turn.startedUs / 1000)}, ${length}, ${shortId}`)}`;
  const prompt = turn.prompt ? [`  “${shortLine(turn.prompt, context.width - 6)}”`] : [];
  return [title, ...prompt, ...calls.map((call) => callLine(context, call))].join('\n');
}

/** What was asked for and how it ended. Who kept it from running, and why, has lines of its own. */
function callLine(context: Context, call: Happening): string {
  const { text, reason, colour } = resultOf(call);
  const { decision } = decidedEvent(call);
  const isHeld = decision === 'deny' || decision === 'ask';
  const end = !isHeld && hasFailed(call) ? '  failed' : '';
  const mark = isHeld || end !== '' ? context.paint('red', '✗') : context.paint('green', '•');
  const line = `  ${mark} ${shortLine(subjectOf(call.event), context.width - 8 - end.length)}${end && context.paint(colour, end)}`;
  if (!isHeld) return line;
  const why = fitProse(oneLine(beginningOf(reason ? `${text}: ${reason}` : text)), context.width - INDENT.length);
  return [line, ...why.map((each) => `${INDENT}${context.paint('dim', each)}`)].join('\n');
}

const INDENT = ' '.repeat(4);
const hasFailed = ({ parts }: Happening): boolean => parts.some(({ event }) => event === 'post_tool_use_failure');
