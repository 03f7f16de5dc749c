import { type CanonicalEvent, type Hearing, type JsonObject, namesFor } from '@piton/contracts';
import { textOf } from './json-fields.ts';

type Facts = Omit<CanonicalEvent, 'names' | 'problems'>;

/** Facts that may be missing, as they are picked out of a payload. */
export type Optional = {
  readonly [Key in
    | 'tool'
    | 'prompt'
    | 'source'
    | 'agentId'
    | 'parentSessionId'
    | 'transcriptPath'
    | 'agentTranscriptPath'
    | 'text'
    | 'model']?: CanonicalEvent[Key] | undefined;
};

/** Puts a decoded event together: what is missing is left out, and the names follow from event and tool. */
export function canonicalEvent(known: Omit<Facts, keyof Optional>, optional: Optional, problems: readonly string[]): CanonicalEvent {
  const there = Object.entries(optional).filter(([, value]) => value !== undefined);
  return {
    ...known,
    ...(Object.fromEntries(there) as Partial<CanonicalEvent>),
    names: namesFor(known.event, optional.tool?.kind),
    ...(problems.length > 0 && { problems }),
  };
}

/** The payload says what happened, the registration only what was expected: the answer must name the former. */
export function nativeEventOf(fields: JsonObject, hearing: Hearing, problems: string[]): string {
  const said = textOf(fields, 'hook_event_name');
  if (said !== undefined && said !== hearing.nativeEvent)
    problems.push(`registered for ${hearing.nativeEvent}, but the payload says ${said}`);
  return said ?? hearing.nativeEvent;
}
