import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { type Head, inputBesideCache, numberOf, readJsonLines } from '../shared/json-lines.ts';

/** JSON lines, each with an id of its own. After a rewind those of the dead branch stay in the file. */
export const transcript: TranscriptFormat = {
  name: 'qwen-jsonl',
  locate({ sessionId, cwd, env }) {
    const base = (env.QWEN_RUNTIME_DIR || env.QWEN_HOME || '.qwen').replace(/[\\/]+$/, '');
    return `${base}/projects/${cwd.replace(/[^A-Za-z0-9]/g, '-')}/chats/${sessionId}.jsonl`;
  },
  read: (text) => readJsonLines(text, entriesOf),
};

function entriesOf(record: JsonObject): TranscriptEntry[] {
  const head: Head = { at: textOf(record, 'timestamp') ?? null, id: textOf(record, 'uuid') ?? null };
  const type = textOf(record, 'subtype') ?? textOf(record, 'type') ?? 'untyped line';
  const parts = partsOf(record.message);
  if (record.type === 'assistant') return modelEntries(head, record, parts);
  if (record.type === 'tool_result') return parts.flatMap((part) => resultOf(head, part));
  const text = textIn(parts);
  // What Qwen Code itself says in the name of the user is no prompt; older versions do not mark it.
  const byPerson = record.provenance === undefined || record.provenance === 'real_user';
  if (record.type === 'user' && byPerson && text !== '') return [{ ...head, kind: 'prompt', text }];
  return [{ ...head, kind: 'unknown', type }];
}

function partsOf(message: unknown): JsonObject[] {
  const { parts } = fieldsOf(message);
  return Array.isArray(parts) ? parts.filter(isObject) : [];
}

const textIn = (parts: readonly JsonObject[]): string =>
  parts.flatMap((part) => (part.thought === true ? [] : (textOf(part, 'text') ?? []))).join('\n');

function modelEntries(head: Head, record: JsonObject, parts: readonly JsonObject[]): TranscriptEntry[] {
  const model = textOf(record, 'model') ?? null;
  const text = textIn(parts);
  const calls = parts.flatMap(({ functionCall: call }): TranscriptEntry[] => {
    const [name, useId] = [textOf(fieldsOf(call), 'name'), textOf(fieldsOf(call), 'id')];
    return name !== undefined && useId !== undefined ? [{ ...head, kind: 'tool-call', name, useId, input: fieldsOf(call).args }] : [];
  });
  const usage = record.usageMetadata;
  return [
    ...(text === '' ? [] : [{ ...head, kind: 'answer', text, model } as const]),
    ...calls,
    ...(isObject(usage) ? [usageOf(head, model, usage)] : []),
  ];
}

/** What came from the cache is counted as part of the prompt. Reasoning is a part of the answer with OpenAI's protocol, and beside it with Gemini's: the sum tells. */
function usageOf(head: Head, model: string | null, usage: JsonObject): TranscriptEntry {
  const cacheRead = numberOf(usage, 'cachedContentTokenCount');
  const [prompt, total] = [numberOf(usage, 'promptTokenCount'), numberOf(usage, 'totalTokenCount')];
  const [answered, reasoning] = [numberOf(usage, 'candidatesTokenCount'), numberOf(usage, 'thoughtsTokenCount')];
  return {
    ...head,
    kind: 'usage',
    model,
    input: inputBesideCache(prompt, cacheRead, 0),
    output: total > prompt + answered ? answered + reasoning : answered,
    reasoning,
    cacheRead,
    cacheWrite: 0,
    cacheWrite1h: 0,
  };
}

function resultOf(head: Head, { functionResponse: answer }: JsonObject): TranscriptEntry[] {
  const useId = textOf(fieldsOf(answer), 'id');
  return useId === undefined ? [] : [{ ...head, kind: 'tool-result', useId, failed: 'error' in fieldsOf(fieldsOf(answer).response) }];
}
