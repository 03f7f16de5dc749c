import { type Agent, type NativeAnswer, OBSERVE } from '@piton/contracts';
import { matches, type RunResult } from '@piton/hooks';
import type { Heard, Pipeline } from './pipeline.ts';

/** A run of which the agent hears nothing. A forwarder knows it by the same marks, and would have asked about anything else. */
export const isSilent = ({ exitCode, timedOut, stdoutCut, stderrCut, notStarted, stdout }: RunResult): boolean =>
  exitCode === 0 && stdout.length === 0 && !(timedOut || stdoutCut || stderrCut || notStarted);

/**
 * What the agent hears if the one hook that runs says nothing: with this at hand nobody asks a second time what that means.
 * Nothing is decided then, so nothing has to be on disk first. Undefined where the answer hangs on more than that hook.
 */
export function silentAnswer(pipeline: Pipeline, heard: Heard, agent: Agent): NativeAnswer | undefined {
  const { event, deciding, observing, unreadable, frame } = heard;
  const [only, ...others] = deciding.filter((hook) => hook.builtIn === undefined || matches(hook, event));
  if (only === undefined || others.length > 0 || only.builtIn !== undefined) return undefined;
  if (observing.length > 0 || unreadable || event.event === 'session_start') return undefined;
  if (event.tool !== undefined && event.tool.files.length > 1) return undefined; // it runs once for each
  if (pipeline.sessions.hasDeferred(event)) return undefined;
  return agent.encode(event, OBSERVE, { attended: agent.attended(frame.variables, frame.terminal) }).answer;
}
