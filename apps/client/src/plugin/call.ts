import { sinceStart } from './clock.ts';

/** How an attempt to get an answer ended. */
export type End = 'answered' | 'lost' | 'hung' | 'refused' | 'summoned' | 'late' | 'absent' | 'forbidden';

/** The registration as its command line gives it. Any scope is passed on: a server may know more of them than we do. */
export interface Line {
  readonly agent: string;
  readonly nativeEvent: string;
  readonly scope: string;
  readonly timeoutMs: number;
  readonly variables: readonly string[];
}

export function parseLine(args: readonly string[]): Line | undefined {
  const [agent, nativeEvent, scope, timeout = '', variables] = args;
  if (agent === undefined || nativeEvent === undefined || scope === undefined || variables === undefined) return undefined;
  if (!/^\d+$/.test(timeout) || Number(timeout) > 0x7fffffff) return undefined;
  return { agent, nativeEvent, scope, timeoutMs: Number(timeout), variables: variables === '-' ? [] : variables.split(',') };
}

/** `deadline` in milliseconds since our start: when the agent must have its answer from us. */
export const leftMs = (deadline: number): number => Math.max(0, deadline - sinceStart());

const UNTAKEN_LIMIT = 3;

/**
 * May a frame that was lost be sent again? A server that took it and died over it, or retired, is followed by one other. One that
 * never took it may have been dying when we came: its listening socket outlives its connections by a moment.
 */
export function countLosses(): (acked: boolean) => boolean {
  let taken = 0;
  let untaken = 0;
  return (acked) => (acked ? ++taken < 2 : ++untaken <= UNTAKEN_LIMIT);
}
