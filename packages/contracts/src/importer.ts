import type { ConfigFile } from './agent.ts';
import type { EventName, ToolKind } from './events.ts';

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
  /** The files that a tool reads or writes, as patterns of ours. */
  readonly file?: string;
  readonly kind?: ToolKind;
  /** A line for a POSIX shell. */
  readonly command: string;
  /** Files that the command runs, by their paths in the artifact: where the agent does by itself what a script must do for us. */
  readonly bundled?: readonly { readonly path: string; readonly text: string }[];
  /** Programs without which it cannot run. */
  readonly requires?: readonly string[];
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
  /** The plugins of the agent's that bring hooks. */
  readonly plugins?: PluginImporter;
  /** The text with the hooks that stood at these places of another text put back; null is no file. What is there already is not put twice. */
  restore?(text: string | null, original: string, paths: readonly string[]): string;
}

/** Paths as those of an installer. */
export interface ImportFile extends Pick<ConfigFile, 'path' | 'label'> {
  /** A directory: every file in it whose name ends so. */
  readonly ending?: string;
  /** In a project: one person's own, and not for the repository. */
  readonly personal?: true;
}

/** A folder with hooks that an agent runs as a whole. */
export interface NativePlugin {
  readonly name: string;
  readonly root: string;
  /** It is on in the agent, which runs its hooks by itself. */
  readonly enabled: boolean;
}

/** Reads plugins: texts in, values out. */
export interface PluginImporter {
  /** The agent's lists of what is installed, and of what is on. Paths as those of the importer. */
  lists(env: Readonly<Record<string, string | undefined>>): readonly Pick<ImportFile, 'path' | 'label'>[];
  /** The texts of these lists; null where there is none. */
  installed(texts: readonly (string | null)[]): readonly NativePlugin[];
  /** The file of a plugin that says what it is, from its root. */
  readonly manifest: string;
  /** Where its hooks stand: files from its root, or in the manifest itself. */
  hookFiles(manifest: string | null): readonly { readonly path: string; readonly text?: string }[];
  /** The file of a folder with several plugins, from its root. */
  readonly marketplace: string;
  /** The plugins of a marketplace: folders from its root, or why one is none. */
  listed(marketplace: string): readonly { readonly name: string; readonly folder?: string; readonly why?: string }[];
  read(text: string): ImportResult;
  /** What the agent sets for the commands of a plugin, besides its root: lines of a shell. `root` is how the root is written there. */
  prelude(name: string, root: string): string;
}
