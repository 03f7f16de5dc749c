import type { EventName, ToolKind } from './events.ts';

/** A hook as it is written into an agent's own configuration, where nothing of Piton runs. */
export interface PortableHook {
  /** One word of small letters, digits and dashes: the name of its folder, by which its entries are found again. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly event: EventName;
  /** As written; empty matches every tool. */
  readonly matcher: string;
  /** Does the matcher fit a tool of this portable name? */
  fits(tool: string): boolean;
  /** Only tools of these kinds. */
  readonly kinds: readonly ToolKind[] | null;
  /** Only where the event has such a source. */
  readonly source: ((source: string) => boolean) | null;
  /** What a shell runs, its bundled files as `"$PITON_ARTIFACT_DIR"/…`. */
  readonly action: string;
  readonly timeoutMs: number;
  readonly failClosed: boolean;
  readonly observe: boolean;
  readonly injectOutput: boolean | undefined;
  /** It is written for the agent's own payload and answers. */
  readonly native: boolean;
  readonly confinement: ConfinedLine | null;
}

/** A command line that confines what follows it. `HOME` and `CWD` in it stand for what they are when the hook runs. */
export interface ConfinedLine {
  readonly head: readonly string[];
  /** The option that shows a path again, twice the path, between head and tail. */
  readonly bind: string;
  /** Places that are hidden: the working directory, the project and the hook's folder are shown again where they lie below. */
  readonly hidden: readonly string[];
  readonly tail: readonly string[];
}
export const RUNTIME_HOME = '\u0000HOME';
export const RUNTIME_CWD = '\u0000CWD';

/** Where hooks are written to, and what lies there. */
export interface MaterializePlace {
  readonly scope: 'user' | 'project';
  /** The user's home or the project, absolute: paths of files are relative to it, unless the agent's own variable moved them. */
  readonly base: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The text of a file, or null where there is none. */
  text(path: string): string | null;
}

export interface MaterializedFile {
  readonly path: string;
  /** Null: the file goes, nothing of it would remain. */
  readonly text: string | null;
  readonly executable?: true;
}

/** Something that a hook has under Piton and not there. */
export interface Loss {
  readonly field: string;
  readonly what: string;
}

export type MaterializeError = 'materialize.untranslatable' | 'materialize.config_invalid';
export interface MaterializeRefusal {
  readonly ok: false;
  readonly code: MaterializeError;
  readonly why: string;
}
export type Materialized =
  | {
      readonly ok: true;
      /** Where the hook's own files lie; what is bundled goes to `artifact/` in it. */
      readonly folder: string;
      readonly files: readonly MaterializedFile[];
      /** The native events on which it runs. */
      readonly nativeEvents: readonly string[];
      readonly losses: readonly Loss[];
    }
  | MaterializeRefusal;
export type MaterializeRemoval =
  | { readonly ok: true; readonly folder: string; readonly files: readonly MaterializedFile[] }
  | MaterializeRefusal;

/** Pure: texts in, texts out. */
export interface Materializer {
  materialize(hook: PortableHook, place: MaterializePlace): Materialized;
  /** Files of which something changes without the hook; none where it is not there. */
  remove(id: string, place: MaterializePlace): MaterializeRemoval;
  /** What a person has to do before the agent runs it, or null. */
  activation(scope: 'user' | 'project'): string | null;
}
