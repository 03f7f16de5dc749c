import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@piton/contracts';
import type { RecordedPayload } from '@piton/testing/conformance';

export const FIXTURES = fileURLToPath(new URL('../../src/droid/fixtures', import.meta.url));
export const TESTS = fileURLToPath(new URL('.', import.meta.url));

const readJson = (path: string) => JSON.parse(readFileSync(join(FIXTURES, path), 'utf8'));

/** One documented payload, such as `PreToolUse.edit`. */
export const documented = (name: string): JsonObject => readJson(`documented/${name}.json`);
export const documentedNames = readdirSync(join(FIXTURES, 'documented')).map((file) => file.replace('.json', ''));

/** Everything that was recorded from the real program. */
export const recorded: readonly RecordedPayload[] = readdirSync(join(FIXTURES, 'recorded'), { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.json'))
  .sort()
  .map((file) => {
    const { event, cwd, env, stdin } = readJson(join('recorded', file));
    return { name: file, payload: stdin, context: { nativeEvent: event, cwd, variables: env } };
  });
export const recordedAs = (file: string): RecordedPayload => {
  const found = recorded.find(({ name }) => name === `0.215.0/${file}.json`);
  if (found === undefined) throw new Error(`no recording ${file}`);
  return found;
};
