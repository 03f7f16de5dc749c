import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { type Head, numberOf, readJsonLines } from '../shared/json-lines.ts';

/** JSON lines, an internal format that may change: what is not understood becomes `unknown`, never an error. */
export const transcript: TranscriptFormat = {
  name: 'claude-jsonl',
  read(text) {
    const { entries, consumed } = readJsonLines(text, entriesOf);
    return { entries: lastUsageOnly(entries), consumed };
  },
};

/** One message stands on several lines, each with the usage so far: per id the last one counts. */
function lastUsageOnly(entries: readonly TranscriptEntry[]): TranscriptEntry[] {
  const last = new Map(entries.flatMap((entry, at) => (entry.kind === 'usage' ? [[entry.id, at] as const] : [])));
  return entries.filter((entry, at) => entry.kind !== 'usage' || entry.id === null || last.get(entry.id) === at);
}

function entriesOf(record: JsonObject): TranscriptEntry[] {
  const head: Head = { at: textOf(record, 'timestamp') ?? null, id: textOf(record, 'uuid') ?? null };
  const type = textOf(record, 'type') ?? 'untyped line';
  const { message } = record;
  if (!isObject(message)) return [{ ...head, kind: 'unknown', type }];
  if (type === 'assistant') return assistantEntries(head, message);
  if (type === 'user') return userEntries(head, record, message);
  return [{ ...head, kind: 'unknown', type }];
}

const blocksOf = (content: unknown): JsonObject[] => (Array.isArray(content) ? content.filter(isObject) : []);

function assistantEntries(head: Head, message: JsonObject): TranscriptEntry[] {
  const model = textOf(message, 'model') ?? null;
  const entries = blocksOf(message.content).flatMap((block): TranscriptEntry[] => {
    const text = textOf(block, 'text');
    const [name, useId] = [textOf(block, 'name'), textOf(block, 'id')];
    if (block.type === 'text' && text !== undefined) return [{ ...head, kind: 'answer', text, model }];
    if (block.type === 'tool_use' && name !== undefined && useId !== undefined)
      return [{ ...head, kind: 'tool-call', name, useId, input: block.input }];
    return [];
  });
  if (!isObject(message.usage)) return entries;
  const { usage } = message;
  return [
    ...entries,
    {
      at: head.at,
      id: textOf(message, 'id') ?? head.id,
      kind: 'usage',
      model,
      input: numberOf(usage, 'input_tokens'),
      output: numberOf(usage, 'output_tokens'),
      cacheRead: numberOf(usage, 'cache_read_input_tokens'),
      cacheWrite: numberOf(usage, 'cache_creation_input_tokens'),
      cacheWrite1h: numberOf(fieldsOf(usage.cache_creation), 'ephemeral_1h_input_tokens'),
      reasoning: numberOf(fieldsOf(usage.output_tokens_details), 'thinking_tokens'),
    },
  ];
}

function userEntries(head: Head, record: JsonObject, message: JsonObject): TranscriptEntry[] {
  const results = blocksOf(message.content).flatMap((block): TranscriptEntry[] => {
    const useId = textOf(block, 'tool_use_id');
    return block.type === 'tool_result' && useId !== undefined
      ? [{ ...head, kind: 'tool-result', useId, failed: block.is_error === true }]
      : [];
  });
  // Notes that Claude Code writes to the model in the person's name are no prompts.
  if (record.isMeta === true || record.isCompactSummary === true)
    return [...results, { ...head, kind: 'unknown', type: 'note in the name of the user' }];
  const texts =
    typeof message.content === 'string' ? [message.content] : blocksOf(message.content).flatMap((block) => textOf(block, 'text') ?? []);
  const text = texts.join('\n');
  return text === '' ? results : [...results, { ...head, kind: 'prompt', text }];
}
