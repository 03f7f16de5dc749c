import { isObject } from '../shared/json-fields.ts';

export type ShapedOutput = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly note: string };

const shaped = (value: unknown): ShapedOutput => ({ ok: true, value });
const asText = (output: unknown): string => (typeof output === 'string' ? output : JSON.stringify(output));

/**
 * Claude Code drops a new output that has not the shape of the tool's own, without a word (seen in 2.1.325), so a text
 * goes where that tool keeps its text.
 */
export function shapeOutput(response: unknown, output: unknown): ShapedOutput {
  if (typeof response === 'string') return shaped(asText(output));
  if (Array.isArray(response)) return shaped(Array.isArray(output) ? output : [{ type: 'text', text: asText(output) }]);
  if (!isObject(response)) return { ok: false, note: 'the tool has no output that could be rewritten' };

  if ('stdout' in response) {
    const blank = { stdout: '', stderr: '', interrupted: false, isImage: false };
    return shaped(isObject(output) ? { ...blank, ...output } : { ...blank, stdout: asText(output) });
  }
  if (isObject(output)) return shaped(output);
  const text = asText(output);
  if (isObject(response.file) && typeof response.file.content === 'string') {
    const lines = text.split('\n').length;
    return shaped({ ...response, file: { ...response.file, content: text, numLines: lines, totalLines: lines } });
  }
  if (Array.isArray(response.content)) return shaped({ ...response, content: [{ type: 'text', text }] });
  if (typeof response.result === 'string') return shaped({ ...response, result: text });
  return { ok: false, note: 'a text does not fit the output of this tool: give an object of its shape' };
}
