import { createHash } from 'node:crypto';
import type { ContextMode, Overview } from '@piton/context';
import { overviewText } from '@piton/context';
import type { CanonicalEvent, Decision, Frame } from '@piton/contracts';
import { builtInHook, type HookDefinition } from '@piton/hooks';
import { sessionKey } from '@piton/lifecycle';
import type { ContextSettings } from './context-settings.ts';

export const CONTEXT_HOOK_ID = 'piton:context';

/** What the recorder's thread is asked for. */
export type ContextRequest =
  | { readonly kind: 'overview'; readonly id: number; readonly place: string }
  | { readonly kind: 'handoff'; readonly id: number; readonly ref: string; readonly maxTokens: number };

export interface ContextPorts {
  readonly settingsFor: (root: string) => ContextSettings;
  /** The repository of a directory, or the directory. */
  readonly placeOf: (cwd: string) => { readonly place: string; readonly branch: string | null };
  /** When HEAD of a repository last moved; null if nobody knows. */
  readonly headMovedMs: (place: string) => number | null;
  readonly ask: (request: ContextRequest) => void;
  /** What runs Piton's command for the agent. */
  readonly command: () => string;
  readonly redact: (text: string) => string;
  /** Is this hook in force where the event happens? */
  readonly hasHook: (event: CanonicalEvent, name: string) => boolean;
  readonly settingsFile: string;
  readonly nowMs: () => number;
}

/** A place that nobody prepared is asked for once, and the session does not wait longer. */
const MAX_WAIT_MS = 100;
/** A compaction takes seconds. */
const MAX_WAIT_COMPACT_MS = 1000;
const MOST_PLACES = 256;
const MOST_SESSIONS = 1000;
/** Codex cuts at 2,500 tokens; every agent takes as much. */
const HANDOFF_TOKENS = 2000;
/** It says the branch and what is uncommitted itself. */
const PROJECT_CONTEXT = 'project-context';

interface Injection {
  readonly said: Decision & { readonly decision: 'replace' };
  readonly why: string;
}

/**
 * The built-in hooks that give a model what Piton knows: at the start of a session, and before a compaction. What they say was read
 * in advance by the recorder's thread; without it they are silent.
 */
export class ContextHooks {
  readonly #ports: ContextPorts;
  readonly #overviews = new Map<string, Overview>();
  readonly #handoffs = new Map<string, string>();
  readonly #asked = new Map<number, { readonly place?: string; readonly session?: string; readonly done: () => void }>();
  /** Which start of a session was answered: a resume is none, and neither is the same event once more. */
  readonly #spoken = new Map<string, string>();
  readonly #hooks: Readonly<Record<string, readonly HookDefinition[]>>;
  #next = 1;

  constructor(ports: ContextPorts) {
    this.#ports = ports;
    this.#hooks = {
      session_start: [this.#definition('session_start', (event) => this.#atStart(event))],
      pre_compact: [this.#definition('pre_compact', (event) => this.#atCompaction(event))],
    };
  }

  hooksFor(event: CanonicalEvent, frame: Pick<Frame, 'depth'>): readonly HookDefinition[] {
    return frame.depth === 0 && isOfPerson(event) ? (this.#hooks[event.event] ?? []) : [];
  }

  /** Resolves when what this event needs has been read, or it has waited long enough. Undefined if it is there already, or nothing is needed. */
  ready(event: CanonicalEvent, frame: Pick<Frame, 'depth'>): Promise<void> | undefined {
    if (this.hooksFor(event, frame).length === 0) return undefined;
    const { place } = this.#ports.placeOf(event.cwd);
    const { mode } = this.#ports.settingsFor(place);
    if (mode === 'off') return undefined;
    if (event.event === 'session_start') {
      const known = this.#overviews.get(place);
      const isReady = known !== undefined && (mode !== 'full' || known.structure !== undefined);
      return !isStart(event) || isReady ? undefined : this.#ask({ kind: 'overview', place }, { place }, MAX_WAIT_MS);
    }
    const session = sessionKey(event);
    this.#handoffs.delete(session);
    return this.#ask({ kind: 'handoff', ref: event.sessionId, maxTokens: HANDOFF_TOKENS }, { session }, MAX_WAIT_COMPACT_MS);
  }

  /** The recorder has read it: because it was asked, or because something happened there. */
  received(overview: Overview, id?: number): void {
    this.#overviews.delete(overview.place);
    this.#overviews.set(overview.place, overview);
    dropOldest(this.#overviews, MOST_PLACES);
    if (id !== undefined) this.#settle(id);
  }

  receivedHandoff(id: number, text: string | null): void {
    const session = this.#asked.get(id)?.session;
    if (session !== undefined && text !== null) this.#handoffs.set(session, text);
    dropOldest(this.#handoffs, MOST_SESSIONS);
    this.#settle(id);
  }

  /** What was read in advance is read again: the person has deleted something. */
  forget(): void {
    this.#overviews.clear();
  }

  #settle(id: number): void {
    this.#asked.get(id)?.done();
    this.#asked.delete(id);
  }

  #ask(
    request: { kind: 'overview'; place: string } | { kind: 'handoff'; ref: string; maxTokens: number },
    about: object,
    waitMs: number,
  ): Promise<void> {
    const id = this.#next++;
    return new Promise((resolve) => {
      const timer = setTimeout(() => this.#settle(id), waitMs);
      const done = (): void => {
        clearTimeout(timer);
        resolve();
      };
      this.#asked.set(id, { ...about, done });
      this.#ports.ask({ ...request, id });
    });
  }

  #atStart(event: CanonicalEvent): Injection | undefined {
    if (!isStart(event) || this.#spokeBefore(event)) return undefined;
    const { place, branch } = this.#ports.placeOf(event.cwd);
    const { mode, from, template } = this.#ports.settingsFor(place);
    const overview = mode === 'off' ? undefined : this.#overviews.get(place);
    if (overview === undefined || mode === 'off') return undefined;
    const text = overviewText(overview, mode, {
      agent: event.agent,
      ref: event.sessionId,
      branch,
      command: this.#ports.command(),
      nowUs: this.#ports.nowMs() * 1000,
      headMovedMs: this.#ports.headMovedMs(place),
      withoutTree: this.#ports.hasHook(event, PROJECT_CONTEXT),
      ...(template !== undefined && { template }),
      ...(overview.structure && { structure: overview.structure }),
    });
    if (text === undefined) return undefined;
    const sessions = overview.sessions.map(({ handoff }) => handoff.session.slice(0, 10)).join(', ');
    const image = overview.image === null ? '' : `; checkpoint ${overview.image.checkpoint}`;
    return this.#injection(text, `${sourceOf(mode, from)}, from what was recorded here: sessions ${sessions || 'none'}${image}`);
  }

  /** Once for a session, whatever is sent again. */
  #spokeBefore(event: CanonicalEvent): boolean {
    if (event.sessionId === '') return false;
    const [key, sent] = [
      sessionKey(event),
      createHash('sha1')
        .update(JSON.stringify(event.raw) ?? '')
        .digest('base64'),
    ];
    const known = this.#spoken.get(key);
    if (known !== undefined) return known !== sent;
    this.#spoken.set(key, sent);
    dropOldest(this.#spoken, MOST_SESSIONS);
    return false;
  }

  #atCompaction(event: CanonicalEvent): Injection | undefined {
    const text = this.#handoffs.get(sessionKey(event));
    if (text === undefined) return undefined;
    return this.#injection(text, `handoff before a compaction, from the ledger of this session`);
  }

  #injection(text: string, why: string): Injection {
    return { said: { decision: 'replace', content: this.#ports.redact(text) }, why };
  }

  #definition(event: 'session_start' | 'pre_compact', answer: (event: CanonicalEvent) => Injection | undefined): HookDefinition {
    return builtInHook({
      id: CONTEXT_HOOK_ID,
      name: 'context',
      description: 'Built in: gives the model what was recorded here. See docs/context.md.',
      event,
      source: this.#ports.settingsFile,
      answer: (heard) => answer(heard)?.said,
      note: (heard) => answer(heard)?.why,
    });
  }
}

/** Not of a subagent. */
const isOfPerson = ({ agentId, parentSessionId, sessionId }: CanonicalEvent): boolean =>
  agentId === undefined && parentSessionId === undefined && sessionId !== '';

/** A session that goes on has heard it; after a compaction it gets the handoff. */
const isStart = ({ source }: CanonicalEvent): boolean => source !== 'resume' && source !== 'compact';

const sourceOf = (mode: ContextMode, from: ContextSettings['from']): string =>
  from === 'default' ? `context: ${mode}, the default` : `context: ${mode} of the ${from} settings`;

function dropOldest<K, V>(map: Map<K, V>, most: number): void {
  const [oldest] = map.keys();
  if (map.size > most && oldest !== undefined) map.delete(oldest);
}
