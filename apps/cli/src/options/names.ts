import { AGENTS, findAgent } from '@piton/agents';
import {
  type Agent,
  EVENTS,
  type EventName,
  PITON_EVENTS,
  type PitonEventName,
  parseEventName,
  parsePitonEventName,
  UNKNOWN_AGENT,
} from '@piton/contracts';
import { nearestName } from '@piton/hooks';
import { Failure } from '../failure.ts';

/** The event of an option, in any spelling, or by the name that an agent has for it. */
export function parseEventOption(text: string): EventName;
export function parseEventOption(text: string | undefined): EventName | undefined;
export function parseEventOption(text: string | undefined): EventName | undefined {
  if (text === undefined) return undefined;
  return parseEventName(text) ?? eventOfNative(text) ?? refuse('event', text, EVENTS);
}

/** The same, or an event that Piton emits. */
export function parseAnyEventOption(text: string): EventName | PitonEventName {
  return parseEventName(text) ?? parsePitonEventName(text) ?? eventOfNative(text) ?? refuse('event', text, [...EVENTS, ...PITON_EVENTS]);
}

export function parseAgentOption(text: string): Agent {
  const names = AGENTS.flatMap(({ id, aliases }) => [id, ...aliases]);
  return findAgent(text.trim()) ?? refuse('agent', text, names, `known: ${AGENTS.map(({ id }) => id).join(', ')}`);
}

/** The id of an agent in the record, which may be an unknown one. */
export const parseRecordedAgent = (text: string): string => (text.trim() === UNKNOWN_AGENT ? UNKNOWN_AGENT : parseAgentOption(text).id);

/** Comma-separated, or given several times. */
export function parseAgentsOption(texts: readonly string[]): Agent[] {
  const names = texts.flatMap((text) => text.split(',')).filter((name) => name.trim() !== '');
  return [...new Set(names.map(parseAgentOption))];
}

export const agentsOrAll = (text: string | undefined): readonly Agent[] => (text === undefined ? AGENTS : parseAgentsOption([text]));

/** Agents may use one name for different events; then it names none. */
function eventOfNative(text: string): EventName | undefined {
  const wanted = text.toLowerCase();
  const found = new Set(
    AGENTS.flatMap(({ events }) => events.filter(({ name }) => name.toLowerCase() === wanted).map(({ event }) => event)),
  );
  found.delete('other');
  return found.size === 1 ? [...found][0] : undefined;
}

function refuse(kind: 'event' | 'agent', text: string, known: readonly string[], all = `known: ${known.join(', ')}`): never {
  const meant = nearestName(text, known) ?? begunWith(text, known).join(' or ');
  throw new Failure(`no ${kind} is named ${JSON.stringify(text)}`, { remedy: meant ? `did you mean ${meant}?` : all, usage: true });
}

/** Most who type less than a name type its beginning. */
function begunWith(text: string, known: readonly string[]): string[] {
  const letters = (name: string): string => name.toLowerCase().replace(/[^a-z]/g, '');
  const found = letters(text) === '' ? [] : known.filter((name) => letters(name).startsWith(letters(text)));
  return found.length <= 4 ? found : [];
}
