import type { DecisionName } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { withCommandName } from '../../command-name.ts';
import type { Context } from '../../context.ts';
import { decisionColour } from '../../events/row.ts';
import { oneLine, plural, truncate } from '../../output/text.ts';
import { formatDuration, formatTime } from '../../output/time.ts';
import type { Backtest, BacktestCall } from './run.ts';

const SHOWN_GROUPS = 20;
export const count = (number: number): string => number.toLocaleString('en');

export interface CallGroup {
  readonly said: DecisionName;
  readonly subject: string;
  readonly reason: string | null;
  readonly calls: readonly BacktestCall[];
}

/** Calls with the same decision, reason and subject are one line. Most frequent first. */
export function groupsOf(calls: readonly BacktestCall[]): CallGroup[] {
  const groups = new Map<string, BacktestCall[]>();
  for (const call of calls) {
    const key = [call.said, call.subject, call.reason].join('\0');
    groups.set(key, [...(groups.get(key) ?? []), call]);
  }
  return [...groups.values()]
    .map((all) => ({ ...(({ said, subject, reason }) => ({ said, subject, reason }))(all[0] as BacktestCall), calls: all }))
    .sort((a, b) => b.calls.length - a.calls.length);
}

export const isHarmless = ({ fate }: Pick<BacktestCall, 'fate'>): boolean => fate === 'ran without harm';

/** The smallest value that is not exceeded by `part` of them. */
export function quantile(values: readonly number[], part: number): number | null {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.max(0, Math.ceil(sorted.length * part) - 1)] ?? null;
}

/** What the hook would have decided on the recorded calls: a summary line, then what to check. */
export function describeBacktest(context: Context, hook: HookDefinition, since: number, result: Backtest): string {
  const { paint } = context;
  const { calls, recorded, looked, expired, unreadable } = result;
  const by = (said: DecisionName): readonly BacktestCall[] => calls.filter((call) => call.said === said);
  const failed = calls.filter(({ failure }) => failure !== null);
  const [p50, p95] = [
    quantile(
      calls.map(({ ms }) => ms),
      0.5,
    ),
    quantile(
      calls.map(({ ms }) => ms),
      0.95,
    ),
  ];
  const redacted = calls.filter((call) => call.redacted).length;
  const denied = by('deny');
  const lines = [
    `${paint('bold', hook.id)}  on ${hook.event}, since ${formatTime(since / 1000)}`,
    ...(looked < recorded ? [paint('yellow', `stopped: ${count(looked)} of ${count(recorded)} checked`)] : []),
    ...(denied.length > 0 ? listOf(context, 'would have denied, but they succeeded', denied.filter(isHarmless)) : []),
    ...listOf(
      context,
      'would have denied',
      denied.filter((call) => !isHarmless(call)),
    ),
    ...listOf(context, 'would have asked', by('ask')),
    ...listOf(context, 'would have changed', by('modify')),
    ...(failed.length > 0 ? ['', paint('red', `failed on ${plural(failed.length, 'call')}`), ...failedLines(failed)] : []),
    '',
    `Would have denied ${count(denied.length)} of ${plural(looked, 'call')}${harmlessNote(denied)}.`,
    ...(by('ask').length > 0 ? [`Would have asked about ${count(by('ask').length)}${harmlessNote(by('ask'))}.`] : []),
    ...(by('modify').length > 0 ? [`Would have changed ${count(by('modify').length)}.`] : []),
    `It ran on ${plural(calls.length, 'call')}${p50 === null || p95 === null ? '' : `: p50 ${formatDuration(p50)}, p95 ${formatDuration(p95)}, several in parallel`}${failed.length > 0 ? `. It failed on ${count(failed.length)}` : ''}`,
    ...(denied.some(({ reachesAgent }) => !reachesAgent)
      ? [
          `${plural(denied.filter(({ reachesAgent }) => !reachesAgent).length, 'deny', 'denies')} would not have reached the agent: it does not support deny there`,
        ]
      : []),
    ...(expired > 0 ? [`${plural(expired, 'call')} skipped: their bodies have expired`] : []),
    ...(unreadable > 0 ? [`${plural(unreadable, 'call')} skipped: their payloads could not be decoded`] : []),
    ...(redacted > 0
      ? [
          `${plural(redacted, 'call')} ${redacted === 1 ? 'holds' : 'hold'} placeholders instead of secrets: a hook that looks for secrets finds fewer`,
        ]
      : []),
    ...(denied.length > 0
      ? [paint('dim', withCommandName(context, 'Show one: piton hooks explain <id>. If a deny is wrong, add --wrong'))]
      : []),
  ];
  return `${lines.join('\n')}\n`;
}

export function harmlessNote(calls: readonly BacktestCall[]): string {
  const harmless = calls.filter(isHarmless).length;
  if (harmless === 0) return '';
  if (harmless > 1) return `. ${count(harmless)} of them succeeded: check them`;
  return `. ${calls.length === 1 ? 'That one' : 'One of them'} succeeded: check it`;
}

export function listOf(context: Context, title: string, calls: readonly BacktestCall[]): string[] {
  if (calls.length === 0) return [];
  const groups = groupsOf(calls);
  const more = groups.length - SHOWN_GROUPS;
  return [
    '',
    title,
    ...groups.slice(0, SHOWN_GROUPS).flatMap((group) => groupLines(context, group)),
    ...(more > 0 ? [context.paint('dim', `  and ${plural(more, 'other')}. To list all: --json`)] : []),
  ];
}

function groupLines(context: Context, { said, subject, reason, calls }: CallGroup): string[] {
  const last = calls.at(-1) as BacktestCall;
  const times = calls.length === 1 ? '' : `${calls.length} × `;
  const agents = [...new Set(calls.map(({ agent }) => agent))].join(', ');
  return [
    `  ${times}${context.paint(decisionColour(said), truncate(oneLine(subject), 100))}`,
    ...(reason === null ? [] : [`      ${oneLine(reason)}`]),
    context.paint('dim', `      ${agents}, ${formatTime(last.wallUs / 1000)}, session ${last.session ?? 'none'}, event ${last.eventId}`),
  ];
}

const SHOWN_FAILURES = 5;
function failedLines(failed: readonly BacktestCall[]): string[] {
  const reasons = new Map<string, BacktestCall[]>();
  for (const call of failed) reasons.set(call.failure ?? '', [...(reasons.get(call.failure ?? '') ?? []), call]);
  return [...reasons].slice(0, SHOWN_FAILURES).map(([why, calls]) => `  ${calls.length} × ${oneLine(why)} (event ${calls[0]?.eventId})`);
}
