import { createHash } from 'node:crypto';
import type { TranscriptEntry } from '@piton/contracts';
import type { Redacted, Redactor } from '@piton/redact';
import type { KeptEntry } from '@piton/store';
import type { Limits } from './limits.ts';

export interface PreparedEntry {
  readonly key: Uint8Array;
  readonly entry: Redacted<KeptEntry>;
}
export interface Room {
  /** For texts. */
  characters: number;
  entries: number;
}
export interface PreparedEntries {
  readonly entries: readonly PreparedEntry[];
  readonly notes: readonly string[];
}

type Known = Exclude<TranscriptEntry, { kind: 'unknown' }>;

/** Makes entries ready to be stored: cut, redacted, and each under a key by which it is known when it is read again. */
export function redactEntries(entries: readonly TranscriptEntry[], redactor: Redactor, limits: Limits, room: Room): PreparedEntries {
  const notes = new Set<string>();
  const kept: PreparedEntry[] = [];
  const keyOf = createKeys();
  for (const entry of entries) {
    if (entry.kind === 'unknown') continue;
    if (room.entries <= 0) {
      notes.add(`only the first ${limits.entries} entries were kept`);
      break;
    }
    room.entries -= 1;
    const text = textOf(entry, redactor);
    const whole = text?.length ?? 0;
    const allowed = Math.min(limits.entryCharacters, Math.max(0, room.characters));
    if (whole > limits.entryCharacters) notes.add(`texts of more than ${limits.entryCharacters} characters were truncated`);
    if (whole > room.characters) notes.add('the session has more text than is kept. The rest was dropped');
    const shown = text === null || whole <= allowed ? text : allowed === 0 ? null : cutAt(text, allowed);
    room.characters -= shown?.length ?? 0;
    kept.push({ key: keyOf(entry), entry: redactor.value({ ...factsOf(entry), text: shown, cut: whole - (shown?.length ?? 0) }) });
  }
  return { entries: kept, notes: [...notes] };
}

/** Redacted as a whole before it is cut: half a secret looks like none. */
function textOf(entry: Known, redactor: Redactor): string | null {
  if (entry.kind === 'prompt' || entry.kind === 'answer') return redactor.text(entry.text);
  return entry.kind === 'tool-call' ? (JSON.stringify(redactor.value(entry.input)) ?? null) : null;
}

/** Never through the middle of a character. */
const cutAt = (text: string, length: number): string => {
  const code = text.charCodeAt(length - 1);
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? length - 1 : length);
};

function factsOf(entry: Known): Omit<KeptEntry, 'text' | 'cut'> {
  const none = { model: null, name: null, useId: null, failed: null, tokens: null };
  const head = { kind: entry.kind, at: entry.at };
  switch (entry.kind) {
    case 'prompt':
      return { ...head, ...none };
    case 'answer':
      return { ...head, ...none, model: entry.model };
    case 'tool-call':
      return { ...head, ...none, name: entry.name, useId: entry.useId };
    case 'tool-result':
      return { ...head, ...none, useId: entry.useId, failed: entry.failed };
    case 'usage': {
      const { input, output, cacheRead, cacheWrite } = entry;
      return {
        ...head,
        ...none,
        model: entry.model,
        tokens: { input: whole(input), output: whole(output), cacheRead: whole(cacheRead), cacheWrite: whole(cacheWrite) },
      };
    }
  }
}

const whole = (count: number): number => (Number.isFinite(count) && count > 0 ? Math.min(Math.round(count), Number.MAX_SAFE_INTEGER) : 0);

/**
 * An entry is known by the id that the agent gave it, and where it gave none by when and what. Several of one kind may stand
 * under one id: they are told apart by their order. A hash, since an id is text of the agent's too.
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
