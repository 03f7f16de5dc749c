import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { type Head, inputBesideCache, numberOf } from '../shared/json-lines.ts';

/** One JSON object that is written anew as a whole: always read from the start, entries known by their ids. */
export const transcript: TranscriptFormat = {
  name: 'cline-json',
  locate({ sessionId, env }) {
    const clean = (path: string | undefined) => path?.trim().replace(/[\\/]+$/, '');
    const data = clean(env.CLINE_DATA_DIR) || `${clean(env.CLINE_DIR) || '.cline'}/data`;
    const sessions = clean(env.CLINE_SESSION_DATA_DIR) || `${data}/sessions`;
    return sessionId === '' ? null : `${sessions}/${sessionId}/${sessionId}.messages.json`;
  },
  read(text) {
    const { messages } = parse(text);
    const entries = (Array.isArray(messages) ? messages : []).flatMap((message) => entriesOf(fieldsOf(message)));
    return { entries, consumed: 0 };
  },
};

/** While it is being written it cannot be read: the next time it can. */
function parse(text: string): JsonObject {
  try {
    return fieldsOf(JSON.parse(text));
  } catch {
    return {};
  }
}

function entriesOf(message: JsonObject): TranscriptEntry[] {
  const at = typeof message.ts === 'number' && Number.isFinite(message.ts) ? timeOf(message.ts) : null;
  const head: Head = { at, id: textOf(message, 'id') ?? null };
  const { content } = message;
  const blocks = typeof content === 'string' ? [{ type: 'text', text: content }] : Array.isArray(content) ? content.filter(isObject) : [];
  if (message.role === 'assistant') return modelEntries(head, message, blocks);
  if (message.role === 'user') return userEntries(head, blocks);
  return [{ ...head, kind: 'unknown', type: textOf(message, 'role') ?? 'message of nobody' }];
}

const timeOf = (ms: number): string | null => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : null);

function modelEntries(head: Head, message: JsonObject, blocks: readonly JsonObject[]): TranscriptEntry[] {
  const model = textOf(fieldsOf(message.modelInfo), 'id') ?? null;
  const said = blocks.flatMap((block): TranscriptEntry[] => {
    const [text, name, useId] = [textOf(block, 'text'), textOf(block, 'name'), textOf(block, 'id')];
    if (block.type === 'text' && text !== undefined) return [{ ...head, kind: 'answer', text, model }];
    if (block.type === 'tool_use' && name !== undefined && useId !== undefined)
      return [{ ...head, kind: 'tool-call', name, useId, input: block.input }];
    return [];
  });
  if (!isObject(message.metrics)) return said;
  const { metrics } = message;
  const count = (field: string) => numberOf(metrics, field);
  const [cacheRead, cacheWrite] = [count('cacheReadTokens'), count('cacheWriteTokens')];
  return [
    ...said,
    {
      ...head,
      kind: 'usage',
      model,
      input: inputBesideCache(count('inputTokens'), cacheRead, cacheWrite),
      output: count('outputTokens'),
      cacheRead,
      cacheWrite,
      cacheWrite1h: 0,
      reasoning: 0,
    },
  ];
}

/** What a person types is wrapped; what hooks add stands beside it. */
const TYPED = /^<user_input(?: [^>]*)?>([\s\S]*)<\/user_input>$/;

function userEntries(head: Head, blocks: readonly JsonObject[]): TranscriptEntry[] {
  return blocks.flatMap((block): TranscriptEntry[] => {
    const useId = textOf(block, 'tool_use_id');
    if (block.type === 'tool_result' && useId !== undefined) return [{ ...head, kind: 'tool-result', useId, failed: hasFailed(block) }];
    const text = textOf(block, 'text');
    if (block.type !== 'text' || text === undefined) return [];
    const typed = TYPED.exec(text.trim())?.[1];
    return [
      typed === undefined ? { ...head, kind: 'unknown', type: 'note in the name of the user' } : { ...head, kind: 'prompt', text: typed },
    ];
  });
}

function hasFailed(block: JsonObject): boolean {
  const { content } = block;
  const value = typeof content === 'string' ? parse(content) : content;
  const parts = (Array.isArray(value) ? value : [value]).filter(isObject);
  return block.is_error === true || parts.some((part) => part.success === false || part.isError === true);
}
