import { EVENTS, PITON_EVENTS, spellingsOf } from '@piton/contracts';
import type { LintWorld, Rule } from '../world.ts';

/** An event that nobody fires: a hook that looks alive, and never runs. */
export const eventRule: Rule = ({ entry, reading, file, lineOf, nameOf }, world) => {
  if (reading.event !== undefined) return [];
  const { event } = entry;
  const at = { rule: 'event', file, line: lineOf('event') };
  if (event === undefined) return [{ ...at, what: `"${nameOf('event')}" is missing`, remedy: 'use one: pre_tool_use, stop, …' }];
  if (typeof event !== 'string') return [{ ...at, what: `"${nameOf('event')}" is not a string`, remedy: 'use one: pre_tool_use, stop, …' }];
  const ours = nativeMeaning(event, world);
  if (ours !== undefined) return [{ ...at, what: `${event} is the native name of ${ours.who}`, remedy: `use ${ours.name}` }];
  const near = world.nearestName(event, [...EVENTS.flatMap(spellingsOf), ...PITON_EVENTS]);
  const remedy = near === undefined ? 'see docs/writing-hooks.md for the events' : `did you mean ${near.replaceAll('-', '_')}?`;
  return [{ ...at, what: `no event is named ${event}`, remedy }];
};

/** Our name for an agent's own. */
function nativeMeaning(text: string, { agents }: LintWorld): { name: string; who: string; many: boolean } | undefined {
  const speakers = agents.flatMap(({ title, events }) =>
    events.filter(({ name, event }) => name === text && event !== 'other').map(({ event }) => ({ title, event })),
  );
  const [first] = speakers;
  if (first === undefined) return undefined;
  const names = [...new Set(speakers.map(({ event }) => event))];
  const who = speakers.filter(({ event }) => event === first.event).map(({ title }) => title);
  return { name: names.join(' or '), many: who.length > 1, who: who.length > 2 ? `${who[0]} and other agents` : who.join(' and ') };
}
