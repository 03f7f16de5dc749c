import type { Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';

/** The output is JSON inside a text. */
export function outputOf(text: unknown): unknown {
  if (typeof text !== 'string') return text;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** Why a command has failed, though the event is that of a success. */
export function failureOf(tool: Tool, output: unknown): string | undefined {
  if (tool.kind !== 'shell' || !isObject(output)) return undefined;
  const { exitCode } = output;
  if (typeof exitCode !== 'number' || exitCode === 0) return undefined;
  return commandFailure(exitCode, textOf(output, 'output') ?? '');
}

/** The output in the shape that hooks know from Claude Code. */
export function portableOutput(tool: Tool, output: unknown): unknown {
  if (tool.kind === 'shell' && isObject(output)) return claudeResponse(tool, { text: textOf(output, 'output') ?? '' });
  if (typeof output === 'string') return claudeResponse(tool, { text: output });
  if (!isObject(output)) return output;
  if (Array.isArray(output.content)) return claudeResponse(tool, { text: '', blocks: output.content });
  const text = textOf(output, 'content') ?? textOf(output, 'output') ?? textOf(output, 'result');
  return text === undefined && tool.kind !== 'edit' ? output : claudeResponse(tool, { text: text ?? '' });
}
