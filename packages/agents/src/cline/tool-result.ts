import type { JsonObject, Tool } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';

/** What came of each part of a call: one entry, or one for each command or file. */
const partsOf = (output: unknown): JsonObject[] => (Array.isArray(output) ? output : [output]).filter(isObject);

/** How a tool failed, or undefined if it did not: PostToolUse fires at either end, and its own `success` is true at both. */
export function failureOf(result: JsonObject, old: JsonObject): string | undefined {
  const said = textOf(result, 'error');
  if (said !== undefined) return said;
  const failed = partsOf(result.output).filter((part) => part.success === false || part.isError === true);
  const texts = failed.map((part) => textOf(part, 'error') ?? textOf(part, 'result') ?? textIn(part.content));
  if (failed.length > 0) return texts.filter(Boolean).join('\n') || 'the tool failed';
  return old.success === false || old.success === 'false' ? (textOf(old, 'result') ?? 'the tool failed') : undefined;
}

const textIn = (content: unknown): string =>
  partsOf(content)
    .flatMap((part) => textOf(part, 'text') ?? [])
    .join('\n');

/** A tool's output in the shape of Claude Code's, where that has one of its own for this kind. */
export function portableResponse(tool: Tool, output: unknown): unknown {
  const parts = partsOf(output);
  const text = parts.map((part) => textOf(part, 'result') ?? '').join('');
  if (tool.kind === 'shell' && parts.length > 0) return { stdout: text, stderr: '', interrupted: false };
  if (tool.kind === 'edit' && tool.files.length === 1) return { filePath: tool.files[0], ...fieldsOf(output) };
  if (tool.name === 'Read' && tool.files.length === 1 && parts.length === 1)
    return { type: 'text', file: { filePath: tool.files[0], content: text } };
  if (tool.kind === 'mcp' && isObject(output) && Array.isArray(output.content)) return output.content;
  return output;
}
