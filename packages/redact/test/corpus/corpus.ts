import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CREDENTIALS, type Given } from './credentials.ts';
import { LOOKALIKES } from './lookalikes.ts';
import { type SeededRandom, seededRandom } from './random.ts';
import { TOKENS } from './tokens.ts';

/** One recorded payload of an agent into which a text was put. */
export interface Sample {
  readonly kind: string;
  readonly agent: string;
  readonly payload: unknown;
  readonly text: string;
  readonly secret: string;
}

const SEED = 20_260_101;
const TOKEN_ROUNDS = 5;
const CREDENTIAL_ROUNDS = 5;
const LOOKALIKE_ROUNDS = 36;

type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
const payloads = JSON.parse(readFileSync(join(import.meta.dirname, 'fixtures', 'payloads.json'), 'utf8')) as Record<
  string,
  Record<string, Json>
>;
const recorded = Object.entries(payloads).flatMap(([agent, all]) => Object.values(all).map((payload) => ({ agent, payload })));
export const AGENT_COUNT = Object.keys(payloads).length;

/** Fields that hold what people and programs wrote: there secrets are met. */
const WRITTEN =
  /^(?:command|content|prompt|text|stdout|output|result|message|new_string|old_string|llmContent|textResultForLlm|task|tool_response|last_assistant_message|description)$/;

function put(value: Json, name: string, text: string, random: SeededRandom): Json {
  const places = placesIn(value, name);
  const at = places.length === 0 ? -1 : random.below(places.length);
  let met = -1;
  const copy = (item: Json, under: string): Json => {
    if (typeof item === 'string') return WRITTEN.test(under) && ++met === at ? text : item;
    if (Array.isArray(item)) return item.map((each) => copy(each, under));
    if (typeof item === 'object' && item !== null)
      return Object.fromEntries(Object.entries(item).map(([key, each]) => [key, copy(each, key)]));
    return item;
  };
  const copied = copy(value, name);
  return at === -1 && typeof copied === 'object' && copied !== null && !Array.isArray(copied) ? { ...copied, content: text } : copied;
}

function placesIn(value: Json, name: string): string[] {
  if (typeof value === 'string') return WRITTEN.test(name) ? [name] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, item]) => placesIn(item, Array.isArray(value) ? name : key));
}

/** Around a token that needs no name to be known. */
const CARRIERS: readonly ((secret: string) => string)[] = [
  (it) => `please use ${it} for the call`,
  (it) => `export X=${it}`,
  (it) => `config: { "x": "${it}", "y": 1 }`,
  (it) => `first line\n${it}\nlast line`,
  (it) => `curl -H "x-thing: ${it}" https://example.org`,
  (it) => `client = Client('${it}')`,
  (it) => JSON.stringify({ out: `a\n${it}\tb` }),
  (it) => JSON.stringify(JSON.stringify({ out: `a\n${it}` })),
  (it) => `\`${it}\``,
  (it) => `https://example.org/x?y=${it}&z=1`,
  (it) => `(${it}), and so on.`,
];

const sampleOf = (kind: string, given: Given, random: SeededRandom): Sample => {
  const { agent, payload } = random.pick(recorded);
  return { kind, agent, payload: put(payload, '', given.text, random), ...given };
};

export function trueSecrets(): Sample[] {
  const random = seededRandom(SEED);
  const times = <T>(count: number, make: (round: number) => T): T[] => Array.from({ length: count }, (_, round) => make(round));
  const tokens = Object.entries(TOKENS).flatMap(([kind, makers]) =>
    times(TOKEN_ROUNDS, (round) => {
      const secret = (makers[round % makers.length] as (typeof makers)[number])(random);
      return sampleOf(kind, { secret, text: random.pick(CARRIERS)(secret) }, random);
    }),
  );
  const credentials = Object.entries(CREDENTIALS).flatMap(([kind, makers]) =>
    times(CREDENTIAL_ROUNDS, (round) => sampleOf(kind, (makers[round % makers.length] as (typeof makers)[number])(random), random)),
  );
  return [...tokens, ...credentials];
}

export function lookalikes(): Sample[] {
  const random = seededRandom(SEED + 1);
  return Object.entries(LOOKALIKES).flatMap(([kind, make]) =>
    Array.from({ length: LOOKALIKE_ROUNDS }, () => sampleOf(kind, { text: make(random), secret: '' }, random)),
  );
}
