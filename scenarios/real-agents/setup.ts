import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentDriver,
  type AgentSetup,
  type BedStep,
  createWorkspace,
  type Facts,
  git,
  runAgent,
  type Story,
  type Workspace,
} from '@piton/testing';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));

export const stateOf = (workspace: Workspace): string => join(workspace.home, '.local', 'state', 'piton');
export const configOf = (workspace: Workspace): string => join(workspace.home, '.config', 'piton');

/** A workspace in which the agent is known and Piton is not yet. */
export function newStage(setup: AgentSetup): Workspace {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const workspace = createWorkspace();
  setup.prepare(workspace);
  return workspace;
}

/** Rooms outlive the hook that made them: tests look into them. */
export function removeRoom(workspace: Workspace): void {
  if (process.env.PITON_KEEP_ROOMS) console.warn(`workspace kept: ${workspace.root}`);
  else workspace.remove();
}

export function newTestStage(setup: AgentSetup): Workspace {
  const workspace = newStage(setup);
  onTestFinished(() => removeRoom(workspace));
  return workspace;
}

/** The command, as a step inside the run. Nobody is there to be asked, and no agent runs it. */
export const piton = (...args: readonly string[]): BedStep => ({
  name: ['piton', ...args].join(' '),
  argv: [process.execPath, CLI, ...args],
  env: { PITON_ALLOW_UNDER_AGENT: '1' },
});

/** Somebody who commits in the repository. Some agents hide the person's own configuration of git from what they run. */
export function identify(workspace: Workspace): void {
  git(workspace, 'config', 'user.name', 'Test');
  git(workspace, 'config', 'user.email', 'test@example.com');
}

export const shell = (name: string, line: string): BedStep => ({ name, argv: ['sh', '-c', line] });

/** The agent with Piton installed for the user and the project's hooks trusted. A step that fails is a broken test, not a finding. */
export async function runWithPiton(
  driver: AgentDriver,
  workspace: Workspace,
  story: Story & { readonly initEnv?: BedStep['env'] },
): Promise<Facts> {
  const trust = existsSync(join(workspace.repo, '.piton')) ? [piton('trust', '--all', '--yes', '--may', 'allow,modify')] : [];
  const { initEnv } = story;
  const init = { ...piton('init', '--agent', driver.pinned.id, '--yes'), ...(initEnv && { env: initEnv }) };
  const before = [init, ...trust, ...(story.before ?? [])];
  const facts = await runAgent(driver, workspace, { limitMs: 240_000, ...story, before });
  for (const step of [...before, ...(story.after ?? [])]) {
    const { exit, stdout, stderr } = facts.step(step.name);
    if (exit !== 0) throw new Error(`${step.name} ended with ${exit}\n${stdout}\n${stderr}`);
  }
  return facts;
}

/** Kills every process of the run whose command line names Piton's server, and says how many. */
export const killServer: BedStep = shell(
  'kill the server',
  `n=0
for p in /proc/[0-9]*; do
  if tr '\\0' ' ' < $p/cmdline 2>/dev/null | grep -q 'server\\.cjs'; then kill -9 "\${p#/proc/}" && n=$((n+1)); fi
done
echo $n`,
);
