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
  /** It is that of a subagent: another session works with it. */
  subagent: boolean;
  /** The types of its subagents by id, and by task where an agent names them by that. */
  types: Map<string, SubagentFacts>;
}

interface SubagentFacts {
  readonly agent_type?: string;
  readonly agent_id?: string;
}

/** Of one session. */
const MOST_SUBAGENTS = 256;

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

  /** Is this the task of a subagent, which comes as a prompt in a session of its own? */
  isTask(event: CanonicalEvent): boolean {
    return event.event === 'user_prompt_submit' && event.sessionId !== '' && this.#of(event).subagent;
  }

  /** The event with what is known of its subagent from before; many agents say its type at the start alone. */
  withSubagent(event: CanonicalEvent): CanonicalEvent {
    if (event.sessionId === '') return event;
    const session = this.#of(event);
    if (event.parentSessionId !== undefined && !session.subagent) {
      session.subagent = true;
      this.#remember(event);
    }
    noteSubagent(session.types, event);
    const { agentId, task, portable } = event;
    if ((agentId === undefined && task === undefined) || portable.agent_type !== undefined) return event;
    const known = session.types.get(agentId ?? `task ${task}`);
    return known === undefined ? event : { ...event, portable: { ...portable, ...known } };
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
    const session: LiveSession = { root: null, continued: new Map(), deferred: [], ended: false, subagent: false, types: new Map() };
    this.#sessions.set(key, session);
    if (this.#sessions.size > REMEMBERED) this.#sessions.delete(this.#sessions.keys().next().value as string);
    return session;
  }

  /** Writes root, counts and deferred content of hooks; never text of a person. */
  #remember(event: CanonicalEvent): void {
    const { root, continued, deferred, subagent } = this.#of(event);
    const kept = deferred.join('').length <= LONGEST_KEPT ? deferred : [];
    const counts = [...continued].map(([who, { count }]) => [who, count]);
    try {
      this.#log.append([sessionKey(event), root, counts, ...(subagent ? [kept, true] : kept.length > 0 ? [kept] : [])]);
    } catch {
      // After a restart the root of this session is unknown. The hooks of the cwd still run.
    }
  }

  #load(): void {
    for (const line of this.#log.read()) {
      try {
        const [key, root, counts = [], deferred = [], subagent = false] = JSON.parse(line) as Line;
        const continued = new Map(counts.map(([who, count]) => [who, { count, reason: FORGOTTEN }]));
        this.#sessions.set(key, { root, continued, deferred, ended: false, subagent, types: new Map() });
      } catch {
        // a line that was truncated by a full disk
      }
    }
  }
}

type Line = [key: string, root: string, counts?: [string, number][], deferred?: string[], subagent?: boolean];

/** What an event says of a subagent: its start, or the call that starts it. */
function noteSubagent(types: LiveSession['types'], { event, agentId, tool, portable }: CanonicalEvent): void {
  const text = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined);
  const note = (key: string, facts: SubagentFacts): void => {
    types.set(key, { ...types.get(key), ...facts });
    if (types.size > MOST_SUBAGENTS) types.delete(types.keys().next().value as string);
  };
  const started = text(portable.agent_type);
  if (event === 'subagent_start' && agentId !== undefined && started !== undefined) note(agentId, { agent_type: started });
  const task = tool?.kind === 'subagent' ? text(tool.input.description) : undefined;
  if (task === undefined) return;
  const [type, id] = [text(tool?.input.subagent_type), text((portable.tool_response as { agentId?: unknown } | undefined)?.agentId)];
  note(`task ${task}`, { ...(type !== undefined && { agent_type: type }), ...(id !== undefined && { agent_id: id }) });
}

export const sessionKey = (event: CanonicalEvent): string => `${event.agent}:${event.sessionId}`;
