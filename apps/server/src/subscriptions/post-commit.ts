import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { SubscriptionEntry } from '@piton/contracts';
import { nameCommand } from '@piton/contracts/command';
import { parseSettings } from '@piton/lifecycle/settings-text';
import type { Delivery } from './subscriptions.ts';

const DEFAULT_MS = 2000;
/** The forwarder that git waits for gives up at five seconds. */
const LONGEST_MS = 4000;

/** How long `git commit` waits for subscriptions. Read from the user's settings only: a repository must not make git slow. */
export function postCommitWait(config: string): number {
  try {
    const { value } = parseSettings(readFileSync(join(config, 'settings.json'), 'utf8'));
    return Math.min(LONGEST_MS, waitOf((value as { post_commit_wait?: unknown } | undefined)?.post_commit_wait) ?? DEFAULT_MS);
  } catch {
    return DEFAULT_MS;
  }
}

function waitOf(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 ? value * 1000 : undefined;
  const [, count, unit] = typeof value === 'string' ? (/^\s*(\d+(?:\.\d+)?)\s*(ms|s)\s*$/.exec(value) ?? []) : [];
  return count === undefined ? undefined : Number(count) * (unit === 'ms' ? 1 : 1000);
}

/** Waits until everything is delivered or the time is up. Returns one line per failed subscription, and one for those that still run. */
export async function awaitDeliveries(deliveries: Promise<readonly Delivery[]>, waitMs: number, command: () => string): Promise<string> {
  let found: readonly Delivery[] = [];
  const all = deliveries.then(async (each) => {
    found = each;
    await Promise.all(each.map(({ done }) => done));
  });
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, waitMs);
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
  return [...found.flatMap(({ entries }) => entries).map(failureLine), runningLine(found, command)].join('');
}

/** Their failures are not seen here any more, so where to look is said. */
function runningLine(found: readonly Delivery[], command: () => string): string {
  const running = found.flatMap(({ event, pending }) => pending.map((hook) => `${hook} on ${event}`));
  const [first] = running;
  if (first === undefined) return '';
  const others = running.length === 1 ? '' : ` and ${running.length - 1} more`;
  return printedLine(`piton: still running: ${first}${others}. ${nameCommand('How it ended: piton events --own', command)}`);
}

/** Control characters in the output of a script must not reach the terminal. */
const printedLine = (text: string): string => `${text.replace(/[\p{Cc}\p{Cf}]+/gu, ' ')}\n`;

function failureLine(entry: SubscriptionEntry): string {
  if (entry.did !== 'ran' || entry.failed === undefined) return '';
  return printedLine(`piton: ${entry.hook} failed on ${entry.event}: ${entry.note ?? entry.failed}`);
}
