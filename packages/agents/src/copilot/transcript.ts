import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { type Head, inputBesideCache, numberOf, readJsonLines } from '../shared/json-lines.ts';

/** One event a line. Subagents write into the file of their session. */
export const transcript: TranscriptFormat = {
  name: 'copilot-jsonl',
  holdsLastMessage: true,
  locate({ sessionId, env }) {
    if (!/^[\w-]+$/.test(sessionId)) return null;
    const home = env.COPILOT_HOME?.replace(/[\\/]+$/, '') || '.copilot';
    return `${home}/session-state/${sessionId}/events.jsonl`;
  },
  read: (text) => readJsonLines(text, entriesOf),
};

function entriesOf(record: JsonObject): TranscriptEntry[] {
  const head: Head = { at: textOf(record, 'timestamp') ?? null, id: textOf(record, 'id') ?? null };
  const type = textOf(record, 'type') ?? 'untyped line';
  const data = isObject(record.data) ? record.data : {};
  const known = Object.hasOwn(READERS, type) ? READERS[type]?.(head, data) : undefined;
  return known ?? [{ ...head, kind: 'unknown', type }];
}

type Reader = (head: Head, data: JsonObject) => TranscriptEntry[] | undefined;

const READERS: Readonly<Record<string, Reader>> = {
  'user.message'(head, data) {
    const text = textOf(data, 'content');
    // What the agent says to a subagent, and what a hook says to the agent, is written in the person's name.
    if (textOf(data, 'source') !== undefined) return [{ ...head, kind: 'unknown', type: 'note in the name of the user' }];
    return text === undefined ? undefined : [{ ...head, kind: 'prompt', text }];
  },
  'assistant.message'(head, data) {
    const text = textOf(data, 'content');
    return text === undefined ? [] : [{ ...head, kind: 'answer', text, model: textOf(data, 'model') ?? null }];
  },
  'tool.execution_start'(head, data) {
    const [name, useId] = [textOf(data, 'toolName'), textOf(data, 'toolCallId')];
    return name === undefined || useId === undefined ? undefined : [{ ...head, kind: 'tool-call', name, useId, input: data.arguments }];
  },
  'tool.execution_complete'(head, data) {
    const useId = textOf(data, 'toolCallId');
    const code = isObject(data.shellExecution) ? data.shellExecution.exitCode : undefined;
    const failed = data.success === false || (typeof code === 'number' && code !== 0);
    return useId === undefined ? undefined : [{ ...head, kind: 'tool-result', useId, failed }];
  },
  'session.usage_record'({ at, id }, { usage }) {
    if (!isObject(usage)) return undefined;
    const [cacheRead, cacheWrite] = [numberOf(usage, 'cacheReadTokens'), numberOf(usage, 'cacheWriteTokens')];
    return [
      {
        at,
        id: textOf(usage, 'apiCallId') ?? id,
        kind: 'usage',
        model: textOf(usage, 'model') ?? null,
        input: inputBesideCache(numberOf(usage, 'inputTokens'), cacheRead, cacheWrite),
        output: numberOf(usage, 'outputTokens'),
        cacheRead,
        cacheWrite,
        cacheWrite1h: 0,
        reasoning: numberOf(usage, 'reasoningTokens'),
      },
    ];
  },
};
