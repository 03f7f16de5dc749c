import type { CanonicalEvent } from '@piton/contracts';

interface Notices {
  /** Not shown yet. */
  readonly open: Set<string>;
  /** Shown since the last prompt: each is said once. */
  readonly said: Set<string>;
}

const MOST_SESSIONS = 256;

/** Which sessions' people have to be told that a call has no way back. */
export class WayBackNotices {
  readonly #sessions = new Map<string, Notices>();

  add(sessionId: string, text: string): void {
    const notices = this.#sessions.get(sessionId) ?? { open: new Set(), said: new Set() };
    this.#sessions.delete(sessionId);
    this.#sessions.set(sessionId, notices);
    if (!notices.said.has(text)) notices.open.add(text);
    const [oldest] = this.#sessions.keys();
    if (this.#sessions.size > MOST_SESSIONS && oldest !== undefined) this.#sessions.delete(oldest);
  }

  /** What is to be said with this answer. */
  of({ sessionId, event }: CanonicalEvent): string | undefined {
    const notices = this.#sessions.get(sessionId);
    if (notices === undefined) return undefined;
    if (event === 'user_prompt_submit') notices.said.clear();
    return notices.open.size === 0 ? undefined : [...notices.open].join('\n');
  }

  told({ sessionId }: CanonicalEvent): void {
    const notices = this.#sessions.get(sessionId);
    if (notices === undefined) return;
    for (const text of notices.open) notices.said.add(text);
    notices.open.clear();
  }
}
