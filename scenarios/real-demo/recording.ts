import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { type AgentDriver, type Facts, talk, type Workspace } from '@piton/testing';
import { endServer, installRecorder, recordedSteps, type SentStep, storedSteps } from '../real-agents/recorder.ts';
import { configOf, runWithPiton } from '../real-agents/setup.ts';

/** A session of the demo, as it lies in `apps/cli/src/demo/sessions`. */
export interface DemoSession {
  readonly agent: string;
  readonly recordedWith: string;
  readonly plugin?: true;
  readonly steps: readonly SentStep[];
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

/** The model wants to delete a directory, is denied, and moves it as it was told to. In the first session it also writes a file. */
export async function playForDemo(driver: AgentDriver, workspace: Workspace, writes: boolean): Promise<Facts> {
  for (const [event, text] of Object.entries(HOOKS)) workspace.writeProgram(join(configOf(workspace), 'hooks', event, '10-demo'), text);
  workspace.write(join(workspace.repo, 'build', 'out.txt'), 'built\n');
  const { shell, write } = driver.tools;
  return runWithPiton(driver, workspace, {
    prompt: writes ? 'Clean up: delete the build directory and say hello in a.txt.' : 'Clean up: delete the build directory.',
    script: talk(
      shell('rm -rf build'),
      shell('mkdir -p .trash && mv build .trash/'),
      ...(writes ? [write(join(workspace.repo, 'a.txt'), 'hello\n')] : []),
      { text: `The build directory is in .trash now${writes ? ', and a.txt says hello' : ''}.` },
    ),
    ...(driver.inProcess ? { after: [endServer] } : { before: [installRecorder(workspace)] }),
  });
}

/**
 * What the agent sent, in order, the run's own places named by variables. A recorder saw it; where a plugin tells Piton from inside
 * the agent there is nothing to stand between, and it is what was stored.
 */
export function demoSession(driver: AgentDriver, workspace: Workspace): DemoSession {
  const { id, package: name, version } = driver.pinned;
  const sent = startFirst(id, driver.inProcess ? storedSteps(workspace) : recordedSteps(workspace));
  const text = placesNamed(workspace).reduce((all, [path, variable]) => all.replaceAll(path, variable), JSON.stringify(sent));
  return {
    agent: id,
    recordedWith: `${name} ${version}`,
    ...(driver.inProcess && { plugin: true }),
    steps: JSON.parse(text) as DemoSession['steps'],
  };
}

/** Some agents run the hooks of a start and of the first prompt at the same time: then chance decides which comes first. */
function startFirst(id: string, steps: readonly SentStep[]): readonly SentStep[] {
  const start = findAgent(id)?.events.find(({ event }) => event === 'session_start')?.name;
  return steps[1] !== undefined && steps[1].event === start ? [steps[1], ...steps.filter((_, at) => at !== 1)] : steps;
}

/** Some agents make one name of a path, every other character a dash. */
const placesNamed = (workspace: Workspace): [string, string][] =>
  (
    [
      ['REPO', workspace.repo],
      ['HOME', workspace.home],
    ] as const
  ).flatMap(([name, path]): [string, string][] => [
    [path, `$${name}`],
    [path.replace(/[^A-Za-z0-9]/g, '-'), `$NAME_OF_${name}`],
  ]);
