import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from './json-fields.ts';

/** The text for the model in a response `{ llmContent, returnDisplay }`, a form that two agents share. */
export function contentOf({ llmContent }: JsonObject): string {
  if (typeof llmContent === 'string') return llmContent;
  const parts: readonly unknown[] = Array.isArray(llmContent) ? llmContent : [llmContent];
  return parts.flatMap((part) => (isObject(part) ? (textOf(part, 'text') ?? []) : [])).join('\n');
}

/** Such a response in the shape of Claude Code's, where that has one of its own for this kind of tool. */
export function portableResponse(tool: Tool, response: JsonObject, text: string, interrupted: boolean): unknown {
  const shown = response.returnDisplay;
  if (tool.kind === 'shell') return { stdout: typeof shown === 'string' ? shown : text, stderr: '', interrupted };
  if (tool.kind === 'mcp') return [{ type: 'text', text }];
  if (tool.name === 'Read' && tool.files.length === 1 && response.error === undefined)
    return { type: 'text', file: { filePath: tool.files[0], content: text } };
  if (tool.kind === 'edit' && isObject(shown))
    return { filePath: textOf(shown, 'filePath') ?? tool.files[0], originalFile: shown.originalContent, content: shown.newContent };
  return response;
}
