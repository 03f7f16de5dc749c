import type { EventHeader, EventQuery } from './stored-events.ts';

/** Where the words were found. `text` is what an agent reported: an error, a notification. */
export type SearchPlace = 'prompt' | 'command' | 'path' | 'answer' | 'text';

export interface SearchQuery extends Pick<EventQuery, 'session' | 'agent' | 'since' | 'limit'> {
  /** Not in this session, by its id in the store. */
  readonly exceptSession?: string;
  /** A repository or directory: at or below it. */
  readonly path?: string;
  readonly branch?: string;
  /** Only events whose tool named a path that contains this. */
  readonly file?: string;
  /** By time. Otherwise the best match first. */
  readonly newest?: boolean;
}

export interface SearchHit {
  /** Null for an answer that is only in a transcript. */
  readonly event: EventHeader | null;
  readonly place: SearchPlace;
  /** The surrounding text on one line, with `⟦` and `⟧` around what matches. */
  readonly excerpt: string;
  readonly session: string | null;
  readonly agent: string;
  readonly repo: string | null;
  readonly branch: string | null;
  readonly projectPath: string;
  readonly wallUs: number;
}
