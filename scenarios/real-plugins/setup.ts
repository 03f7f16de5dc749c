import { join } from 'node:path';
import {
  type AgentDriver,
  type BedStep,
  type Facts,
  type ModelScript,
  runAgent,
  type Story,
  selectAll,
  type Workspace,
} from '@piton/testing';
import { endServer, installRecorder, recordedCalls } from '../real-agents/recorder.ts';
import { configOf, newTestStage, piton, runWithPiton, stateOf } from '../real-agents/setup.ts';

/** A hook for every project of this user: it says one thing, and keeps what it read. */
export function addHook(workspace: Workspace, event: string, answer: object): void {
  const log = join(workspace.state, `${event}.log`);
  const said = `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`;
  workspace.writeProgram(join(configOf(workspace), 'hooks', event, 'hook'), `#!/bin/sh\n{ tr -d '\\n'; echo; } >> ${log}\n${said}`);
}

/** What the hooks of an event were told, call by call. */
export const payloadsOf = (workspace: Workspace, event: string) =>
  workspace.readLines(join(workspace.state, `${event}.log`)) as readonly Readonly<Record<string, unknown>>[];

/** A session with a bit of everything that the agent has: success, failure, edits, a subagent. */
export function broadSession({ tools }: AgentDriver, workspace: Workspace): ModelScript {
  const file = join(workspace.repo, 'a.txt');
  return [
    {
      name: 'main',
      turns: [
        tools.shell('echo hi > shell-ran.txt'),
        tools.write(file, 'one\n'),
        tools.edit(file, 'one', 'two'),
        ...(tools.read ? [tools.read(file), tools.read(join(workspace.repo, 'missing.txt'))] : []),
        tools.shell('echo oops >&2; exit 3'),
        ...(tools.todo ? [tools.todo([{ text: 'first', done: false }])] : []),
        ...(tools.mcp ? [tools.mcp('hello')] : []),
        ...(tools.subagent ? [tools.subagent('SUBTASK: list files')] : []),
        { text: 'Finished.' },
      ],
    },
    { name: 'sub', match: 'SUBTASK', turns: [tools.shell('ls'), { text: 'Listed.' }] },
  ];
}

export interface Stored {
  readonly event: string;
  readonly native: string;
  readonly session: string;
  readonly agent: string | null;
}

/** What is stored, in its order, read with SQL of our own. */
export const storedEvents = (workspace: Workspace): Stored[] =>
  selectAll(
    join(stateOf(workspace), 'piton.db'),
    'SELECT event, native_event AS native, provider_ref AS session, agent_id AS agent FROM events WHERE derived = 0 AND canary = 0 ORDER BY monotonic_us',
  ) as unknown as Stored[];

/** A broad session with Piton and no hooks; what was stored of it, and for which events a process was started. */
export async function watched(driver: AgentDriver): Promise<{ facts: Facts; events: Stored[]; started: string[] }> {
  const workspace = newTestStage(driver);
  const script = broadSession(driver, workspace);
  const facts = await runWithPiton(driver, workspace, { script, before: [installRecorder(workspace)], after: [endServer] });
  return { facts, events: storedEvents(workspace), started: recordedCalls(workspace).map((call) => call.split(' ')[0] ?? '') };
}

/** The same agent with Piton registered in the repository instead of the home. */
export const runInProject = (driver: AgentDriver, workspace: Workspace, story: Story, ...trust: readonly BedStep[]): Promise<Facts> =>
  runAgent(driver, workspace, {
    limitMs: 120_000,
    ...story,
    before: [piton('init', '--project', '--agent', driver.pinned.id, '--yes'), ...trust],
    after: [endServer],
  });
