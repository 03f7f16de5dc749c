import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentDriver, type Facts, type Room, runAgent, type Story } from '@piton/testing';
import { newTestStage, piton, stateOf } from '../real-agents/setup.ts';

const SEED = join(import.meta.dirname, '..', 'seed-001-artifacts', 'samples', 'inline');

/** Hooks as people write them: what each does can be seen from outside, and none of them knows an agent. */
const HOOKS: Readonly<Record<string, { readonly fields: string; script(room: Room): string }>> = {
  'no-secrets': {
    fields: 'hook_event: pre_shell_execution',
    script: () => `case $(cat) in *forbidden*) echo 'TOKEN_DENIED not "this" command' >&2; exit 2 ;; esac`,
  },
  'broken-policy': { fields: 'hook_event: pre_file_edit\nfail_closed: true', script: () => 'cat > /dev/null\nexit 7' },
  'after-shell': {
    fields: 'hook_event: post_shell_execution\nobserve: true',
    script: (room) => `cat > /dev/null\necho "$PITON_AGENT" >> ${logOf(room, 'after-shell')}`,
  },
  greet: {
    fields: 'hook_event: session_start',
    script: () => `cat > /dev/null\necho 'TOKEN_GREETING "quoted" \\\\ and'\necho 'a second line'`,
  },
};

/** A room with the agent, these artifacts and the first sample of the document that artifacts came from, which logs at stop. */
export function layArtifacts(driver: AgentDriver): Room {
  const room = newTestStage(driver);
  for (const [name, { fields, script }] of Object.entries(HOOKS)) {
    const head = `type: hook\nname: ${name}\nversion: 1.0.0\ndescription: Used in a scenario to see that the hook runs.`;
    room.write(join(folderOf(room, name), 'ARTIFACT.md'), `---\n${head}\n${fields}\nhook_action: scripts/hook.sh\n---\n`);
    room.writeProgram(join(folderOf(room, name), 'scripts', 'hook.sh'), `#!/bin/sh\n${script(room)}\n`);
  }
  cpSync(SEED, folderOf(room, 'inline'), { recursive: true });
  mkdirSync(join(room.home, '.podium'));
  return room;
}

const folderOf = (room: Room, name: string): string => join(room.state, 'artifacts', name);
const logOf = (room: Room, name: string): string => join(room.state, `${name}.log`);

const linesOf = (text: string | undefined): string[] => (text ?? '').split('\n').filter(Boolean);
export const stopsLogged = (room: Room): string[] => linesOf(room.read(join(room.home, '.podium', 'session-audit.log')));
/** In which agent a hook was run, each time. */
export const runsOf = (room: Room, name: string): string[] => linesOf(room.read(logOf(room, name)));

/** The agent with these hooks in its own configuration and no Piton anywhere. */
export async function runAlone(driver: AgentDriver, room: Room, scope: 'user' | 'project', story: Story): Promise<Facts> {
  const artifacts = ['inline', ...Object.keys(HOOKS)].map((name) => folderOf(room, name));
  const step = piton('materialize', ...artifacts, '--agent', driver.pinned.id, '--scope', scope, '--json');
  const facts = await runAgent(driver, room, { limitMs: 120_000, ...story, before: [step] });
  const { exit, stdout, stderr } = facts.step(step.name);
  if (exit !== 0) throw new Error(`${step.name} ended with ${exit}\n${stdout}\n${stderr}`);
  if (existsSync(stateOf(room))) throw new Error('Piton was set up in this room');
  return facts;
}
