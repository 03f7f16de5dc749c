import type { Agent, EventName } from '@piton/contracts';
import type { ShellReading } from '../shell/simple-commands.ts';
import type { LintFinding } from './finding.ts';

/** What lint knows of an agent: its own tables. */
export type LintAgent = Pick<Agent, 'id' | 'title' | 'aliases' | 'events' | 'tools' | 'capabilities'>;

/** What the reader of fields makes of an entry. */
export interface EntryReading {
  /** Canonical, or one of Piton's own; undefined where it names none. */
  readonly event: string | undefined;
  /** Why it cannot run as it is, each with the field that it is about. */
  readonly wrong: readonly { readonly field: string; readonly what: string }[];
  /** Fields that have no effect. */
  readonly unknown: readonly { readonly field: string; readonly what: string }[];
}

/** What other rooms know, and lint asks them for. */
export interface LintWorld {
  readonly agents: readonly LintAgent[];
  readEntry(entry: unknown): EntryReading;
  nearestName(text: string, known: readonly string[]): string | undefined;
  /** Does a matcher fit the name of a tool? One that cannot be used fits none. */
  matcherFits(matcher: string, tool: string): boolean;
}

/** A file that lies beside the definition of a hook. */
export interface LintFile {
  readonly executable: boolean;
  /** Null where it is no text, or where nobody needs it. */
  readonly text: string | null;
}
/** By its path from the folder; undefined where there is none. A directory is no file. */
export type LookAt = (path: string) => LintFile | undefined;

/** A hook as a rule sees it, whichever way it was declared. */
export interface Subject {
  readonly way: 'artifact' | 'setting' | 'executable';
  readonly file: string;
  /** Under the names that settings have. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly reading: EntryReading;
  /** The event, where it is one of an agent. */
  readonly event: EventName | undefined;
  lineOf(field: string): number;
  /** What its own format calls a field. */
  nameOf(field: string): string;
  /** What it runs: its action first, then what that runs of its own folder. */
  readonly texts: readonly RunText[];
  /** Absent where a hook has no folder of its own. */
  readonly look?: LookAt;
}

export interface RunText {
  readonly kind: 'action' | 'script';
  readonly file: string;
  /** Of its first line. */
  readonly line: number;
  readonly text: string;
  /** Absent where it is in another language. */
  readonly shell?: ShellReading;
}

export type Rule = (subject: Subject, world: LintWorld) => readonly Found[];
/** How bad it is depends on the rule, not on what it found. */
export type Found = Omit<LintFinding, 'severity'>;

/** A field that is a text; anything else was told by the reader of fields. */
export const textIn = (entry: Subject['entry'], field: string): string | undefined => {
  const value = entry[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
