import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@piton/contracts';
import type { RecordedPayload } from '@piton/testing/conformance';

/** The fixtures of an agent that runs plugins. */
export function pluginFixtures(agent: string) {
  const fixtures = fileURLToPath(new URL(`../../src/${agent}/fixtures`, import.meta.url));
  const readJson = (path: string) => JSON.parse(readFileSync(join(fixtures, path), 'utf8'));
  const recorded: RecordedPayload[] = readdirSync(join(fixtures, 'recorded'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { event, cwd, env, stdin } = readJson(join('recorded', file));
      return { name: file, payload: stdin, context: { nativeEvent: event, cwd, variables: env } };
    });
  return {
    fixtures,
    tests: fileURLToPath(new URL(`../${agent}`, import.meta.url)),
    recorded,
    documented: (name: string): JsonObject => readJson(`documented/${name}.json`),
    text: (path: string): string => readFileSync(join(fixtures, path), 'utf8'),
  };
}
