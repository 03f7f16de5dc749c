import type { JsonObject, Tool } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../json-fields.ts';
import { claudeResponse } from './claude-response.ts';

/** The text for the model in a response `{ llmContent, returnDisplay }`, a form that two agents share. */
export function contentOf({ llmContent }: JsonObject): string {
  if (typeof llmContent === 'string') return llmContent;
  const parts: readonly unknown[] = Array.isArray(llmContent) ? llmContent : [llmContent];
  return parts.flatMap((part) => (isObject(part) ? (textOf(part, 'text') ?? []) : [])).join('\n');
}

/** Such a response in the shape of Claude Code's. */
export function portableResponse(tool: Tool, response: JsonObject, text: string, interrupted: boolean): unknown {
  const { returnDisplay: shown } = response;
  const display = fieldsOf(shown);
  const { originalContent: original, isNewFile } = display;
  return claudeResponse(tool, {
    text: tool.kind === 'shell' && typeof shown === 'string' ? shown : text,
    interrupted,
    before: typeof original === 'string' && isNewFile !== true && (original !== '' || tool.name !== 'Write') ? original : null,
    after: typeof display.newContent === 'string' ? display.newContent : undefined,
    diff: textOf(display, 'fileDiff'),
  });
}
