import { homedir } from 'node:os';
import { agentFor } from '@piton/agents';
import type { Frame, Outcome, Reduced } from '@piton/contracts';
import { decodeEvent, type FrameOutcome, readStandInRecord } from '@piton/lifecycle';
import { readIfThere } from './file-parts.ts';
import { unlinkQuietly } from './journal/journal.ts';
import type { AnsweredEvent } from './subscriptions/raised.ts';

/** Files that the client leaves next to a frame: its answer in the server's place, or a mark that it could only give the prepared deny. */
const [ANSWERED, DENIED] = ['.said', '.denied'];

export const isStandInFile = (name: string): boolean => name.endsWith(`.frame${ANSWERED}`) || name.endsWith(`.frame${DENIED}`);
export const frameFileOf = (path: string): string => path.slice(0, path.lastIndexOf('.'));

const REASON = 'no server could be reached in time, and required hooks could not run without it';

/** What the client answered while no server ran. `late` if it answered nothing. */
export function standInOutcome(path: string, frame: Frame): FrameOutcome {
  const { stamp, depth } = frame;
  const left = readIfThere(path + DENIED)
    ? { outcome: lastResort(frame), repo: null, branch: null }
    : readStandInRecord(readIfThere(path + ANSWERED)?.toString('utf8') ?? '');
  if (left === undefined) return { stamp, kind: 'late' };
  return { stamp, kind: 'decided', ...left, serverUs: 0, depth, parent: null, derived: [], standIn: true };
}

export function removeStandInFiles(path: string): void {
  for (const suffix of [ANSWERED, DENIED]) unlinkQuietly(path + suffix);
}

export const answeredEventOf = (frame: Frame): AnsweredEvent => ({
  frame,
  event: decodeEvent(frame, agentFor, homedir()).event,
  depth: frame.depth,
});

function lastResort(frame: Frame): Outcome {
  const decision: Reduced = { decision: 'deny', verdict: 'deny', reason: REASON };
  const { agent, event } = decodeEvent(frame, agentFor, homedir());
  return { decision, trace: [], delivered: agent?.encode(event, decision, { attended: false }).delivered ?? [] };
}
