import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { type Head, inputBesideCache, numberOf, readJsonLines } from '../shared/json-lines.ts';

/** JSON lines, each an update of the session as its screen gets them. What a turn used is told when it has ended. */
export const transcript: TranscriptFormat = {
  name: 'grok-updates-jsonl',
  read: (text) => readJsonLines(text, entriesOf),
};

function entriesOf(record: JsonObject): TranscriptEntry[] {
  const params = fieldsOf(record.params);
  const [update, meta] = [fieldsOf(params.update), fieldsOf(params._meta)];
  const type = textOf(update, 'sessionUpdate') ?? 'untyped line';
  const head: Head = { at: timeOf(meta.agentTimestampMs), id: textOf(meta, 'eventId') ?? null };
  const entries = Object.hasOwn(READERS, type) ? READERS[type]?.(head, update) : undefined;
  return entries !== undefined && entries.length > 0 ? entries : [{ ...head, kind: 'unknown', type }];
}

function timeOf(ms: unknown): string | null {
  const time = typeof ms === 'number' ? new Date(ms) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const READERS: Readonly<Record<string, (head: Head, update: JsonObject) => TranscriptEntry[]>> = {
  user_message_chunk: (head, { content }) => {
    const text = textOf(fieldsOf(content), 'text');
    // What Grok Build tells itself stands in the person's name.
    return text === undefined || text.startsWith('<system-reminder>') ? [] : [{ ...head, kind: 'prompt', text }];
  },
  agent_message_chunk: (head, { content }) => {
    const text = textOf(fieldsOf(content), 'text');
    return text === undefined ? [] : [{ ...head, kind: 'answer', text, model: null }];
  },
  tool_call: (head, update) => {
    const [useId, name] = [textOf(update, 'toolCallId'), textOf(update, 'title')];
    return useId === undefined || name === undefined ? [] : [{ ...head, kind: 'tool-call', name, useId, input: update.rawInput }];
  },
  tool_call_update: (head, update) => {
    const useId = textOf(update, 'toolCallId');
    const ended = update.status === 'completed' || update.status === 'failed';
    return useId === undefined || !ended ? [] : [{ ...head, kind: 'tool-result', useId, failed: update.status === 'failed' }];
  },
  turn_completed: (head, { usage }) =>
    Object.entries(fieldsOf(fieldsOf(usage).modelUsage)).flatMap(([model, used]) => (isObject(used) ? [usageOf(head, model, used)] : [])),
};

/** Grok Build counts what a cache had as part of the input, and reasoning as part of the output. */
function usageOf(head: Head, model: string, used: JsonObject): TranscriptEntry {
  const [cacheRead, cacheWrite] = [numberOf(used, 'cachedReadTokens'), numberOf(used, 'cacheCreationTokens')];
  return {
    ...head,
    id: head.id === null ? null : `${head.id} ${model}`,
    kind: 'usage',
    model,
    input: inputBesideCache(numberOf(used, 'inputTokens'), cacheRead, cacheWrite),
    output: numberOf(used, 'outputTokens'),
    reasoning: numberOf(used, 'reasoningTokens'),
    cacheRead,
    cacheWrite,
    cacheWrite1h: 0,
  };
}
