import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { numberOf } from '../shared/json-lines.ts';

type Head = { readonly at: string | null; readonly id: string | null };

/** The settings of a session, written anew as a whole: the sum of its tokens is among them. */
const settings: TranscriptFormat = {
  name: 'droid-settings',
  sums: true,
  read(text) {
    const value = parse(text);
    const usage = value?.tokenUsage;
    if (value === undefined || !isObject(usage)) return { entries: [], consumed: 0 };
    const count = (field: string): number => numberOf(usage, field);
    const sum = { input: count('inputTokens'), output: count('outputTokens'), reasoning: count('thinkingTokens') };
    const cache = { cacheRead: count('cacheReadTokens'), cacheWrite: count('cacheCreationTokens'), cacheWrite1h: 0 };
    return {
      entries: [{ at: null, id: 'all of the session', kind: 'usage', model: textOf(value, 'model') ?? null, ...sum, ...cache }],
      consumed: 0,
    };
  },
};

/** JSON lines. How many tokens were used stands in another file beside it. What is not understood becomes `unknown`. */
export const transcript: TranscriptFormat = {
  name: 'droid-jsonl',
  holdsLastMessage: true,
  beside: { locate: (path) => (path.endsWith('.jsonl') ? path.replace(/\.jsonl$/, '.settings.json') : null), format: settings },
  locate: ({ sessionId, cwd }) => `.factory/sessions/${cwd.replace(/[\\/:]/g, '-')}/${sessionId}.jsonl`,
  read(text) {
    const consumed = text.lastIndexOf('\n') + 1;
    const lines = text.slice(0, consumed).split('\n');
    return { entries: lines.flatMap((line) => (line.trim() === '' ? [] : entriesOf(line))), consumed };
  },
};

function entriesOf(line: string): TranscriptEntry[] {
  const record = parse(line);
  if (record === undefined) return [{ at: null, id: null, kind: 'unknown', type: 'unreadable line' }];
  const head: Head = { at: textOf(record, 'timestamp') ?? null, id: textOf(record, 'id') ?? null };
  const type = textOf(record, 'type') ?? 'untyped line';
  const { message } = record;
  const unknown = (what: string): TranscriptEntry[] => [{ ...head, kind: 'unknown', type: what }];
  if (type !== 'message' || !isObject(message)) return unknown(type);
  if (message.hookEventName !== undefined) return unknown('what hooks said');
  const entries = message.role === 'assistant' ? assistantEntries(head, message) : userEntries(head, message);
  return entries.length > 0 ? entries : unknown('message');
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const blocksOf = (content: unknown): JsonObject[] => (Array.isArray(content) ? content.filter(isObject) : []);

function assistantEntries(head: Head, message: JsonObject): TranscriptEntry[] {
  const model = textOf(message, 'modelId') ?? null;
  return blocksOf(message.content).flatMap((block): TranscriptEntry[] => {
    const [text, name, useId] = [textOf(block, 'text'), textOf(block, 'name'), textOf(block, 'id')];
    if (block.type === 'text' && text !== undefined) return [{ ...head, kind: 'answer', text, model }];
    if (block.type === 'tool_use' && name !== undefined && useId !== undefined)
      return [{ ...head, kind: 'tool-call', name, useId, input: block.input }];
    return [];
  });
}

function userEntries(head: Head, message: JsonObject): TranscriptEntry[] {
  const blocks = blocksOf(message.content);
  const results = blocks.flatMap((block): TranscriptEntry[] => {
    const useId = textOf(block, 'tool_use_id');
    return block.type === 'tool_result' && useId !== undefined
      ? [{ ...head, kind: 'tool-result', useId, failed: block.is_error === true }]
      : [];
  });
  // Droid also writes to the model in the name of the user, out of the user's sight.
  if (message.visibility === 'llm_only') return results;
  const text = blocks.flatMap((block) => (block.type === 'text' ? (textOf(block, 'text') ?? []) : [])).join('\n');
  return text === '' ? results : [...results, { ...head, kind: 'prompt', text }];
}
