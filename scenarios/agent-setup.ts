import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { type AgentDriver, createWorkspace, type Facts, runAgent, type Story, type Workspace } from '@piton/testing';
import { onTestFinished } from 'vitest';
import { piton } from './real-claude/setup.ts';

const CLI = fileURLToPath(new URL('../dist/cli.mjs', import.meta.url));

/** A workspace in which the agent is known and Piton is not yet. */
export function newStage(driver: AgentDriver): Workspace {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const workspace = createWorkspace();
  if (process.env.PITON_KEEP_ROOMS) console.warn(`workspace kept: ${workspace.root}`);
  else onTestFinished(() => workspace.remove());
  driver.prepare(workspace);
  return workspace;
}

/** The agent with Piton installed for the user. A step that fails is a broken test, not a finding. */
export async function runWithPiton(driver: AgentDriver, workspace: Workspace, story: Story): Promise<Facts> {
  const before = [piton('init', '--agent', driver.pinned.id, '--yes'), ...(story.before ?? [])];
  const facts = await runAgent(driver, workspace, { limitMs: 120_000, ...story, before });
  for (const step of before) {
    const { exit, stdout, stderr } = facts.step(step.name);
    if (exit !== 0) throw new Error(`${step.name} ended with ${exit}\n${stdout}\n${stderr}`);
  }
  return facts;
}
