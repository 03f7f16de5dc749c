import type { Agent, EventName } from '@piton/contracts';
import type { ShellReading } from '../shell/simple-commands.ts';
import type { LintFinding } from './finding.ts';

/** What lint needs of an agent: its tables. */
export type LintAgent = Pick<Agent, 'id' | 'title' | 'aliases' | 'events' | 'tools' | 'capabilities' | 'partial'>;

/** The result of reading the fields of an entry. */
export interface EntryReading {
  /** A canonical event or one that Piton emits; undefined if it names neither. */
  readonly event: string | undefined;
  /** Why it cannot run, with the field of each reason. */
  readonly wrong: readonly { readonly field: string; readonly what: string }[];
  /** Fields that have no effect. */
  readonly unknown: readonly { readonly field: string; readonly what: string }[];
}

/** What lint needs from other packages. */
export interface LintContext {
  readonly agents: readonly LintAgent[];
  readEntry(entry: unknown): EntryReading;
  nearestName(text: string, known: readonly string[]): string | undefined;
  /** Does a matcher match the name of a tool? An invalid one matches none. */
  matcherFits(matcher: string, tool: string): boolean;
}

/** A file next to the definition of a hook. */
export interface LintFile {
  readonly executable: boolean;
  /** Null if it is not text, or not needed. */
  readonly text: string | null;
}
/** Finds a file by its path in the folder; undefined if there is none. A directory is not a file. */
export type FindFile = (path: string) => LintFile | undefined;

/** A hook as rules see it, however it was declared. */
export interface Subject {
  readonly way: 'artifact' | 'setting' | 'executable';
  readonly file: string;
  /** With the field names of settings. */
  readonly entry: Readonly<Record<string, unknown>>;
  readonly reading: EntryReading;
  /** The event, if it is one of an agent. */
  readonly event: EventName | undefined;
  lineOf(field: string): number;
  /** The name of a field in its format. */
  nameOf(field: string): string;
  /** What it runs: its action first, then the scripts of its folder. */
  readonly texts: readonly RunText[];
  /** Absent if the hook has no folder. */
  readonly findFile?: FindFile;
}

export interface RunText {
  readonly kind: 'action' | 'script';
  readonly file: string;
  /** Of its first line. */
  readonly line: number;
  readonly text: string;
  /** Absent if it is in another language. */
  readonly shell?: ShellReading;
}

export type Rule = (subject: Subject, context: LintContext) => readonly Found[];
/** The severity depends on the rule. */
export type Found = Omit<LintFinding, 'severity'>;

/** A field that is a string. Other types are reported by the reader of fields. */
export const textIn = (entry: Subject['entry'], field: string): string | undefined => {
  const value = entry[field];
  return typeof value === 'string' && value !== '' ? value : undefined;
};
