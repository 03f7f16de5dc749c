import { COMMAND_NAME } from '@piton/contracts/command';
import { Duplicates } from './duplicates.ts';
import type { LifecyclePorts } from './ports.ts';
import { ToolCalls } from './tool-calls.ts';

type Past = 'sessions' | 'duplicates' | 'toolCalls' | 'isCanary' | 'noticeFor' | 'callerOf' | 'reportProblem' | 'command';

/** Ports for an event without history: nothing deferred, no refused stops, and problems are not reported. */
export const singleEvent = (): Pick<LifecyclePorts, Past> => ({
  sessions: NO_MEMORY,
  duplicates: new Duplicates(),
  toolCalls: new ToolCalls(),
  isCanary: () => false,
  noticeFor: () => undefined,
  callerOf: () => undefined,
  reportProblem: () => {},
  // Whoever shows it puts in how it is run there.
  command: () => COMMAND_NAME,
});

const NO_MEMORY: LifecyclePorts['sessions'] = {
  rootOf: () => null,
  endsAgain: () => false,
  isTask: () => false,
  withSubagent: (event) => event,
  isContinuation: () => false,
  prompted: () => {},
  cap: (_event, reduced) => ({ reduced, capped: false }),
  defer: () => {},
  hasDeferred: () => false,
  takeDeferred: () => undefined,
};
