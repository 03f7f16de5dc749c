import type { JsonObject, Tool } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';

/** What came of each part of a call: one entry, or one for each command or file. */
const partsOf = (output: unknown): JsonObject[] => (Array.isArray(output) ? output : [output]).filter(isObject);

/** How a tool failed, or undefined if it did not: PostToolUse fires at either end, and its own `success` is true at both. */
export function failureOf(result: JsonObject, old: JsonObject): string | undefined {
  const said = textOf(result, 'error');
  if (said !== undefined) return said;
  const failed = partsOf(result.output).filter((part) => part.success === false || part.isError === true);
  const texts = failed.map((part) => commandError(part) ?? textOf(part, 'error') ?? textOf(part, 'result') ?? textIn(part.content));
  if (failed.length > 0) return texts.filter(Boolean).join('\n') || 'the tool failed';
  return old.success === false || old.success === 'false' ? (textOf(old, 'result') ?? 'the tool failed') : undefined;
}

function commandError(part: JsonObject): string | undefined {
  const [, code, own = '', errors = ''] = FAILED_COMMAND.exec(textOf(part, 'result') ?? '') ?? [];
  return code === undefined ? undefined : commandFailure(code, [own.trimEnd(), errors].filter(Boolean).join('\n'));
}

const textIn = (content: unknown): string =>
  partsOf(content)
    .flatMap((part) => textOf(part, 'text') ?? [])
    .join('\n');

/** A command that failed, with what it wrote to stderr apart. */
const FAILED_COMMAND = /^\[Command exited with code (-?\d+)\]\n\n?([\s\S]*?)\n?(?:\[stderr\]\n([\s\S]*))?$/;

/** Cline shows lines with their numbers. */
const NUMBERED = /^ *\d+ \| ?/;
function withoutNumbers(text: string): string {
  const lines = text.split('\n');
  return lines.every((line, at) => NUMBERED.test(line) || (line === '' && at === lines.length - 1))
    ? lines.map((line) => line.replace(NUMBERED, '')).join('\n')
    : text;
}

/** A tool's output in the shape of Claude Code's, where that has one of its own for this kind. */
export function portableResponse(tool: Tool, output: unknown): unknown {
  if (typeof output === 'string') return claudeResponse(tool, { text: output });
  const parts = partsOf(output);
  if (parts.length === 0) return output;
  const text = parts.map((part) => textOf(part, 'result') ?? textOf(part, 'text') ?? '').join('');
  const [, code, own, errors] = FAILED_COMMAND.exec(text) ?? [];
  const blocks = fieldsOf(output).content;
  return claudeResponse(tool, {
    text: code !== undefined ? (own ?? '') : tool.kind === 'read' ? withoutNumbers(text) : text,
    stderr: errors,
    ...(Array.isArray(blocks) && { blocks }),
  });
}
