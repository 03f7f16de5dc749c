import { type CanonicalEvent, type JsonObject, type NativeContext, namesFor } from '@piton/contracts';
import { textOf } from './json-fields.ts';

type Facts = Omit<CanonicalEvent, 'names' | 'problems'>;
type Filling = { -readonly [Key in keyof CanonicalEvent]: CanonicalEvent[Key] };

/** Facts that may be missing, as they are picked out of a payload. */
export type Optional = {
  readonly [Key in
    | 'tool'
    | 'prompt'
    | 'source'
    | 'agentId'
    | 'parentSessionId'
    | 'task'
    | 'transcriptPath'
    | 'agentTranscriptPath'
    | 'text'
    | 'model']?: CanonicalEvent[Key] | undefined;
};

/** Puts a decoded event together: what is missing is left out, and the names follow from event and tool. */
export function canonicalEvent(known: Omit<Facts, keyof Optional>, optional: Optional, problems: readonly string[]): CanonicalEvent {
  const { event, agent, through, nativeEvent, sessionId, cwd, portable, raw } = known;
  const { tool, prompt, source, agentId, parentSessionId, task, transcriptPath, agentTranscriptPath, text, model } = optional;
  // One by one: every event of every agent passes here while the agent waits, and lists of pairs cost ten times as much.
  const made: Filling = { event, names: namesFor(event, tool?.kind), agent, nativeEvent, sessionId, cwd, portable, raw };
  if (through !== undefined) made.through = through;
  if (tool !== undefined) made.tool = tool;
  if (prompt !== undefined) made.prompt = prompt;
  if (source !== undefined) made.source = source;
  if (agentId !== undefined) made.agentId = agentId;
  if (parentSessionId !== undefined) made.parentSessionId = parentSessionId;
  if (task !== undefined) made.task = task;
  if (transcriptPath !== undefined) made.transcriptPath = transcriptPath;
  if (agentTranscriptPath !== undefined) made.agentTranscriptPath = agentTranscriptPath;
  if (text !== undefined) made.text = text;
  if (model !== undefined) made.model = model;
  if (problems.length > 0) made.problems = problems;
  return made;
}

/** The payload says what happened, the registration only what was expected: the answer must name the former. */
export function nativeEventOf(fields: JsonObject, context: NativeContext, problems: string[]): string {
  const said = textOf(fields, 'hook_event_name');
  if (said !== undefined && said !== context.nativeEvent)
    problems.push(`registered for ${context.nativeEvent}, but the payload says ${said}`);
  return said ?? context.nativeEvent;
}
