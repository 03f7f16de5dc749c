import type { JsonObject, TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { inputBesideCache } from '../shared/json-lines.ts';

type Head = { readonly at: string | null; readonly id: string | null };

/** What earlier lines say about later ones. */
interface Known {
  model: string | null;
  readonly failed: Set<string>;
  readonly counted: Set<string>;
}

/** Of items that failed: what is said of one stands a few lines later. */
const MOST_REMEMBERED = 50;
const LONGEST_NAME = 200;

/** A rollout: JSON lines, `{timestamp, type, payload}`. What is not understood becomes `unknown`, never an error. */
export const transcript: TranscriptFormat = {
  name: 'codex-rollout',
  read(text, memory = '') {
    const consumed = text.lastIndexOf('\n') + 1;
    const known = knownFrom(memory);
    const lines = text.slice(0, consumed).split('\n');
    return { entries: lines.flatMap((line) => (line.trim() === '' ? [] : entriesOf(line, known))), consumed, memory: memoryOf(known) };
  },
};

/** The request that was counted last is counted again when a piece begins with what says it once more. */
function memoryOf({ model, failed, counted }: Known): string {
  const short = (id: string): boolean => id.length <= LONGEST_NAME;
  const last = { failed: [...failed].filter(short).slice(-MOST_REMEMBERED), counted: [...counted].slice(-MOST_REMEMBERED) };
  return JSON.stringify({ model: model?.slice(0, LONGEST_NAME) ?? null, ...last });
}

function knownFrom(memory: string): Known {
  const said = parse(memory) ?? {};
  const listOf = (value: unknown): Set<string> =>
    new Set(Array.isArray(value) ? value.filter((one): one is string => typeof one === 'string') : []);
  return { model: textOf(said, 'model') ?? null, failed: listOf(said.failed), counted: listOf(said.counted) };
}

function entriesOf(line: string, known: Known): TranscriptEntry[] {
  const record = parse(line);
  if (record === undefined) return [{ at: null, id: null, kind: 'unknown', type: 'unreadable line' }];
  const at = textOf(record, 'timestamp') ?? null;
  const type = textOf(record, 'type') ?? 'untyped line';
  const payload = isObject(record.payload) ? record.payload : {};
  const head: Head = { at, id: textOf(payload, 'id') ?? null };
  const inner = textOf(payload, 'type');
  const unknown: TranscriptEntry[] = [{ ...head, kind: 'unknown', type: inner === undefined ? type : `${type} ${inner}` }];
  if (type === 'turn_context') known.model = textOf(payload, 'model') ?? known.model;
  if (type === 'response_item') return itemEntries(head, payload, known) ?? unknown;
  if (type === 'event_msg') return eventEntries(head, payload, known) ?? unknown;
  if (type === 'token_usage_record') return usageOf(head, payload.usage, payload.thread_token_usage, known) ?? unknown;
  return unknown;
}

function parse(line: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(line);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const textIn = (content: unknown): string =>
  Array.isArray(content) ? content.flatMap((part) => (isObject(part) ? (textOf(part, 'text') ?? []) : [])).join('\n') : '';

/** What went to the model and came from it. Messages in the name of the user are no prompts: some are Codex's own notes. */
function itemEntries(head: Head, item: JsonObject, { model, failed }: Known): TranscriptEntry[] | undefined {
  const text = textIn(item.content);
  if (item.type === 'message' && item.role === 'assistant' && text !== '') return [{ ...head, kind: 'answer', text, model }];
  const [useId, name] = [textOf(item, 'call_id'), textOf(item, 'name')];
  if (useId === undefined) return undefined;
  if ((item.type === 'function_call' || item.type === 'custom_tool_call') && name !== undefined)
    return [{ ...head, kind: 'tool-call', name: wholeName(item, name), useId, input: inputOf(item) }];
  if (item.type === 'function_call_output' || item.type === 'custom_tool_call_output') {
    const output = typeof item.output === 'string' ? item.output : textIn(item.output);
    return [{ ...head, kind: 'tool-result', useId, failed: failed.has(useId) || FAILED.test(output) }];
  }
  return undefined;
}

/** How Codex begins what the model reads of a command that failed or of a call that was refused. */
const FAILED = /^(?:Exit code: (?!0\b)|(?:.*\n){0,4}?Process exited with code (?!0\b)|Command blocked by |[\w ]+ verification failed)/;

function wholeName(item: JsonObject, name: string): string {
  const namespace = textOf(item, 'namespace');
  return namespace === undefined || !namespace.startsWith('mcp__') ? name : `${namespace}__${name}`;
}

function inputOf(item: JsonObject): unknown {
  if (typeof item.arguments !== 'string') return item.input;
  return parse(item.arguments) ?? item.arguments;
}

/** What Codex says of the session: the prompts as they were typed, and the tokens. */
function eventEntries(head: Head, event: JsonObject, known: Known): TranscriptEntry[] | undefined {
  if (event.type === 'user_message') return promptOf(head, textOf(event, 'message'));
  if (event.type === 'item_completed' && isObject(event.item)) {
    const { item } = event;
    const id = textOf(item, 'id') ?? null;
    if (item.type === 'UserMessage') return promptOf({ ...head, id }, textIn(item.content));
    if (item.status === 'failed' && id !== null) known.failed.add(id);
    return undefined;
  }
  if (event.type !== 'token_count' || !isObject(event.info)) return undefined;
  return usageOf(head, event.info.last_token_usage, event.info.total_token_usage, known);
}

const promptOf = (head: Head, text: string | undefined): TranscriptEntry[] | undefined =>
  text === undefined || text === '' ? undefined : [{ ...head, kind: 'prompt', text }];

/** One request is counted on several lines, and again after a compaction: the sum so far distinguishes them. */
function usageOf(head: Head, last: unknown, total: unknown, known: Known): TranscriptEntry[] | undefined {
  if (!isObject(last) || !isObject(total)) return undefined;
  const count = (of: JsonObject, field: string): number => (typeof of[field] === 'number' ? of[field] : 0);
  const id = `tokens-${count(total, 'total_tokens')}`;
  const [input, output] = [count(last, 'input_tokens'), count(last, 'output_tokens')];
  if (known.counted.has(id) || input + output === 0) return [];
  known.counted.add(id);
  const cacheRead = count(last, 'cached_input_tokens');
  const cacheWrite = count(last, 'cache_write_input_tokens');
  const rest = { reasoning: count(last, 'reasoning_output_tokens'), cacheWrite1h: 0 };
  return [
    {
      at: head.at,
      id,
      kind: 'usage',
      model: known.model,
      input: inputBesideCache(input, cacheRead, cacheWrite),
      output,
      cacheRead,
      cacheWrite,
      ...rest,
    },
  ];
}
