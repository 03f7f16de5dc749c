import { type Agent, type NativeAnswer, OBSERVE } from '@piton/contracts';
import { matches, type RunResult, type Spawn } from '@piton/hooks';
import type { LifecyclePorts } from './ports.ts';
import type { PreparedFrame } from './prepared-frame.ts';
import { isCommand } from './received-frame.ts';

/** Sends the agent its answer before the run is processed further. */
export type AnswerAtOnce = (answer: NativeAnswer) => void;

/** A run without any effect on the agent. The forwarder uses the same test, and reports every other run before it answers. */
export const isSilent = ({ exitCode, timedOut, stdoutCut, stderrCut, notStarted, stdout }: RunResult): boolean =>
  exitCode === 0 && stdout.length === 0 && !(timedOut || stdoutCut || stderrCut || notStarted);

/** If a hook is silent, the agent is answered first, and the run recorded after that. */
export function answeringAtOnce(
  ports: LifecyclePorts,
  prepared: PreparedFrame,
  agent: Agent,
  run: Spawn,
  atOnce: AnswerAtOnce | undefined,
): Spawn {
  if (atOnce === undefined) return run;
  // A command gets the answer with its request. For a module it is built while the module runs.
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
    return running; // the normal path hits the same error
  }
  if (answer === undefined) return running;
  const silent = answer;
  return running.then((result) => {
    if (!isSilent(result)) return result;
    atOnce(silent);
    return { ...result, answered: true };
  });
}

/**
 * The answer if the only hook that runs is silent. With it the forwarder can answer without another round trip.
 * Nothing is decided then, so nothing has to be on disk first. Undefined if the answer depends on more than that hook.
 */
function silentAnswer({ sessions }: LifecyclePorts, prepared: PreparedFrame, agent: Agent): NativeAnswer | undefined {
  const { event, deciding, observing, incomplete, frame } = prepared;
  const [only, ...others] = deciding.filter((hook) => hook.builtIn === undefined || matches(hook, event));
  if (only === undefined || others.length > 0 || only.builtIn !== undefined) return undefined;
  if (observing.length > 0 || incomplete !== undefined || event.event === 'session_start') return undefined;
  if (event.tool?.kind === 'edit' && event.tool.files.length > 1) return undefined; // it runs once for each
  if (sessions.hasDeferred(event)) return undefined;
  return agent.encode(event, OBSERVE, { attended: agent.attended(frame.variables, frame.terminal) }).answer;
}
