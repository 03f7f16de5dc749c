import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { JsonObject } from '@piton/contracts';
import type { RecordedPayload } from '@piton/testing/conformance';

/** What lies in an agent's `fixtures/`, and where its tests are. */
export function fixturesOf(agent: string) {
  const directory = fileURLToPath(new URL(`../src/${agent}/fixtures`, import.meta.url));
  const text = (path: string): string => readFileSync(join(directory, path), 'utf8');
  const recorded: readonly RecordedPayload[] = readdirSync(join(directory, 'recorded'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { event, cwd, env, stdin } = JSON.parse(text(join('recorded', file)));
      return { name: file, payload: stdin, context: { nativeEvent: event, cwd, variables: env ?? {} } };
    });
  return {
    fixtures: directory,
    tests: fileURLToPath(new URL(`./${agent}`, import.meta.url)),
    text,
    recorded,
    /** One recording by its file, such as `0.61.0/session/07-BeforeTool`. */
    recordedAs(file: string): RecordedPayload {
      const found = recorded.find(({ name }) => name === `${file}.json`);
      if (found === undefined) throw new Error(`no recording ${file}`);
      return found;
    },
    /** One documented payload, such as `BeforeTool.edit`. */
    documented: (name: string): JsonObject => JSON.parse(text(`documented/${name}.json`)),
    documentedNames: readdirSync(join(directory, 'documented')).map((file) => file.replace('.json', '')),
  };
}
