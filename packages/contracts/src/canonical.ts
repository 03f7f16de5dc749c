import type { JsonObject } from './decision.ts';
import type { EventName, ToolKind } from './events.ts';

export interface Tool {
  /** The portable name (`Bash`, `Edit`, …), which matchers compare. */
  readonly name: string;
  readonly nativeName: string;
  readonly kind: ToolKind;
  readonly input: JsonObject;
  readonly useId?: string;
  readonly command?: string;
  /** The files that it reads or changes. A decoder gives them as the agent wrote them; the lifecycle makes them absolute and normalized. */
  readonly files: readonly string[];
  /** Of each file, what else its name could mean: `$HOME` as a name, another Unicode form. */
  readonly otherForms?: readonly (readonly string[])[];
  /** Of each file, where it lies once links are followed; null where that could not be found out in time. */
  readonly resolved?: readonly (string | null)[];
  /** A link leads one of them out of the place that its name says, or may do so: nobody may approve it by its name. */
  readonly leadsOut?: true;
  /** How the agent wrote paths that were made absolute, by the absolute one. */
  readonly nativePaths?: Readonly<Record<string, string>>;
  /** One call on several files: what it does to each, as if it were a call of its own. Hooks run once for each. */
  readonly calls?: readonly FileCall[];
}

export interface FileCall {
  readonly file: string;
  /** The portable name of the call on this file. */
  readonly name: string;
  readonly input: JsonObject;
}

/** A native payload, decoded. The raw payload stays with it. */
export interface CanonicalEvent {
  /** The generic name: the one under which the event is recorded. */
  readonly event: EventName;
  /** All names whose hooks fire, the generic one first. */
  readonly names: readonly EventName[];
  readonly agent: string;
  /** The agent whose hooks were run, where nobody knows who ran them. */
  readonly through?: string;
  readonly nativeEvent: string;
  /** Empty if the agent sends none. */
  readonly sessionId: string;
  readonly cwd: string;
  /** The portable payload, Claude-shaped, without the `piton` block. */
  readonly portable: JsonObject;
  readonly raw: unknown;
  /** It follows from a deny of ours, and the agent has not reported it. */
  readonly derived?: true;
  readonly tool?: Tool;
  readonly prompt?: string;
  /** Why a session started or ended, or a compaction began: in the words of Claude Code. */
  readonly source?: string;
  /** Set inside a subagent. */
  readonly agentId?: string;
  /** The session that this one works for, where a subagent has a session of its own. */
  readonly parentSessionId?: string;
  /** The task of the subagent that this event is about, where the agent names it by that alone. */
  readonly task?: string;
  readonly transcriptPath?: string;
  /** The format of the file of Piton's that `transcript_path` in the portable payload names: the agent has none that a hook can read. */
  readonly writtenTranscript?: string;
  /** Of the subagent that this event is about, where it writes one of its own. */
  readonly agentTranscriptPath?: string;
  /** What the agent answered last, or the error or message of this event. */
  readonly text?: string;
  readonly model?: string;
  /** What the decoder could not make sense of; shown by `events show` and counted by `doctor`. */
  readonly problems?: readonly string[];
}

/** What a call lacks that a guard would have to look at, before it happens. */
export function missingIn({ event, tool, problems = [] }: CanonicalEvent): string | undefined {
  if (event !== 'pre_tool_use' && event !== 'permission_request') return undefined;
  const missing = missingOf(tool);
  return missing && [missing, ...problems.slice(0, 1)].join(': ');
}

function missingOf(tool: Tool | undefined): string | undefined {
  if (tool === undefined) return 'its tool could not be read';
  if (tool.kind === 'shell') return tool.command === undefined ? 'its command could not be read' : undefined;
  return (tool.kind === 'edit' || tool.kind === 'read') && tool.files.length === 0 ? 'its file could not be read' : undefined;
}
