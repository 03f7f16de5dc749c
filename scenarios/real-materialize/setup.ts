import { cpSync, existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type AgentDriver, type Facts, runAgent, type Story, type Workspace } from '@piton/testing';
import { newTestStage, piton, stateOf } from '../real-agents/setup.ts';

const SEED = join(import.meta.dirname, '..', 'artifacts', 'samples', 'inline');

/** Hooks as people write them: what each does can be seen from outside, and none of them knows an agent. */
const HOOKS: Readonly<Record<string, { readonly fields: string; script(workspace: Workspace): string }>> = {
  'no-secrets': {
    fields: 'hook_event: pre_shell_execution',
    script: () => `case $(cat) in *forbidden*) echo 'TOKEN_DENIED not "this" command' >&2; exit 2 ;; esac`,
  },
  'broken-policy': { fields: 'hook_event: pre_file_edit\nfail_closed: true', script: () => 'cat > /dev/null\nexit 7' },
  'after-shell': {
    fields: 'hook_event: post_shell_execution\nobserve: true',
    script: (workspace) => `cat > /dev/null\necho "$PITON_AGENT" >> ${logOf(workspace, 'after-shell')}`,
  },
  greet: {
    fields: 'hook_event: session_start',
    script: () => `cat > /dev/null\necho 'TOKEN_GREETING "quoted" \\\\ and'\necho 'a second line'`,
  },
};

/** A workspace with the agent, these artifacts and the first sample of the document that artifacts came from, which logs at stop. */
export function writeArtifacts(driver: AgentDriver): Workspace {
  const workspace = newTestStage(driver);
  for (const [name, { fields, script }] of Object.entries(HOOKS)) {
    const head = `type: hook\nname: ${name}\nversion: 1.0.0\ndescription: Used in a scenario to see that the hook runs.`;
    workspace.write(join(folderOf(workspace, name), 'ARTIFACT.md'), `---\n${head}\n${fields}\nhook_action: scripts/hook.sh\n---\n`);
    workspace.writeProgram(join(folderOf(workspace, name), 'scripts', 'hook.sh'), `#!/bin/sh\n${script(workspace)}\n`);
  }
  cpSync(SEED, folderOf(workspace, 'inline'), { recursive: true });
  mkdirSync(join(workspace.home, '.podium'));
  return workspace;
}

const folderOf = (workspace: Workspace, name: string): string => join(workspace.state, 'artifacts', name);
const logOf = (workspace: Workspace, name: string): string => join(workspace.state, `${name}.log`);

const linesOf = (text: string | undefined): string[] => (text ?? '').split('\n').filter(Boolean);
export const stopsLogged = (workspace: Workspace): string[] =>
  linesOf(workspace.read(join(workspace.home, '.podium', 'session-audit.log')));
/** In which agent a hook was run, each time. */
export const runsOf = (workspace: Workspace, name: string): string[] => linesOf(workspace.read(logOf(workspace, name)));

/** The agent with these hooks in its own configuration and no Piton anywhere. */
export async function runAlone(driver: AgentDriver, workspace: Workspace, scope: 'user' | 'project', story: Story): Promise<Facts> {
  const artifacts = ['inline', ...Object.keys(HOOKS)].map((name) => folderOf(workspace, name));
  const step = piton('materialize', ...artifacts, '--agent', driver.pinned.id, '--scope', scope, '--json');
  const facts = await runAgent(driver, workspace, { limitMs: 120_000, ...story, before: [step] });
  const { exit, stdout, stderr } = facts.step(step.name);
  if (exit !== 0) throw new Error(`${step.name} ended with ${exit}\n${stdout}\n${stderr}`);
  if (existsSync(stateOf(workspace))) throw new Error('Piton was set up in this workspace');
  return facts;
}
