import { speakerOf } from '@piton/agents';
import type { Frame, Outcome, Reduced } from '@piton/contracts';
import { readIfThere } from './file-parts.ts';
import { hear } from './hearing.ts';
import { unlinkQuietly } from './journal.ts';
import type { Told } from './subscriptions/raised.ts';
import type { Verdict } from './verdict.ts';

/** Left beside a frame: what the client said in our place, and that it could say nothing but the deny that we keep there. */
const [SAID, DENIED] = ['.said', '.denied'];

export const isLeftBeside = (name: string): boolean => name.endsWith(`.frame${SAID}`) || name.endsWith(`.frame${DENIED}`);
export const frameBeside = (path: string): string => path.slice(0, path.lastIndexOf('.'));

const REASON = 'no server could be reached in time, and the hooks that must hold here could not run without it';

/** What was answered while nobody was here, or else that nothing was. */
export function verdictBeside(path: string, frame: Frame): Verdict {
  const { stamp, depth } = frame;
  const left = readIfThere(path + DENIED) ? { outcome: lastResort(frame), repo: null, branch: null } : readSaid(readIfThere(path + SAID));
  if (left === undefined) return { stamp, kind: 'late' };
  return { stamp, kind: 'decided', ...left, serverUs: 0, depth, parent: null, derived: [], standIn: true };
}

export function removeBeside(path: string): void {
  for (const suffix of [SAID, DENIED]) unlinkQuietly(path + suffix);
}

export const toldOf = (frame: Frame): Told => ({ frame, event: hear(frame, speakerOf).event, depth: frame.depth });

function lastResort(frame: Frame): Outcome {
  const decision: Reduced = { decision: 'deny', verdict: 'deny', reason: REASON };
  const { agent, event } = hear(frame, speakerOf);
  return { decision, trace: [], delivered: agent?.encode(event, decision, { attended: false }).delivered ?? [] };
}

interface Said {
  readonly outcome: Outcome;
  readonly repo: string | null;
  readonly branch: string | null;
}

function readSaid(bytes: Buffer | undefined): Said | undefined {
  try {
    const {
      version,
      outcome,
      repo = null,
      branch = null,
    } = JSON.parse(bytes?.toString('utf8') ?? '{}') as Partial<Said> & { version?: unknown };
    return version === 1 && outcome?.decision !== undefined ? { outcome, repo, branch } : undefined;
  } catch {
    return undefined; // it was ended in the middle of writing, and so it has not answered
  }
}
