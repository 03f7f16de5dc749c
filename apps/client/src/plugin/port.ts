import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { PluginAnswer, PluginPort } from '@piton/agents/plugin';
import { type Places, placesOf } from '@piton/contracts/places';
import { homeIsOurs } from '../home.ts';
import { type Line, parseLine } from './call.ts';
import { sendEvent } from './send-event.ts';

/** What the file that `piton init` wrote knows: where Piton lies, and each registration as its command line would say it. */
export interface PluginPlace {
  readonly forwarder: string;
  readonly registrations: readonly (readonly string[])[];
}

const NOTHING: PluginAnswer = {};

/** The way from inside an agent to Piton. Whatever is missing or broken, the agent goes on. */
export function openPort(place: PluginPlace): PluginPort {
  const lines = new Map<string, Line>();
  for (const registration of place.registrations) {
    const line = parseLine(registration);
    if (line !== undefined) lines.set(line.nativeEvent, line);
  }
  return {
    async send(nativeEvent, payload, cwd) {
      const registration = lines.get(nativeEvent);
      if (registration === undefined) return NOTHING;
      try {
        const places = placesFrom(place.forwarder);
        if (places === undefined || !homeIsOurs(places)) return NOTHING;
        return read(await sendEvent({ places, forwarder: place.forwarder, registration, payload: textOf(payload), cwd }));
      } catch {
        return NOTHING;
      }
    },
  };
}

/** `<home>/runtime/current/piton-forward`; looked up at each event, since Piton may come and go while an agent runs. */
function placesFrom(forwarder: string): Places | undefined {
  try {
    return placesOf(realpathSync(dirname(dirname(dirname(forwarder)))), '');
  } catch {
    return undefined;
  }
}

/** What cannot be written down is sent empty: hooks that must hold then deny. */
function textOf(payload: unknown): Buffer {
  try {
    return Buffer.from(JSON.stringify(payload) ?? '');
  } catch {
    return Buffer.alloc(0);
  }
}

function read(text: string): PluginAnswer {
  if (text.trim() === '') return NOTHING;
  const answer: unknown = JSON.parse(text);
  return typeof answer === 'object' && answer !== null ? answer : NOTHING;
}
