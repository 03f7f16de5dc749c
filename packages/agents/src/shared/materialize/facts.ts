import type { Agent, EventName, NativeEvent } from '@piton/contracts';
import type { ToolNaming } from './tools.ts';

/** What has to be known of an agent to write a hook that runs in it alone. */
export interface MaterializeFacts {
  readonly agent: string;
  readonly title: string;
  /** Native events at which a hook can be put. */
  readonly events: readonly NativeEvent[];
  readonly tools: ToolNaming;
  readonly encode: Agent['encode'];
  readonly noop: Agent['noop'];
  /** How it reports a tool that failed: by an event of its own, by the one after every tool, or not at all. */
  readonly failures: 'apart' | 'same' | 'none';
  /** The words for which an event's matcher is compared with its source. */
  readonly sources?: Partial<Record<EventName, readonly string[]>>;
  /** What is different here about an event, for the report. */
  readonly notes?: Partial<Record<EventName, string>>;
  /** A hook that crashes would deny or be read by the model: its exit code is not passed on. */
  readonly quietCrash?: true;
  /** Its payload is what Piton hands to hooks. */
  readonly portablePayload?: true;
  /** It has no time limit of its own for a hook. */
  readonly noTimeout?: true;
  /** What is written runs inside the agent: it reads answers and keeps time for itself. */
  readonly inProcess?: true;
  /** Where its configuration has no matcher: how its payload names a tool, as an extended regular expression for `grep`. */
  readonly toolInPayload?: (name: string) => string;
}
