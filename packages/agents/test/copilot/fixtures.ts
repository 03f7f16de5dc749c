import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@piton/contracts';
import type { RecordedPayload } from '@piton/testing/conformance';

export const FIXTURES = fileURLToPath(new URL('../../src/copilot/fixtures', import.meta.url));
export const TESTS = fileURLToPath(new URL('.', import.meta.url));

const readJson = (path: string) => JSON.parse(readFileSync(join(FIXTURES, path), 'utf8'));
const documentedNames = readdirSync(join(FIXTURES, 'documented')).map((file) => file.replace('.json', ''));

/** Everything that was recorded from the real program. */
export const recorded: readonly RecordedPayload[] = readdirSync(join(FIXTURES, 'recorded'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const { event, cwd, env, stdin } = readJson(join('recorded', file));
    return { name: file, payload: stdin, context: { nativeEvent: event, cwd, variables: env } };
  });

export const recordedAs = (file: string): RecordedPayload => {
  const found = recorded.find(({ name }) => name === `1.0.102/${file}.json`);
  if (found === undefined) throw new Error(`no recording ${file}`);
  return found;
};

/** A payload of an event: recorded in the broad session if it fired there, elsewhere if not, else as documented. */
export function sampleOf(nativeEvent: string): JsonObject {
  const all = recorded.filter(({ context }) => context.nativeEvent === nativeEvent);
  const payloads = [...all.filter(({ name }) => name.includes('/session')), ...all].map(({ payload }) => payload as JsonObject);
  const [best] = /subagent/i.test(nativeEvent) ? payloads : payloads.filter((payload) => !('agentId' in payload || 'agent_id' in payload));
  if (best !== undefined) return best;
  const documented = documentedNames.find((name) => name.toLowerCase() === nativeEvent.toLowerCase());
  if (documented === undefined) throw new Error(`nothing is known of ${nativeEvent}`);
  return readJson(`documented/${documented}.json`);
}
