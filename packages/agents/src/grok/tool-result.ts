import type { JsonObject, Tool } from '@piton/contracts';
import { asTextForModel } from '../shared/answer-rules.ts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';

/** Where a result has the text that the model reads, by its type: the object inside, if there is one, and the field. */
const TEXTS: Readonly<Record<string, readonly [inside: string | null, field: string]>> = {
  Bash: [null, 'output_for_prompt'],
  SearchReplace: ['EditsApplied', 'tool_output_for_prompt'],
  ReadFile: ['FileContent', 'content'],
  ListDir: ['Content', 'content'],
  Todo: ['TodosUpdated', 'summary_for_prompt'],
  SubagentCompleted: [null, 'output'],
  Text: [null, 'text'],
};

/** The output of a search stands as bytes, for people and the model alike. */
const BYTES: Readonly<Record<string, string>> = { GrepSearch: 'stdout' };
const bytesField = (result: JsonObject): string | undefined => {
  const type = textOf(result, 'type') ?? '';
  return Object.hasOwn(BYTES, type) ? BYTES[type] : undefined;
};
const textInBytes = (value: unknown): string | undefined =>
  Array.isArray(value) ? Buffer.from(value.filter((byte) => typeof byte === 'number')).toString('utf8') : undefined;
/** What stands around the lines that were found. */
const FRAME = /^<workspace_result[^\n]*>\n|\n?<\/workspace_result>\s*$/g;

const placeIn = (result: JsonObject): readonly [string | null, string] | undefined => {
  const type = textOf(result, 'type') ?? '';
  return Object.hasOwn(TEXTS, type) ? TEXTS[type] : undefined;
};

/** What the model reads, as the line before the output of a command says it. */
const EXIT_LINE = /^exit: -?\d+\n/;

/** A call that came to nothing is told as one that succeeded: only its result shows it. */
export function failureOf(tool: Tool, response: unknown): string | undefined {
  if (!isObject(response)) return undefined;
  if (tool.kind === 'shell') {
    const { exit_code: code } = response;
    if (typeof code !== 'number' || code === 0) return undefined;
    return commandFailure(code, (textOf(response, 'output_for_prompt') ?? '').replace(EXIT_LINE, ''));
  }
  const [inside] = placeIn(response) ?? [null];
  if (inside === null || isObject(response[inside])) return undefined;
  const [what, said] = Object.entries(response).find(([key]) => key !== 'type') ?? [];
  return what === undefined ? undefined : (textOf({ said }, 'said') ?? textOf(fieldsOf(said), 'message') ?? what);
}

/** The result in the shape that hooks know from Claude Code. */
export function portableResponse(tool: Tool, response: unknown): unknown {
  if (!isObject(response)) return response;
  if (response.type === 'MCP') return claudeResponse(tool, { text: textOf(fieldsOf(response.output), 'OkayOutput') ?? '' });
  const bytes = bytesField(response);
  if (bytes !== undefined) return claudeResponse(tool, { text: (textInBytes(response[bytes]) ?? '').replace(FRAME, '') });
  const [inside, field] = placeIn(response) ?? [null, ''];
  const holder = inside === null ? response : fieldsOf(response[inside]);
  if (tool.kind === 'read') return claudeResponse(tool, { text: textOf(holder, 'raw_output') ?? textOf(holder, field) ?? '' });
  const text = textOf(holder, field);
  if (tool.kind === 'subagent' && text !== undefined) {
    const [, started] = /^Subagent started in background[\s\S]*?^subagent_id: (\S+)$/m.exec(text) ?? [];
    return claudeResponse(tool, { text, agentId: started ?? textOf(response, 'subagent_id'), launched: started !== undefined });
  }
  if (text === undefined) return tool.kind === 'shell' ? claudeResponse(tool, { text: textOf(response, 'summary') ?? '' }) : response;
  return claudeResponse(tool, { text: tool.kind === 'shell' ? text.replace(EXIT_LINE, '') : text, diff: diffOf(holder) });
}

/** The change as a diff: each place with its line before and after. */
function diffOf({ edits }: JsonObject): string | undefined {
  const { details } = fieldsOf(edits);
  if (!Array.isArray(details)) return undefined;
  return details.filter(isObject).map(hunkOf).join('\n');
}

function hunkOf(detail: JsonObject): string {
  const side = (text: unknown): string[] => (typeof text === 'string' && text !== '' ? text.replace(/\n$/, '').split('\n') : []);
  const [before, after] = [side(detail.old_string), side(detail.new_string)];
  const head = `@@ -${Number(detail.old_line)},${before.length} +${Number(detail.new_line)},${after.length} @@`;
  return [head, ...before.map((line) => `-${line}`), ...after.map((line) => `+${line}`)].join('\n');
}

export type NativeResult = { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly note: string };

/** A new output as Grok Build takes it: a text for an MCP tool, else the result that it told, with another text for the model. */
export function nativeResult(response: unknown, output: unknown): NativeResult {
  const text = (isObject(output) && textOf(output, 'stdout')) || asTextForModel(output);
  const result = fieldsOf(response);
  if (result.type === 'MCP') return { ok: true, value: text };
  const bytes = bytesField(result);
  if (bytes !== undefined) return { ok: true, value: { ...result, [bytes]: [...Buffer.from(text)] } };
  const place = placeIn(result);
  const [inside, field] = place ?? [null, ''];
  if (place === undefined || (inside !== null && !isObject(result[inside])))
    return { ok: false, note: 'the result of this tool has no text that could be rewritten' };
  if (inside !== null) return { ok: true, value: { ...result, [inside]: { ...fieldsOf(result[inside]), [field]: text } } };
  return { ok: true, value: { ...result, [field]: text, ...(Array.isArray(result.output) && { output: [...Buffer.from(text)] }) } };
}
