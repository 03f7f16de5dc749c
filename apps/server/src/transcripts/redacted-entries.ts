import { createHash } from 'node:crypto';
import type { TokenCounts, TranscriptEntry } from '@piton/contracts';
import type { Redacted, Redactor } from '@piton/redact';
import type { KeptEntry } from '@piton/store';
import type { Limits } from './limits.ts';

export interface PreparedEntry {
  readonly key: Uint8Array;
  readonly entry: Redacted<KeptEntry>;
}
export interface Remaining {
  /** For texts. */
  characters: number;
  entries: number;
}
export interface PreparedEntries {
  readonly entries: readonly PreparedEntry[];
  readonly notes: readonly string[];
}

type Known = Exclude<TranscriptEntry, { kind: 'unknown' }>;

/**
 * Prepares entries for the store: redacted, truncated, and with a key that is the same when the entry is read again. `model` is the
 * one at work when it was read, for formats that name none.
 */
export function redactEntries(
  entries: readonly TranscriptEntry[],
  redactor: Redactor,
  limits: Limits,
  remaining: Remaining,
  model: string | null = null,
): PreparedEntries {
  const notes = new Set<string>();
  const kept: PreparedEntry[] = [];
  const keyOf = createKeys();
  for (const entry of entries) {
    if (entry.kind === 'unknown') continue;
    if (remaining.entries <= 0) {
      notes.add(`only the first ${limits.entries} entries were kept`);
      break;
    }
    remaining.entries -= 1;
    const text = textOf(entry, redactor);
    const whole = text?.length ?? 0;
    const allowed = Math.min(limits.entryCharacters, Math.max(0, remaining.characters));
    if (whole > limits.entryCharacters) notes.add(`texts of more than ${limits.entryCharacters} characters were truncated`);
    if (whole > remaining.characters) notes.add('the session has more text than is kept. The rest was dropped');
    const shown = text === null || whole <= allowed ? text : allowed === 0 ? null : cutAt(text, allowed);
    remaining.characters -= shown?.length ?? 0;
    kept.push({ key: keyOf(entry), entry: redactor.value({ ...factsOf(entry, model), text: shown, cut: whole - (shown?.length ?? 0) }) });
  }
  return { entries: kept, notes: [...notes] };
}

/** Redacted before it is truncated: half a secret does not look like one. */
function textOf(entry: Known, redactor: Redactor): string | null {
  if (entry.kind === 'prompt' || entry.kind === 'answer') return redactor.text(entry.text);
  return entry.kind === 'tool-call' ? (JSON.stringify(redactor.value(entry.input)) ?? null) : null;
}

/** Never through the middle of a character. */
const cutAt = (text: string, length: number): string => {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
};

function factsOf(entry: Known, model: string | null): Omit<KeptEntry, 'text' | 'cut'> {
  const none = { model: null, name: null, useId: null, failed: null, tokens: null };
  const head = { kind: entry.kind, at: entry.at };
  switch (entry.kind) {
    case 'prompt':
      return { ...head, ...none };
    case 'answer':
      return { ...head, ...none, model: entry.model ?? model };
    case 'tool-call':
      return { ...head, ...none, name: entry.name, useId: entry.useId };
    case 'tool-result':
      return { ...head, ...none, useId: entry.useId, failed: entry.failed };
    case 'usage':
      return { ...head, ...none, model: entry.model ?? model, tokens: wholeTokens(entry) };
  }
}

function wholeTokens(counts: TokenCounts): TokenCounts {
  const [output, cacheWrite] = [whole(counts.output), whole(counts.cacheWrite)];
  return {
    ...{ input: whole(counts.input), output, cacheRead: whole(counts.cacheRead), cacheWrite },
    // A part is never more than the whole, whatever the file says.
    reasoning: Math.min(whole(counts.reasoning), output),
    cacheWrite1h: Math.min(whole(counts.cacheWrite1h), cacheWrite),
  };
}

const whole = (count: number): number => (Number.isFinite(count) && count > 0 ? Math.min(Math.round(count), Number.MAX_SAFE_INTEGER) : 0);

/**
 * The key of an entry comes from the id that the agent gave it, or else from its content. Several entries of one kind may share
 * an id, so their order is part of the key. It is a hash because the id is text from the agent and may hold a secret.
 */
function createKeys(): (entry: Known) => Uint8Array {
  const seen = new Map<string, number>();
  return (entry) => {
    const useId = entry.kind === 'tool-call' || entry.kind === 'tool-result' ? entry.useId : '';
    const id = useId || entry.id || JSON.stringify(entry);
    const name = `${entry.kind}\0${id}`;
    const order = seen.get(name) ?? 0;
    seen.set(name, order + 1);
    return createHash('sha256').update(`${name}\0${order}`).digest().subarray(0, 16);
  };
}
