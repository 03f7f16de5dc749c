import { type Agent, type NativeAnswer, OBSERVE } from '@piton/contracts';
import { matches, type RunResult, type Spawn } from '@piton/hooks';
import type { LifecyclePorts } from './ports.ts';
import type { PreparedFrame } from './prepared-frame.ts';
import { isCommand } from './received-frame.ts';

/** Hands the agent its answer before anything else is made of it. */
export type AnswerAtOnce = (answer: NativeAnswer) => void;

/** A run of which the agent hears nothing. A forwarder knows it by the same marks, and would have asked about anything else. */
export const isSilent = ({ exitCode, timedOut, stdoutCut, stderrCut, notStarted, stdout }: RunResult): boolean =>
  exitCode === 0 && stdout.length === 0 && !(timedOut || stdoutCut || stderrCut || notStarted);

/** A hook that says nothing is answered first, and recorded afterwards. */
export function answeringAtOnce(
  ports: LifecyclePorts,
  prepared: PreparedFrame,
  agent: Agent,
  run: Spawn,
  atOnce: AnswerAtOnce | undefined,
): Spawn {
  if (atOnce === undefined) return run;
  // A command takes it along. While a module runs there is time to make it.
  const ifSilent = prepared.deciding.some(isCommand) ? silentAnswer(ports, prepared, agent) : undefined;
  return (request) => {
    if (request.hook.module === undefined) return run(ifSilent === undefined ? request : { ...request, ifSilent });
    return firstAnswered(run(request), () => silentAnswer(ports, prepared, agent), atOnce);
  };
}

function firstAnswered(running: Promise<RunResult>, answerOf: () => NativeAnswer | undefined, atOnce: AnswerAtOnce): Promise<RunResult> {
  let answer: NativeAnswer | undefined;
  try {
    answer = answerOf();
  } catch {
    return running; // the usual way finds the same fault
  }
  if (answer === undefined) return running;
  const known = answer;
  return running.then((result) => {
    if (!isSilent(result)) return result;
    atOnce(known);
    return { ...result, answered: true };
  });
}

/**
 * What the agent hears if the one hook that runs says nothing: with this at hand nobody asks a second time what that means.
 * Nothing is decided then, so nothing has to be on disk first. Undefined where the answer hangs on more than that hook.
 */
function silentAnswer({ sessions }: LifecyclePorts, prepared: PreparedFrame, agent: Agent): NativeAnswer | undefined {
  const { event, deciding, observing, unreadable, frame } = prepared;
  const [only, ...others] = deciding.filter((hook) => hook.builtIn === undefined || matches(hook, event));
  if (only === undefined || others.length > 0 || only.builtIn !== undefined) return undefined;
  if (observing.length > 0 || unreadable || event.event === 'session_start') return undefined;
  if (event.tool !== undefined && event.tool.files.length > 1) return undefined; // it runs once for each
  if (sessions.hasDeferred(event)) return undefined;
  return agent.encode(event, OBSERVE, { attended: agent.attended(frame.variables, frame.terminal) }).answer;
}
