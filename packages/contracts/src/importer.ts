import type { ConfigFile } from './agent.ts';
import type { EventName } from './events.ts';

/** A hook of the user's that stands in an agent's own configuration, in portable words as far as they go. */
export interface NativeHook {
  readonly place: NativePlace;
  readonly event: EventName;
  /** Portable tool names, as a matcher of ours is written. Left out: every tool. */
  readonly matcher?: string;
  /** Why the event happened, as a pattern of ours. */
  readonly source?: string;
  /** What a shell tool runs, as a pattern of ours. */
  readonly shellCommand?: string;
  /** A line for a POSIX shell. */
  readonly command: string;
  readonly timeoutMs: number;
  /**
   * Whose payload and answer it uses: Claude Code's, as ours do; the agent's own; or one of the agent's own that Piton
   * never receives, so that it can be carried only if it reads none.
   */
  readonly shape: 'portable' | 'native' | 'foreign';
  /** It was written for this agent, and stays there. */
  readonly bound?: boolean;
  /** The agent waits for no answer. */
  readonly observe?: boolean;
  readonly failClosed?: boolean;
  /** It stands there and is switched off. */
  readonly disabled?: boolean;
  readonly name?: string;
  readonly description?: string;
  /** What is otherwise than it was there. */
  readonly notes: readonly string[];
}

export interface NativePlace {
  readonly nativeEvent: string;
  /** As a path through the file: `hooks.Event[0].hooks[1]`. */
  readonly path: string;
  /** Counted from 1. */
  readonly line: number;
}

/** What cannot be carried over, and why. */
export interface NotImported {
  readonly place: NativePlace;
  readonly what: string;
  readonly why: string;
}

export type ImportResult =
  | { readonly ok: true; readonly hooks: readonly NativeHook[]; readonly left: readonly NotImported[] }
  | { readonly ok: false; readonly error: string };

/** Reads the hooks of an agent's own configuration: a file's text in, hooks out. Piton's own registrations are none. */
export interface Importer {
  files(scope: 'user' | 'project', env: Readonly<Record<string, string | undefined>>): readonly ImportFile[];
  read(text: string, file: ImportFile): ImportResult;
  /** The text without the hooks at these places; absent where a person has to do it. */
  remove?(text: string, paths: readonly string[]): string;
  /** The text with the hooks that stood at these places of another text put back; null is no file. What is there already is not put twice. */
  restore?(text: string | null, original: string, paths: readonly string[]): string;
}

/** Paths as those of an installer. */
export interface ImportFile extends Pick<ConfigFile, 'path' | 'label'> {
  /** A directory: every file in it whose name ends so. */
  readonly ending?: string;
}
