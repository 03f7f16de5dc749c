import type { Tool } from '@piton/contracts';
import { asTextForModel } from '../shared/answer-rules.ts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';

/** What the model would read of a result, in either dialect. */
export function textOfResult(result: unknown): string | undefined {
  if (!isObject(result)) return undefined;
  const text = result.textResultForLlm ?? result.text_result_for_llm;
  return typeof text === 'string' ? text : undefined;
}

const EXIT_CODE = /<(?:shellId|commandId): [^>]*? completed with exit code (-?\d+)>\s*$/;

/** A command that ends with another code than 0 counts as a success for Copilot CLI: only its text shows the failure. */
export function failureOf(tool: Tool, result: unknown): string | undefined {
  if (tool.kind !== 'shell') return undefined;
  const text = textOfResult(result) ?? '';
  const code = EXIT_CODE.exec(text)?.[1];
  return code === undefined || code === '0' ? undefined : commandFailure(code, text.replace(EXIT_CODE, ''));
}

/** The result in the shape that hooks know from Claude Code. */
export function portableResult(tool: Tool, result: unknown): unknown {
  const text = textOfResult(result);
  return text === undefined ? result : claudeResponse(tool, { text: tool.kind === 'shell' ? text.replace(EXIT_CODE, '') : text });
}

/** The new result in the form that Copilot CLI takes: always text. */
export const nativeResult = (output: unknown): { resultType: 'success'; textResultForLlm: string } => ({
  resultType: 'success',
  textResultForLlm: textIn(output),
});

const textIn = (output: unknown): string => (isObject(output) && textOf(output, 'stdout')) || asTextForModel(output);
