import { createHash } from 'node:crypto';
import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { type Head, numberOf, readJsonLines } from '../shared/json-lines.ts';
import { blockTexts } from '../shared/portable/claude-response.ts';
import { userFile } from './install.ts';

const NAME_LENGTH = 40;
const HASH_LENGTH = 12;

/** Each directory that it is started in has a folder of its name and a hash. */
function folderOf(cwd: string): string {
  const path = cwd.replaceAll('\\', '/').replace(/\/+$/, '');
  const trimmed = (text: string): string => text.replace(/^-+|-+$/g, '');
  const name = trimmed(trimmed((path.split('/').pop() ?? '').toLowerCase().replace(/[^a-z0-9._-]+/g, '-')).slice(0, NAME_LENGTH));
  return `wd_${name || 'workspace'}_${createHash('sha256').update(path).digest('hex').slice(0, HASH_LENGTH)}`;
}

/** JSON lines, each a step of the main agent; subagents have files of their own beside it. */
export const transcript: TranscriptFormat = {
  name: 'kimi-wire-jsonl',
  holdsLastMessage: true,
  locate: ({ sessionId, cwd, env }) => `${userFile('sessions', env).path}/${folderOf(cwd)}/${sessionId}/agents/main/wire.jsonl`,
  read: (text) => readJsonLines(text, entriesOf),
};

function entriesOf(record: JsonObject): TranscriptEntry[] {
  const type = textOf(record, 'type') ?? 'untyped line';
  const head: Head = { at: timeOf(record.time), id: textOf(record, 'id') ?? null };
  const entries = Object.hasOwn(READERS, type) ? READERS[type]?.(head, record) : undefined;
  return entries !== undefined && entries.length > 0 ? entries : [{ ...head, kind: 'unknown', type }];
}

function timeOf(ms: unknown): string | null {
  const time = typeof ms === 'number' ? new Date(ms) : undefined;
  return time === undefined || Number.isNaN(time.getTime()) ? null : time.toISOString();
}

const READERS: Readonly<Record<string, (head: Head, record: JsonObject) => TranscriptEntry[]>> = {
  'context.append_message'(head, { message }) {
    const { role, origin, content } = fieldsOf(message);
    const text = blockTexts(content);
    // What hooks and Kimi Code itself say stands in the person's name, with another origin.
    return role === 'user' && text && (textOf(fieldsOf(origin), 'kind') ?? 'user') === 'user' ? [{ ...head, kind: 'prompt', text }] : [];
  },
  'context.append_loop_event'(head, { event }) {
    const said = fieldsOf(event);
    const useId = textOf(said, 'toolCallId');
    const name = textOf(said, 'name');
    if (said.type === 'tool.call')
      return useId === undefined || name === undefined ? [] : [{ ...head, kind: 'tool-call', name, useId, input: said.args }];
    if (said.type === 'tool.result')
      return useId === undefined ? [] : [{ ...head, kind: 'tool-result', useId, failed: fieldsOf(said.result).isError === true }];
    const part = fieldsOf(said.part);
    const text = said.type === 'content.part' && part.type === 'text' ? textOf(part, 'text') : undefined;
    return text === undefined ? [] : [{ ...head, kind: 'answer', text, model: null }];
  },
  'usage.record': (head, { model, usage }) => (isObject(usage) ? [usageOf(head, typeof model === 'string' ? model : null, usage)] : []),
};

function usageOf(head: Head, model: string | null, used: JsonObject): TranscriptEntry {
  return {
    ...head,
    kind: 'usage',
    model,
    input: numberOf(used, 'inputOther'),
    output: numberOf(used, 'output'),
    reasoning: 0,
    cacheRead: numberOf(used, 'inputCacheRead'),
    cacheWrite: numberOf(used, 'inputCacheCreation'),
    cacheWrite1h: 0,
  };
}
