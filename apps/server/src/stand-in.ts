import { agentFor } from '@piton/agents';
import type { Frame, Outcome, Reduced } from '@piton/contracts';
import { decodeEvent, type FrameOutcome, readStandInRecord } from '@piton/lifecycle';
import { readIfThere } from './file-parts.ts';
import { unlinkQuietly } from './journal/journal.ts';
import type { Told } from './subscriptions/raised.ts';

/** Left beside a frame: what the client said in our place, and that it could say nothing but the deny that we keep there. */
const [SAID, DENIED] = ['.said', '.denied'];

export const isLeftBeside = (name: string): boolean => name.endsWith(`.frame${SAID}`) || name.endsWith(`.frame${DENIED}`);
export const frameBeside = (path: string): string => path.slice(0, path.lastIndexOf('.'));

const REASON = 'no server could be reached in time, and required hooks could not run without it';

/** What was answered while nobody was here, or else that nothing was. */
export function verdictBeside(path: string, frame: Frame): FrameOutcome {
  const { stamp, depth } = frame;
  const left = readIfThere(path + DENIED)
    ? { outcome: lastResort(frame), repo: null, branch: null }
    : readStandInRecord(readIfThere(path + SAID)?.toString('utf8') ?? '');
  if (left === undefined) return { stamp, kind: 'late' };
  return { stamp, kind: 'decided', ...left, serverUs: 0, depth, parent: null, derived: [], standIn: true };
}

export function removeBeside(path: string): void {
  for (const suffix of [SAID, DENIED]) unlinkQuietly(path + suffix);
}

export const toldOf = (frame: Frame): Told => ({ frame, event: decodeEvent(frame, agentFor).event, depth: frame.depth });

function lastResort(frame: Frame): Outcome {
  const decision: Reduced = { decision: 'deny', verdict: 'deny', reason: REASON };
  const { agent, event } = decodeEvent(frame, agentFor);
  return { decision, trace: [], delivered: agent?.encode(event, decision, { attended: false }).delivered ?? [] };
}
