import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

/** The lines that Gemini CLI writes after the output of a command that went wrong. */
const COMMAND_FAILED =
  /\n(?:Exit Code: -?\d+|Signal: [^\n]+)(?:\n(?:Signal|Background PIDs|Process Group PGID): [^\n]*)*\n?(?:<\/untrusted_context>)?\s*$/;
/** What it adds when a hook gave a new input. */
const CHANGED_INPUT = /\n\n\[System\] Tool input parameters[^\n]*$/;
const COMMAND_CANCELLED = /^(?:<untrusted_context>\n)?Command was (?:automatically cancelled|cancelled by user)/;

/** How a tool failed, or undefined if it did not: AfterTool fires at either end. */
export function failureOf(tool: Tool, response: unknown): string | undefined {
  if (!isObject(response)) return undefined;
  if (isObject(response.error)) return textOf(response.error, 'message') ?? 'the tool failed';
  const text = contentOf(response);
  return tool.kind === 'shell' && (COMMAND_FAILED.test(text) || COMMAND_CANCELLED.test(text)) ? bare(text) : undefined;
}

/** A tool's response in the shape of Claude Code's, where that has one of its own for this kind. */
export function portableResponse(tool: Tool, response: unknown): unknown {
  if (!isObject(response)) return response;
  const shown = response.returnDisplay;
  const text = contentOf(response);
  if (tool.kind === 'shell')
    return { stdout: typeof shown === 'string' ? shown : bare(text), stderr: '', interrupted: COMMAND_CANCELLED.test(text) };
  if (tool.kind === 'mcp') return [{ type: 'text', text: bare(text) }];
  if (tool.name === 'Read' && tool.files.length === 1 && response.error === undefined)
    return { type: 'text', file: { filePath: tool.files[0], content: text } };
  if (tool.kind === 'edit' && isObject(shown))
    return { filePath: textOf(shown, 'filePath') ?? tool.files[0], originalFile: shown.originalContent, content: shown.newContent };
  return response;
}

function contentOf({ llmContent }: JsonObject): string {
  if (typeof llmContent === 'string') return llmContent.replace(CHANGED_INPUT, '');
  const parts: readonly unknown[] = Array.isArray(llmContent) ? llmContent : [llmContent];
  return parts.flatMap((part) => (isObject(part) ? (textOf(part, 'text') ?? []) : [])).join('\n');
}

const bare = (text: string): string => text.replace(/^<untrusted_context>\n/, '').replace(/\n<\/untrusted_context>\s*$/, '');
