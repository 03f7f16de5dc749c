import { EVENTS, PITON_EVENTS, spellingsOf } from '@piton/contracts';
import type { LintContext, Rule } from '../context.ts';

/** A hook on an event that no agent fires never runs. */
export const eventRule: Rule = ({ entry, reading, file, lineOf, nameOf }, context) => {
  if (reading.event !== undefined) return [];
  const { event } = entry;
  const at = { rule: 'event', file, line: lineOf('event') };
  if (event === undefined) return [{ ...at, what: `"${nameOf('event')}" is missing`, remedy: 'use one: pre_tool_use, stop, …' }];
  if (typeof event !== 'string') return [{ ...at, what: `"${nameOf('event')}" is not a string`, remedy: 'use one: pre_tool_use, stop, …' }];
  const ours = nativeMeaning(event, context);
  if (ours !== undefined) return [{ ...at, what: `${event} is the native name of ${ours.who}`, remedy: `use ${ours.name}` }];
  const near = context.nearestName(event, [...EVENTS.flatMap(spellingsOf), ...PITON_EVENTS]);
  const remedy = near === undefined ? 'see docs/writing-hooks.md for the events' : `did you mean ${near.replaceAll('-', '_')}?`;
  return [{ ...at, what: `no event is named ${event}`, remedy }];
};

/** The canonical name of a native event. */
function nativeMeaning(text: string, { agents }: LintContext): { name: string; who: string; many: boolean } | undefined {
  const senders = agents.flatMap(({ title, events }) =>
    events.filter(({ name, event }) => name === text && event !== 'other').map(({ event }) => ({ title, event })),
  );
  const [first] = senders;
  if (first === undefined) return undefined;
  const names = [...new Set(senders.map(({ event }) => event))];
  const who = senders.filter(({ event }) => event === first.event).map(({ title }) => title);
  return { name: names.join(' or '), many: who.length > 1, who: who.length > 2 ? `${who[0]} and other agents` : who.join(' and ') };
}
