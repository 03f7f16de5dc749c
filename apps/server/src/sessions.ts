import { appendFileSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent, Reduced } from '@piton/contracts';
import type { Redacted, Redactor } from '@piton/redact';

/** How often in a row a stop may be refused. Codex, Gemini and Droid have no cap of their own. */
export const CONTINUATION_LIMIT = 8;
const REMEMBERED = 2000;
/** Characters of deferred context that are worth noting again with every change of a session. */
const LONGEST_KEPT = 64 * 1024;
/** The reason of a refusal before a restart: no prompt holds it, so that the next one counts as the person's. */
const FORGOTTEN = '\0';

interface LiveSession {
  /** Where the session began: its hooks stay in force wherever it goes. */
  root: string | null;
  /** Refused stops in a row, for the main agent and for each subagent. */
  continued: Map<string, { count: number; reason: string }>;
  /** Context that waits for an event that can carry it. */
  deferred: string[];
  /** Its end was the last that was heard of it. */
  ended: boolean;
}

/** What the server must remember of a session between two events. Roots, counts and what was deferred outlive a restart. */
export class LiveSessions {
  readonly #file: string;
  readonly #redactor: Redactor;
  readonly #sessions = new Map<string, LiveSession>();

  constructor(environment: string, redactor: Redactor) {
    this.#redactor = redactor;
    this.#file = join(environment, 'session-roots.jsonl');
    this.#load();
  }

  /** The root of this event's session; the first event of a session fixes it. */
  rootOf(event: CanonicalEvent): string | null {
    if (event.sessionId === '') return null;
    const session = this.#of(event);
    if (session.root === null && event.cwd !== '') {
      session.root = event.cwd;
      this.#remember(event);
    }
    return session.root;
  }

  /** Does this event say that the session ended, once more? Agents do so up to three times. */
  endsAgain(event: CanonicalEvent): boolean {
    if (event.sessionId === '') return false;
    const session = this.#of(event);
    const again = session.ended && event.event === 'session_end';
    session.ended = event.event === 'session_end';
    return again;
  }

  /** Is this prompt the reason of a refused stop, which the agent hands to its model as if the person had said it? */
  isContinuation(event: CanonicalEvent): boolean {
    if (event.event !== 'user_prompt_submit' || event.sessionId === '') return false;
    return [...this.#of(event).continued.values()].some(({ reason }) => (event.prompt ?? '').includes(reason));
  }

  /** A prompt of the person's ends a row of refused stops; one that our own reason came back as does not, nor the task of a subagent. */
  prompted(event: CanonicalEvent): void {
    if (event.agentId !== undefined) return;
    const { continued } = this.#of(event);
    const before = continued.size;
    for (const [who, { reason }] of continued) if (!(event.prompt ?? '').includes(reason)) continued.delete(who);
    if (continued.size < before) this.#remember(event);
  }

  /** Takes back a `continue` beyond the limit. Says so: the trace must. */
  cap(event: CanonicalEvent, reduced: Reduced): { reduced: Reduced; capped: boolean } {
    const { continued } = this.#of(event);
    const who = event.agentId ?? '';
    if (reduced.continue === undefined) {
      if (continued.delete(who)) this.#remember(event);
      return { reduced, capped: false };
    }
    const count = (continued.get(who)?.count ?? 0) + 1;
    if (count <= CONTINUATION_LIMIT) {
      continued.set(who, { count, reason: reduced.continue });
      this.#remember(event);
      return { reduced, capped: false };
    }
    continued.delete(who);
    this.#remember(event);
    const { continue: _, ...rest } = reduced;
    return { reduced: { ...rest, decision: rest.content === undefined ? rest.verdict : 'replace' }, capped: true };
  }

  defer(event: CanonicalEvent, content: string): void {
    this.#of(event).deferred.push(content);
    this.#remember(event);
  }

  hasDeferred(event: CanonicalEvent): boolean {
    return event.sessionId !== '' && this.#of(event).deferred.length > 0;
  }

  /** What was deferred, once. */
  takeDeferred(event: CanonicalEvent): string | undefined {
    const session = this.#of(event);
    const content = session.deferred.join('\n');
    if (content === '') return undefined;
    session.deferred = [];
    this.#remember(event);
    return content;
  }

  #of(event: CanonicalEvent): LiveSession {
    const key = keyOf(event);
    const known = this.#sessions.get(key);
    if (known) return known;
    const session: LiveSession = { root: null, continued: new Map(), deferred: [], ended: false };
    this.#sessions.set(key, session);
    if (this.#sessions.size > REMEMBERED) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return session;
  }

  /** Roots, counts and what a hook wants to have said later; never what a person said. An id or a path that holds a secret is not the same any more, and so is forgotten. */
  #remember(event: CanonicalEvent): void {
    const { root, continued, deferred } = this.#of(event);
    const kept = deferred.join('').length <= LONGEST_KEPT ? deferred : [];
    const counts = [...continued].map(([who, { count }]) => [who, count]);
    try {
      this.#append(this.#redactor.value([keyOf(event), root, counts, ...(kept.length > 0 ? [kept] : [])]));
    } catch {
      // Without it a restart in the middle of a session forgets its root; the hooks of the cwd still run.
    }
  }

  #append(line: Redacted<readonly unknown[]>): void {
    appendFileSync(this.#file, `${JSON.stringify(line)}\n`, { mode: 0o600 });
  }

  #load(): void {
    let lines: string[];
    try {
      lines = readFileSync(this.#file, 'utf8').split('\n').filter(Boolean);
    } catch {
      return;
    }
    const recent = lines.slice(-REMEMBERED);
    for (const line of recent) {
      try {
        const [key, root, counts = [], deferred = []] = JSON.parse(line) as [string, string, [string, number][]?, string[]?];
        const continued = new Map(counts.map(([who, count]) => [who, { count, reason: FORGOTTEN }]));
        this.#sessions.set(key, { root, continued, deferred, ended: false });
      } catch {
        // a line that a full disk cut short
      }
    }
    if (lines.length > 2 * REMEMBERED) {
      writeFileSync(`${this.#file}.tmp`, `${recent.join('\n')}\n`, { mode: 0o600 });
      renameSync(`${this.#file}.tmp`, this.#file);
    }
  }
}

const keyOf = (event: CanonicalEvent): string => `${event.agent}:${event.sessionId}`;
