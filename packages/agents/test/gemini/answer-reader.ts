import type { JsonObject, NativeAnswer } from '@piton/contracts';
import type { AgentEffect } from '@piton/testing/conformance';

/** The documented form of an answer, as far as we use it. */
export interface GeminiAnswer {
  readonly continue?: boolean;
  readonly stopReason?: string;
  readonly systemMessage?: string;
  readonly decision?: string;
  readonly reason?: string;
  readonly hookSpecificOutput?: {
    readonly hookEventName: string;
    readonly additionalContext?: string;
    readonly tool_input?: JsonObject;
  };
}

const TAKES_CONTEXT = ['SessionStart', 'BeforeAgent', 'AfterTool'];

/** What Gemini CLI does with a hook's output, written from its documentation and program text. Shares nothing with the encoder. */
export function readAnswer({ stdout, stderr, exitCode }: NativeAnswer, event: string): AgentEffect {
  if (exitCode !== 0 || stderr !== '') throw new Error('only exit 0 with a silent stderr is part of our dealings');
  if (stdout === '') return {};
  const answer = JSON.parse(stdout) as GeminiAnswer;
  const reason = answer.stopReason || answer.reason || 'No reason provided';
  const blocked = answer.decision === 'deny' || answer.decision === 'block' || answer.continue === false;
  const specific = answer.hookSpecificOutput;
  const effects: AgentEffect[] = [];
  if (event === 'BeforeTool') {
    if (blocked) effects.push({ denied: reason });
    else if (answer.decision === 'ask') effects.push({ asked: answer.systemMessage ?? '' });
    if (!blocked && specific?.tool_input !== undefined) effects.push({ input: specific.tool_input });
  }
  if (event === 'BeforeAgent' && blocked) effects.push({ denied: reason });
  if (event === 'AfterAgent' && blocked && answer.continue !== false) effects.push({ goesOn: reason });
  if (event === 'AfterTool' && blocked) effects.push({ output: reason });
  if (!blocked && specific?.additionalContext !== undefined && TAKES_CONTEXT.includes(event))
    effects.push({ context: specific.additionalContext });
  return Object.assign({}, ...effects);
}
