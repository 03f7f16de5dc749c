import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { findAgent, transcriptLines } from '@piton/agents';
import type { JsonObject } from '@piton/contracts';
import { withAbsolutePaths } from '@piton/lifecycle';
import type { Redactor } from '@piton/redact';
import type { EventDetail, Store } from '@piton/store';

/** What a hook on an event is to read: the session so far, and the event itself, which is not stored yet. */
export interface TranscriptRequest {
  readonly agent: string;
  /** The agent's id of the session. */
  readonly sessionRef: string;
  readonly eventId: string;
  readonly lines: readonly JsonObject[];
  /** The event is the end of the session. */
  readonly ends: boolean;
}

interface Written {
  readonly path: string;
  /** The last event of the store that was looked at. */
  seq: number;
  /** Events that stand in the file already, because a hook needed them before they were stored. */
  readonly ahead: Set<string>;
  /** The event that ended the session, where a hook on it reads the file. */
  end?: string;
}

const PAGE = 500;

/**
 * Transcripts in the form of Claude Code, for agents without one that a hook can read. Made of the store, so they are redacted
 * as it is, and can be made again at any time: whatever lies there when a server starts or ends is deleted.
 */
export class PortableTranscripts {
  readonly #directory: string;
  readonly #redactor: Redactor;
  readonly #written = new Map<string, Written>();
  /** Sessions that have ended while hooks may still read, by the event whose hooks these are. */
  readonly #last = new Map<string, string>();

  constructor(directory: string, redactor: Redactor) {
    this.#directory = directory;
    this.#redactor = redactor;
    this.removeAll();
  }

  /** Appends what is new, and returns the path. */
  async write(store: Store, { agent, sessionRef, eventId, lines, ends }: TranscriptRequest): Promise<string> {
    const written = this.#open(agent, sessionRef);
    const fresh = await this.#linesSince(store, agent, sessionRef, written);
    if (ends) written.end = eventId;
    if (!written.ahead.has(eventId)) {
      written.ahead.add(eventId);
      fresh.push(...lines.map((line) => JSON.stringify(this.#redactor.value(line))));
    }
    if (fresh.length > 0) appendFileSync(written.path, `${fresh.join('\n')}\n`, { mode: 0o600 });
    return written.path;
  }

  /** The session is over: at once, or when the hooks of its last event are. */
  ended(agent: string, sessionRef: string): void {
    const name = nameOf(agent, sessionRef);
    const written = this.#written.get(name);
    if (written === undefined) return;
    if (written.end === undefined) this.#remove(name);
    else this.#last.set(written.end, name);
  }

  /** The hooks that ran after an event's answer have ended. */
  ran(eventId: string): void {
    const name = this.#last.get(eventId);
    if (name === undefined) return;
    this.#last.delete(eventId);
    this.#remove(name);
  }

  removeAll(): void {
    this.#written.clear();
    this.#last.clear();
    rmSync(this.#directory, { recursive: true, force: true });
  }

  #open(agent: string, sessionRef: string): Written {
    const name = nameOf(agent, sessionRef);
    const known = this.#written.get(name);
    if (known !== undefined) return known;
    mkdirSync(this.#directory, { recursive: true, mode: 0o700 });
    const made: Written = { path: join(this.#directory, name), seq: 0, ahead: new Set() };
    writeFileSync(made.path, '', { mode: 0o600, flag: 'w' });
    this.#written.set(name, made);
    return made;
  }

  #remove(name: string): void {
    const written = this.#written.get(name);
    this.#written.delete(name);
    if (written !== undefined) rmSync(written.path, { force: true });
  }

  async #linesSince(store: Store, agent: string, session: string, written: Written): Promise<string[]> {
    const lines: string[] = [];
    for (;;) {
      const page = await store.events({ agent, session, afterSeq: written.seq, canary: false, limit: PAGE });
      for (const { eventId, seq } of page) {
        written.seq = seq;
        if (written.ahead.delete(eventId)) continue;
        const found = await store.event(eventId);
        if (found.found === 'one') lines.push(...linesOf(found.value).map((line) => JSON.stringify(line)));
      }
      if (page.length < PAGE) return lines;
    }
  }
}

/** No part of a session's name becomes a path. */
const nameOf = (agent: string, sessionRef: string): string =>
  `${createHash('sha256').update(`${agent}\0${sessionRef}`).digest('hex').slice(0, 32)}.jsonl`;

function linesOf({ agent, envelope, nativeEvent, eventId, receivedAt, branch, tool, derived, text }: EventDetail): JsonObject[] {
  if (envelope === null) return [];
  const decoded = findAgent(agent)?.decode(envelope.payload, { nativeEvent, cwd: envelope.projectPath, variables: {} });
  if (decoded === undefined) return [];
  const event = derived ? { ...decoded, event: envelope.event, ...(text !== null && { text }) } : decoded;
  const named = event.tool && tool?.useId ? { ...event, tool: { ...event.tool, useId: tool.useId } } : event;
  return transcriptLines(withAbsolutePaths(named, homedir()), { eventId, at: receivedAt, branch });
}
