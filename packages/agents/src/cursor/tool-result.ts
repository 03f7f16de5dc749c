import type { Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

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
  return `Exit code ${exitCode}\n${textOf(output, 'output') ?? ''}`.trimEnd();
}

/** The output in the shape that hooks know from Claude Code. */
export function portableOutput(tool: Tool, output: unknown): unknown {
  if (tool.kind === 'shell' && isObject(output))
    return { stdout: textOf(output, 'output') ?? '', stderr: '', interrupted: false, isImage: false };
  return output;
}
