import { type CanonicalEvent, decisionNameOf, type Reduced } from '@piton/contracts';

/** How often in a row a stop may be refused. Codex, Gemini and Droid have no cap of their own. */
export const CONTINUATION_LIMIT = 8;
export const REMEMBERED = 2000;
/** Characters of deferred context that are worth writing again with every change of a session. */
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
  /** Its last event was its end. */
  ended: boolean;
}

/** Where what outlives a restart is written, a line each. */
export interface SessionLog {
  /** The latest lines, the oldest first. */
  read(): readonly string[];
  /** May throw: a full disk costs the line, not the event. */
  append(line: readonly unknown[]): void;
}

/** What must be remembered of a session between two events. Roots, counts and what was deferred outlive a restart. */
export class SessionMemory {
  readonly #log: SessionLog;
  readonly #sessions = new Map<string, LiveSession>();

  constructor(log: SessionLog) {
    this.#log = log;
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
    return { reduced: { ...rest, decision: decisionNameOf(rest) }, capped: true };
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
    const key = sessionKey(event);
    const known = this.#sessions.get(key);
    if (known) return known;
    const session: LiveSession = { root: null, continued: new Map(), deferred: [], ended: false };
    this.#sessions.set(key, session);
    if (this.#sessions.size > REMEMBERED) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return session;
  }

  /** Roots, counts and what a hook wants to have said later; never what a person said. */
  #remember(event: CanonicalEvent): void {
    const { root, continued, deferred } = this.#of(event);
    const kept = deferred.join('').length <= LONGEST_KEPT ? deferred : [];
    const counts = [...continued].map(([who, { count }]) => [who, count]);
    try {
      this.#log.append([sessionKey(event), root, counts, ...(kept.length > 0 ? [kept] : [])]);
    } catch {
      // Without it a restart in the middle of a session forgets its root; the hooks of the cwd still run.
    }
  }

  #load(): void {
    for (const line of this.#log.read()) {
      try {
        const [key, root, counts = [], deferred = []] = JSON.parse(line) as [string, string, [string, number][]?, string[]?];
        const continued = new Map(counts.map(([who, count]) => [who, { count, reason: FORGOTTEN }]));
        this.#sessions.set(key, { root, continued, deferred, ended: false });
      } catch {
        // a line that a full disk cut short
      }
    }
  }
}

export const sessionKey = (event: CanonicalEvent): string => `${event.agent}:${event.sessionId}`;
