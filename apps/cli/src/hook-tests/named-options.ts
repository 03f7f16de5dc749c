import { AGENTS, findAgent } from '@piton/agents';
import { type Agent, EVENTS, type EventName, parseEventName } from '@piton/contracts';
import { Failure } from '../failure.ts';
import { parseSince } from '../output/time.ts';

/** Parses the values of options that name something. */
export function parseEventOption(text: string | undefined): EventName | undefined {
  if (text === undefined) return undefined;
  const event = parseEventName(text);
  if (event !== undefined) return event;
  throw new Failure(`no event is named ${JSON.stringify(text)}`, { remedy: `known: ${EVENTS.join(', ')}`, usage: true });
}

/** One agent or several, comma-separated. All by default. */
export function parseAgentsOption(text: string | undefined): readonly Agent[] {
  if (text === undefined) return AGENTS;
  return text.split(',').map((name) => {
    const agent = findAgent(name.trim());
    if (agent !== undefined) return agent;
    throw new Failure(`no agent is named ${JSON.stringify(name)}`, {
      remedy: `known: ${AGENTS.map(({ id }) => id).join(', ')}`,
      usage: true,
    });
  });
}

/** In µs since 1970. */
export function parseSinceOption(text: string): number {
  const since = parseSince(text);
  if (since !== undefined) return since.getTime() * 1000;
  throw new Failure(`--since ${JSON.stringify(text)} is not a time`, { remedy: 'use for example 90m, 2h, 7d or 2026-01-31', usage: true });
}
