import { findAgent } from '@piton/agents';
import type { ExportCost, ExportUsage } from '@piton/contracts';
import type { EventHeader, SessionDetail, SessionSummary, TurnRecord } from '@piton/store';
import type { Context } from '../context.ts';
import { subjectOf } from '../events/row.ts';
import { costWords } from '../export/cost.ts';
import { tokenWords } from '../export/facts.ts';
import { fitLines } from '../output/fit.ts';
import { oneLine, plural, printable, shortLine } from '../output/text.ts';
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
  const turns = session.turnList.map((turn, at) =>
    turnText(context, turn, shortIds[at] ?? turn.id, eventsOf(turn, session.turnList[at + 1], events)),
  );
  return [paint('bold', `session ${session.id}`), ...head, ...turns, ''].join('\n');
}

function eventsOf(turn: TurnRecord, next: TurnRecord | undefined, events: readonly EventHeader[]): EventHeader[] {
  return events.filter((event) => event.wallUs >= turn.startedUs && (next === undefined || event.wallUs < next.startedUs));
}

function turnText(context: Context, turn: TurnRecord, shortId: string, events: readonly EventHeader[]): string {
  const { paint } = context;
  const length =
    turn.endedUs === null
      ? 'still open'
      : `${formatDuration((turn.endedUs - turn.startedUs) / 1000)}${turn.closed ? `, ${turn.closed}` : ''}`;
  const title = `\n${paint('bold', `turn ${turn.number}`)}  ${paint('dim', `${formatTime(turn.startedUs / 1000)}, ${length}, ${shortId}`)}`;
  const prompt = turn.prompt ? [`  “${shortLine(turn.prompt, context.width - 6)}”`] : [];
  const calls = events.filter((event) => event.event === 'pre_tool_use' && !event.derived).map((event) => callLine(context, event));
  return [title, ...prompt, ...calls].join('\n');
}

function callLine(context: Context, event: EventHeader): string {
  const denied = event.decision === 'deny' || event.decision === 'ask';
  const mark = denied ? context.paint('red', '✗') : context.paint('green', '•');
  const line = `  ${mark} ${shortLine(subjectOf(event), context.width - 8)}`;
  return denied && event.reason ? `${line}\n    ${context.paint('dim', `${event.decision}: ${oneLine(event.reason)}`)}` : line;
}
