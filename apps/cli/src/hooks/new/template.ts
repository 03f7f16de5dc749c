import type { HookExpectation } from '@piton/artifacts';
import type { EventName } from '@piton/contracts';

export const KINDS = ['guard', 'formatter', 'logger', 'context', 'notifier'] as const;
export type Kind = (typeof KINDS)[number];

/** The body of a function of `payload` and `env`, and its imports. */
export interface FunctionSource {
  readonly imports: readonly string[];
  readonly body: string;
}

/** A starting point of one kind. It works as it is, and is meant to be changed. */
export interface Template {
  /** The default first, then the others that it supports. */
  readonly events: readonly [EventName, ...EventName[]];
  readonly anyEvent?: true;
  /** It only observes: it runs after the answer. */
  readonly observe?: true;
  /** Programs that its shell script calls. */
  readonly programs?: readonly string[];
  description(event: EventName): string;
  /** A script for `sh`, without the `#!` line. */
  shell(event: EventName): string;
  /** In JavaScript that is TypeScript as well. */
  script(event: EventName): FunctionSource;
  python(event: EventName): FunctionSource;
  cases(event: EventName): readonly TemplateCase[];
}

export interface TemplateCase {
  readonly name: string;
  /** How the case differs from the event's sample: the command, the file, … */
  readonly about?: SampleAbout;
  readonly env?: Readonly<Record<string, string>>;
  readonly expect: HookExpectation;
}

export interface SampleAbout {
  readonly command?: string;
  readonly file?: string;
}
