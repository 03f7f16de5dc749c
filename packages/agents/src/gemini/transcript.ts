import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { type Head, inputBesideCache, lastOfEach, numberOf, readJsonLines } from '../shared/json-lines.ts';
import { ownPrompt } from './own-prompt.ts';

/** JSON lines. A message is written again under its id when its tool calls have ended: the last line counts. */
export const transcript: TranscriptFormat = {
  name: 'gemini-jsonl',
  holdsLastMessage: true,
  read(text) {
    const { entries, consumed } = readJsonLines(text, entriesOf);
    return { entries: lastOfEach(entries, keyOf), consumed };
  },
};

function keyOf(entry: TranscriptEntry): string | null {
  if (entry.kind === 'tool-call') return `call ${entry.useId}`;
  return entry.kind === 'usage' || entry.kind === 'answer' ? `${entry.kind} ${entry.id}` : null;
}

function entriesOf(record: JsonObject): TranscriptEntry[] {
  const head: Head = { at: textOf(record, 'timestamp') ?? null, id: textOf(record, 'id') ?? null };
  const type = textOf(record, 'type') ?? Object.keys(record).find((key) => key.startsWith('$')) ?? 'untyped line';
  if (head.id === null) return [{ ...head, kind: 'unknown', type }];
  if (type === 'gemini') return modelEntries(head, record);
  if (type === 'user') return userEntries(head, record);
  return [{ ...head, kind: 'unknown', type }];
}

const listOf = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

const textIn = (content: unknown): string =>
  typeof content === 'string'
    ? content
    : listOf(content)
        .flatMap((part) => textOf(part, 'text') ?? [])
        .join('\n');

function modelEntries(head: Head, record: JsonObject): TranscriptEntry[] {
  const model = textOf(record, 'model') ?? null;
  const text = textIn(record.content);
  const calls = listOf(record.toolCalls).flatMap((call): TranscriptEntry[] => {
    const [name, useId] = [textOf(call, 'name'), textOf(call, 'id')];
    return name !== undefined && useId !== undefined ? [{ ...head, kind: 'tool-call', name, useId, input: call.args }] : [];
  });
  const { tokens } = record;
  return [
    ...(text === '' ? [] : [{ ...head, kind: 'answer', text, model } as const]),
    ...calls,
    ...(isObject(tokens) ? [usageOf(head, model, tokens)] : []),
  ];
}

/** Gemini counts what came from the cache as part of the input. */
function usageOf(head: Head, model: string | null, tokens: JsonObject): TranscriptEntry {
  const cacheRead = numberOf(tokens, 'cached');
  return {
    ...head,
    kind: 'usage',
    model,
    // What tools answered inside of a request is counted beside the prompt.
    input: inputBesideCache(numberOf(tokens, 'input'), cacheRead, 0) + numberOf(tokens, 'tool'),
    output: numberOf(tokens, 'output') + numberOf(tokens, 'thoughts'),
    reasoning: numberOf(tokens, 'thoughts'),
    cacheRead,
    cacheWrite: 0,
    cacheWrite1h: 0,
  };
}

function userEntries(head: Head, record: JsonObject): TranscriptEntry[] {
  const results = listOf(record.content).flatMap(({ functionResponse: answer }): TranscriptEntry[] => {
    const useId = isObject(answer) ? textOf(answer, 'id') : undefined;
    if (!isObject(answer) || useId === undefined) return [];
    return [{ ...head, kind: 'tool-result', useId, failed: isObject(answer.response) && 'error' in answer.response }];
  });
  const text = ownPrompt(textIn(record.content));
  return text === '' ? results : [...results, { ...head, kind: 'prompt', text }];
}
