import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { commandFailure } from '../shared/portable/claude-response.ts';
import { contentOf, portableResponse } from '../shared/portable/content-response.ts';

/** The lines that Gemini CLI writes after the output of a command that went wrong. */
const COMMAND_FAILED =
  /\n(?:Exit Code: -?\d+|Signal: [^\n]+)(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*\n?(?:<\/untrusted_context>)?\s*$/;
const COMMAND_CANCELLED = /^(?:<untrusted_context>\n)?Command was (?:automatically cancelled|cancelled by user)/;
/** What it adds when a hook gave a new input. */
const CHANGED_INPUT = /\n\n\[System\] Tool input parameters[^\n]*$/;

const textIn = (response: JsonObject): string => contentOf(response).replace(CHANGED_INPUT, '');
const bare = (text: string): string => text.replace(/^<untrusted_context>\n/, '').replace(/\n<\/untrusted_context>\s*$/, '');

function commandError(text: string): string {
  const code = /\nExit Code: (-?\d+)(?:\n|$)/.exec(text)?.[1];
  return code === undefined ? text : commandFailure(code, text.replace(COMMAND_FAILED, '').replace(/^Output: /, ''));
}

/** How a tool failed, or undefined if it did not: AfterTool fires at either end. */
export function failureOf(tool: Tool, response: unknown): string | undefined {
  if (!isObject(response)) return undefined;
  if (isObject(response.error)) return textOf(response.error, 'message') ?? 'the tool failed';
  const text = textIn(response);
  return tool.kind === 'shell' && (COMMAND_FAILED.test(text) || COMMAND_CANCELLED.test(text)) ? commandError(bare(text)) : undefined;
}

export function decodeResponse(tool: Tool, response: unknown): unknown {
  if (!isObject(response)) return response;
  const text = textIn(response);
  return portableResponse(tool, response, bare(text), COMMAND_CANCELLED.test(text));
}
