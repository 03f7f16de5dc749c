import { type CanonicalEvent, decisionNameOf, type Reduced } from '@piton/contracts';

/** How often in a row a stop may be refused. Codex, Gemini and Droid have no limit of their own. */
export const CONTINUATION_LIMIT = 8;
export const REMEMBERED = 2000;
/** Deferred context is written again with every change of a session, so only this many characters are kept. */
const LONGEST_KEPT = 64 * 1024;
/** Stands for the reason of a refusal before a restart. No prompt contains it, so the next prompt counts as the person's. */
const FORGOTTEN = '\0';

interface LiveSession {
  /** Where the session began. Its hooks stay in force when the directory changes. */
  root: string | null;
  /** Refused stops in a row, for the main agent and for each subagent. */
  continued: Map<string, { count: number; reason: string }>;
  /** Content that waits for an event that can carry it. */
  deferred: string[];
  /** Its last event was its end. */
  ended: boolean;
}

/** Keeps session memory across a restart, one line per change. */
export interface SessionLog {
  /** The most recent lines, oldest first. */
  read(): readonly string[];
  /** May throw: a full disk costs the line, not the event. */
  append(line: readonly unknown[]): void;
}

/** What Piton remembers of a session between events. Roots, counts and deferred content survive a restart. */
export class SessionMemory {
  readonly #log: SessionLog;
  readonly #sessions = new Map<string, LiveSession>();

  constructor(log: SessionLog) {
    this.#log = log;
    this.#load();
  }

  /** The root of this event's session: the directory of its first event. */
  rootOf(event: CanonicalEvent): string | null {
    if (event.sessionId === '') return null;
    const session = this.#of(event);
    if (session.root === null && event.cwd !== '') {
      session.root = event.cwd;
      this.#remember(event);
    }
    return session.root;
  }

  /** Is this a repeated session_end? Agents send up to three. */
  endsAgain(event: CanonicalEvent): boolean {
    if (event.sessionId === '') return false;
    const session = this.#of(event);
    const again = session.ended && event.event === 'session_end';
    session.ended = event.event === 'session_end';
    return again;
  }

  /** Is this prompt the reason of a refused stop, which the agent gives its model as if a person had written it? */
  isContinuation(event: CanonicalEvent): boolean {
    if (event.event !== 'user_prompt_submit' || event.sessionId === '') return false;
    return [...this.#of(event).continued.values()].some(({ reason }) => (event.prompt ?? '').includes(reason));
  }

  /** A prompt of the person resets the count of refused stops. The reason of a refused stop does not, nor does the task of a subagent. */
  prompted(event: CanonicalEvent): void {
    if (event.agentId !== undefined) return;
    const { continued } = this.#of(event);
    const before = continued.size;
    for (const [who, { reason }] of continued) if (!(event.prompt ?? '').includes(reason)) continued.delete(who);
    if (continued.size < before) this.#remember(event);
  }

  /** Removes a `continue` beyond the limit; `capped` goes to the trace. */
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
    return { reduced: { ...rest, decision: decisionNameOf(rest) }, capped: true };
  }

  defer(event: CanonicalEvent, content: string): void {
    this.#of(event).deferred.push(content);
    this.#remember(event);
  }

  hasDeferred(event: CanonicalEvent): boolean {
    return event.sessionId !== '' && this.#of(event).deferred.length > 0;
  }

  /** The deferred content. It is returned once. */
  takeDeferred(event: CanonicalEvent): string | undefined {
    const session = this.#of(event);
    const content = session.deferred.join('\n');
    if (content === '') return undefined;
    session.deferred = [];
    this.#remember(event);
    return content;
  }

  #of(event: CanonicalEvent): LiveSession {
    const key = sessionKey(event);
    const known = this.#sessions.get(key);
    if (known) return known;
    const session: LiveSession = { root: null, continued: new Map(), deferred: [], ended: false };
    this.#sessions.set(key, session);
    if (this.#sessions.size > REMEMBERED) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return session;
  }

  /** Writes root, counts and deferred content of hooks; never text of a person. */
  #remember(event: CanonicalEvent): void {
    const { root, continued, deferred } = this.#of(event);
    const kept = deferred.join('').length <= LONGEST_KEPT ? deferred : [];
    const counts = [...continued].map(([who, { count }]) => [who, count]);
    try {
      this.#log.append([sessionKey(event), root, counts, ...(kept.length > 0 ? [kept] : [])]);
    } catch {
      // After a restart the root of this session is unknown. The hooks of the cwd still run.
    }
  }

  #load(): void {
    for (const line of this.#log.read()) {
      try {
        const [key, root, counts = [], deferred = []] = JSON.parse(line) as [string, string, [string, number][]?, string[]?];
        const continued = new Map(counts.map(([who, count]) => [who, { count, reason: FORGOTTEN }]));
        this.#sessions.set(key, { root, continued, deferred, ended: false });
      } catch {
        // a line that was truncated by a full disk
      }
    }
  }
}

export const sessionKey = (event: CanonicalEvent): string => `${event.agent}:${event.sessionId}`;
