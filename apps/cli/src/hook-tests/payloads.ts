import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent } from '@piton/contracts';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';

/** What an agent once sent, or is documented to send. */
export interface AgentPayload {
  readonly name: string;
  readonly kind: 'recorded' | 'documented';
  readonly nativeEvent: string;
  readonly payload: unknown;
  readonly variables: Readonly<Record<string, string>>;
}

interface PayloadEntry {
  readonly name: string;
  readonly kind: AgentPayload['kind'];
  readonly event?: string;
  readonly payload: unknown;
  readonly env?: Readonly<Record<string, string>>;
}

/** The file that the build makes from the agents' fixtures. */
const FILE = 'payloads.json';

/** All payloads by agent, read once. `work` is the directory they refer to. */
export function openPayloads(context: Context, work: string): (agent: Agent) => readonly AgentPayload[] {
  const all = read(join(context.distribution, FILE));
  return (agent) =>
    (all[agent.id] ?? []).flatMap(({ name, kind, event, payload, env = {} }) => {
      const nativeEvent = event ?? eventIn(name, agent);
      if (nativeEvent === undefined) return [];
      const place = (value: unknown): unknown =>
        replacePlaceholders(value, { $REPO: work, $HOME: context.env.HOME ?? work, $AGENTS: '/opt' });
      return [{ name, kind, nativeEvent, payload: place(payload), variables: place(env) as Record<string, string> }];
    });
}

function read(path: string): Readonly<Record<string, readonly PayloadEntry[]>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Record<string, PayloadEntry[]>;
  } catch (error) {
    throw new Failure(`cannot read the recorded payloads: ${reasonOf(error)}`, {
      where: path,
      remedy: 'reinstall Piton. In a clone: npm run build',
    });
  }
}

/** A documented payload is named after its native event, with a suffix if there are several. */
function eventIn(name: string, { events }: Agent): string | undefined {
  const fitting = events.filter((event) => name === event.name || name.startsWith(`${event.name}.`));
  return fitting.sort((a, b) => b.name.length - a.name.length)[0]?.name;
}

/** Replaces names by paths in every string of a payload. A longer name with the same prefix is left alone. */
export function replacePlaceholders(value: unknown, places: Readonly<Record<string, string>>): unknown {
  let text = JSON.stringify(value);
  if (text === undefined) return value;
  for (const [name, place] of Object.entries(places)) text = text.replaceAll(wholeName(inside(name)), () => inside(place));
  return JSON.parse(text) as unknown;
}

/** As it appears inside a JSON string. */
const inside = (text: string): string => JSON.stringify(text).slice(1, -1);

const wholeName = (text: string): RegExp => new RegExp(`${text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')}(?![\\w-])`, 'g');

/** The same payload with another command, in every string that is exactly the old one. */
export function withCommand(value: unknown, before: string, after: string): unknown {
  if (value === before) return after;
  if (Array.isArray(value)) return value.map((each) => withCommand(each, before, after));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, withCommand(each, before, after)]));
}
