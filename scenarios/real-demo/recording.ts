import { join } from 'node:path';
import { type AgentDriver, type Facts, type Room, runAgent, talk } from '@piton/testing';
import { configOf, piton, readEvents, storedEvents } from '../real-claude/stage.ts';

/** A session of the demo, as it lies in `apps/cli/src/demo/sessions`. */
export interface DemoSession {
  readonly agent: string;
  readonly recordedWith: string;
  readonly steps: readonly { readonly event: string; readonly payload: unknown }[];
}

export const CONTEXT = 'House rule: nothing is deleted, it is moved to .trash/.';
export const REASON = 'rm -rf is not allowed here. Move it instead: mv <path> .trash/';

/** What the demo's own hooks say, said while the session is recorded: an agent goes on by what it was told. */
const HOOKS = {
  'pre-tool-use': `#!/bin/sh
case "$PITON_TOOL_COMMAND" in *'rm -rf'*) echo '${REASON}' >&2; exit 2 ;; esac
`,
  'session-start': `#!/bin/sh
echo '${CONTEXT}'
`,
};

/** The model wants to delete a directory, is denied, moves it as it was told to, and writes a file. */
export async function playForDemo(driver: AgentDriver, room: Room): Promise<Facts> {
  for (const [event, text] of Object.entries(HOOKS)) room.writeProgram(join(configOf(room), 'hooks', event, '10-demo'), text);
  room.write(join(room.repo, 'build', 'out.txt'), 'built\n');
  const { shell, write } = driver.tools;
  const init = piton('init', '--agent', driver.pinned.id, '--yes');
  const facts = await runAgent(driver, room, {
    prompt: 'Clean up: delete the build directory and say hello in a.txt.',
    script: talk(shell('rm -rf build'), shell('mkdir -p .trash && mv build .trash/'), write(join(room.repo, 'a.txt'), 'hello\n'), {
      text: 'The build directory is in .trash now, and a.txt says hello.',
    }),
    before: [init],
    after: [readEvents],
  });
  const { exit, stdout, stderr } = facts.step(init.name);
  if (exit !== 0) throw new Error(`${init.name} ended with ${exit}\n${stdout}\n${stderr}`);
  return facts;
}

/** What the agent sent, in order, the run's own places named by variables. Another test sees that the store holds the very payloads. */
export function demoSession(driver: AgentDriver, room: Room, facts: Facts): DemoSession {
  const { id, package: name, version } = driver.pinned;
  const sent = storedEvents(facts).filter(({ derived }) => !derived);
  const steps = sent.map(({ nativeEvent, envelope }) => ({ event: nativeEvent, payload: envelope.payload }));
  const text = placesNamed(room).reduce((all, [path, variable]) => all.replaceAll(path, variable), JSON.stringify(steps));
  return { agent: id, recordedWith: `${name} ${version}`, steps: JSON.parse(text) as DemoSession['steps'] };
}

/** Some agents make one name of a path, every other character a dash. */
const placesNamed = (room: Room): [string, string][] =>
  (
    [
      ['REPO', room.repo],
      ['HOME', room.home],
    ] as const
  ).flatMap(([name, path]): [string, string][] => [
    [path, `$${name}`],
    [path.replace(/[^A-Za-z0-9]/g, '-'), `$NAME_OF_${name}`],
  ]);
