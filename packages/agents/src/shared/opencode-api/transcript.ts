import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { isObject, textOf } from '../json-fields.ts';

type Head = { readonly at: string | null; readonly id: string | null };

const objectsIn = (value: unknown): JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);
const objectOf = (value: unknown): JsonObject => (isObject(value) ? value : {});

/** As `export` has them, a message a row; without what tools answered, which is most of it. A row that is no JSON would end the whole. */
const QUESTION = `
  SELECT json_object('info', json_set(data, '$.id', id), 'parts', (
    SELECT json_group_array(json(part)) FROM (
      SELECT json_remove(json_set(p.data, '$.id', p.id), '$.state.output', '$.state.metadata', '$.state.attachments') AS part
      FROM part p WHERE p.message_id = message.id AND json_valid(p.data) ORDER BY p.id
    )
  ))
  FROM message WHERE session_id = ? AND json_valid(data) ORDER BY time_created, id`;

/** Sessions lie in a database; the agent's own `export` prints one as JSON, `{ info, messages: [{ info, parts }] }`. */
export const transcriptFor = (command: string): TranscriptFormat => ({
  name: 'opencode-export',
  locate: ({ env }) => `${env.XDG_DATA_HOME || '.local/share'}/${command}/${command}.db`,
  database: { question: QUESTION, assemble: (rows) => `{"messages":[${rows.join(',')}]}` },
  print: (sessionId) => [command, 'export', sessionId],
  read(text) {
    const messages = objectsIn(parse(text)?.messages);
    // It is printed as a whole each time.
    return { entries: messages.flatMap(entriesOf), consumed: 0 };
  },
});

/** The command may say a line before the JSON. */
function parse(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.slice(Math.max(0, text.indexOf('{'))));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

function entriesOf(message: JsonObject): TranscriptEntry[] {
  const info = objectOf(message.info);
  const created = objectOf(info.time).created;
  const head: Head = { at: typeof created === 'number' ? new Date(created).toISOString() : null, id: textOf(info, 'id') ?? null };
  const parts = objectsIn(message.parts);
  if (info.role === 'user') return promptOf(head, parts);
  if (info.role !== 'assistant') return [{ ...head, kind: 'unknown', type: textOf(info, 'role') ?? 'message without a role' }];
  const model = textOf(info, 'modelID') ?? null;
  return [...parts.flatMap((part) => partEntries(head, part, model)), ...usageOf(head, info, model)];
}

function promptOf(head: Head, parts: readonly JsonObject[]): TranscriptEntry[] {
  const text = parts.flatMap((part) => (part.type === 'text' && part.synthetic !== true ? (textOf(part, 'text') ?? []) : [])).join('\n');
  return text === '' ? [] : [{ ...head, kind: 'prompt', text }];
}

/** What a step began and ended with says nothing that the rest does not. */
const SILENT: ReadonlySet<unknown> = new Set(['step-start', 'step-finish', 'patch', 'snapshot', 'reasoning']);

function partEntries(message: Head, part: JsonObject, model: string | null): TranscriptEntry[] {
  const head: Head = { at: message.at, id: textOf(part, 'id') ?? message.id };
  const text = textOf(part, 'text');
  if (part.type === 'text') return text === undefined ? [] : [{ ...head, kind: 'answer', text, model }];
  const [name, useId, state] = [textOf(part, 'tool'), textOf(part, 'callID'), objectOf(part.state)];
  if (part.type === 'tool' && name !== undefined && useId !== undefined) {
    const call: TranscriptEntry = { ...head, kind: 'tool-call', name, useId, input: state.input };
    const isOver = state.status === 'completed' || state.status === 'error';
    return isOver ? [call, { ...head, kind: 'tool-result', useId, failed: state.status === 'error' }] : [call];
  }
  return SILENT.has(part.type) ? [] : [{ ...head, kind: 'unknown', type: textOf(part, 'type') ?? 'part without a type' }];
}

function usageOf(head: Head, info: JsonObject, model: string | null): TranscriptEntry[] {
  if (!isObject(info.tokens)) return [];
  const { tokens } = info;
  const cache = objectOf(tokens.cache);
  const count = (object: JsonObject, field: string): number => (typeof object[field] === 'number' ? object[field] : 0);
  return [
    {
      ...head,
      kind: 'usage',
      model,
      input: count(tokens, 'input'),
      // What was thought is counted beside what was answered.
      output: count(tokens, 'output') + count(tokens, 'reasoning'),
      cacheRead: count(cache, 'read'),
      cacheWrite: count(cache, 'write'),
      cacheWrite1h: 0,
      reasoning: count(tokens, 'reasoning'),
    },
  ];
}
