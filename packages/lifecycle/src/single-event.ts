import { Duplicates } from './duplicates.ts';
import type { LifecyclePorts } from './ports.ts';
import { ToolCalls } from './tool-calls.ts';

type Past = 'sessions' | 'duplicates' | 'toolCalls' | 'isCanary' | 'noticeFor' | 'reportProblem';

/** For one event that has no past: nothing was deferred to it, no stop was refused before it, and nobody reads of problems. */
export const singleEvent = (): Pick<LifecyclePorts, Past> => ({
  sessions: FORGETFUL,
  duplicates: new Duplicates(),
  toolCalls: new ToolCalls(),
  isCanary: () => false,
  noticeFor: () => undefined,
  reportProblem: () => {},
});

const FORGETFUL: LifecyclePorts['sessions'] = {
  rootOf: () => null,
  endsAgain: () => false,
  isContinuation: () => false,
  prompted: () => {},
  cap: (_event, reduced) => ({ reduced, capped: false }),
  defer: () => {},
  hasDeferred: () => false,
  takeDeferred: () => undefined,
};
