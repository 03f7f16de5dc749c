import type { HookExpectation } from '@piton/artifacts';
import type { EventName } from '@piton/contracts';

export const KINDS = ['guard', 'formatter', 'logger', 'context', 'notifier'] as const;
export type Kind = (typeof KINDS)[number];

/** A starting point of one kind. It works as it is, and is made to be changed. */
export interface Template {
  /** The default first; an empty rest means that any event will do. */
  readonly events: readonly [EventName, ...EventName[]];
  readonly anyEvent?: true;
  /** It only watches: it runs after the answer. */
  readonly observe?: true;
  /** Programs that its shell script calls. */
  readonly programs?: readonly string[];
  description(event: EventName): string;
  /** A script for `sh`, without its first line. */
  shell(event: EventName): string;
  /** The inside of a function of `payload` and `env`, and what it imports. */
  script(event: EventName): { readonly imports: readonly string[]; readonly body: string };
  cases(event: EventName): readonly TemplateCase[];
}

export interface TemplateCase {
  readonly name: string;
  /** What differs from the event's sample: the command, the file, … */
  readonly about?: SampleAbout;
  readonly env?: Readonly<Record<string, string>>;
  readonly expect: HookExpectation;
}

export interface SampleAbout {
  readonly command?: string;
  readonly file?: string;
}
