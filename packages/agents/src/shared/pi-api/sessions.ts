import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { isObject, textOf } from '../json-fields.ts';

type Head = { readonly at: string | null; readonly id: string | null };

/** JSON lines, version 3: a tree of entries by `parentId`, appended in order. The payload names the file. pi and its forks write them. */
export const piSessions = (name: string): TranscriptFormat => ({
  name,
  read(text) {
    const consumed = text.lastIndexOf('\n') + 1;
    const lines = text.slice(0, consumed).split('\n');
    return { entries: lines.flatMap((line) => (line.trim() === '' ? [] : entriesOf(line))), consumed };
  },
});

function entriesOf(line: string): TranscriptEntry[] {
  const record = parse(line);
  if (record === undefined) return [{ at: null, id: null, kind: 'unknown', type: 'unreadable line' }];
  const head: Head = { at: textOf(record, 'timestamp') ?? null, id: textOf(record, 'id') ?? null };
  const type = textOf(record, 'type') ?? 'untyped line';
  const { message } = record;
  if (type !== 'message' || !isObject(message)) return [{ ...head, kind: 'unknown', type }];
  if (message.role === 'user') return promptOf(head, message);
  if (message.role === 'assistant') return answerOf(head, message);
  const useId = textOf(message, 'toolCallId');
  if (message.role === 'toolResult' && useId !== undefined)
    return [{ ...head, kind: 'tool-result', useId, failed: message.isError === true }];
  return [{ ...head, kind: 'unknown', type: `message of ${textOf(message, 'role') ?? 'nobody'}` }];
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

function promptOf(head: Head, { content }: JsonObject): TranscriptEntry[] {
  const texts = typeof content === 'string' ? [content] : blocksOf(content).flatMap((block) => textOf(block, 'text') ?? []);
  return texts.length === 0 ? [] : [{ ...head, kind: 'prompt', text: texts.join('\n') }];
}

function answerOf(head: Head, message: JsonObject): TranscriptEntry[] {
  const model = textOf(message, 'model') ?? null;
  const entries = blocksOf(message.content).flatMap((block): TranscriptEntry[] => {
    const [text, name, useId] = [textOf(block, 'text'), textOf(block, 'name'), textOf(block, 'id')];
    if (block.type === 'text' && text !== undefined) return [{ ...head, kind: 'answer', text, model }];
    if (block.type === 'toolCall' && name !== undefined && useId !== undefined)
      return [{ ...head, kind: 'tool-call', name, useId, input: block.arguments }];
    return [];
  });
  if (!isObject(message.usage)) return entries;
  const { usage } = message;
  const count = (field: string): number => (typeof usage[field] === 'number' ? usage[field] : 0);
  return [
    ...entries,
    {
      ...head,
      kind: 'usage',
      model,
      input: count('input'),
      output: count('output'),
      cacheRead: count('cacheRead'),
      cacheWrite: count('cacheWrite'),
      cacheWrite1h: 0,
      // pi calls it one way, oh-my-pi the other.
      reasoning: count('reasoning') || count('reasoningTokens'),
    },
  ];
}
