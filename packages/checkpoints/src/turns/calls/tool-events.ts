import type { CanonicalEvent } from '@piton/contracts';
import type { Task } from '../messages.ts';

export const taskOf = ({ tool, agentId }: CanonicalEvent): Task => ({ toolUseId: tool?.useId, agentId });

/** The tool call that ran a subagent is over, however it ended. */
export const isTaskEnd = ({ event, tool }: CanonicalEvent): boolean =>
  (event === 'post_tool_use' || event === 'post_tool_use_failure') && tool?.kind === 'subagent';

export function taskName({ tool }: CanonicalEvent): string {
  const { description, prompt } = tool?.input ?? {};
  const words = typeof description === 'string' && description !== '' ? description : typeof prompt === 'string' ? prompt : 'subagent';
  return `Task: ${words}`;
}

export function todoOf({ portable, tool }: CanonicalEvent): { input: unknown; response: unknown } {
  return { input: tool?.input ?? portable, response: portable.tool_response };
}
