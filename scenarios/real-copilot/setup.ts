import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BedStep, copilotDriver, createWorkspace, type Facts, runAgent, type Story, type Workspace } from '@piton/testing';
import { onTestFinished } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/cli.mjs', import.meta.url));

/** A workspace in which Copilot CLI is known and Piton is not yet. */
export function newStage(): Workspace {
  if (!existsSync(CLI)) throw new Error(`${CLI} is not built: run npm run build`);
  const workspace = createWorkspace();
  if (process.env.PITON_KEEP_ROOMS) console.warn(`workspace kept: ${workspace.root}`);
  else onTestFinished(() => workspace.remove());
  copilotDriver.prepare(workspace);
  return workspace;
}

export const piton = (...args: readonly string[]): BedStep => ({
  name: ['piton', ...args].join(' '),
  argv: [process.execPath, CLI, ...args],
});
export const FOR_USER = piton('init', '--agent', 'copilot', '--yes');
export const FOR_PROJECT = piton('init', '--project', '--agent', 'copilot', '--yes');

/** Copilot CLI with Piton. A step that fails is a broken test, not a finding. */
export async function runWithPiton(workspace: Workspace, story: Story, before: readonly BedStep[] = [FOR_USER]): Promise<Facts> {
  const facts = await runAgent(copilotDriver, workspace, { ...story, before });
  for (const { name } of before) {
    const { exit, stdout, stderr } = facts.step(name);
    if (exit !== 0) throw new Error(`${name} ended with ${exit}\n${stdout}\n${stderr}`);
  }
  return facts;
}

/** A hook for every project of this user: it says one thing, or nothing, and keeps what it read. */
export function addHook(workspace: Workspace, event: string, answer?: object): void {
  const said = answer === undefined ? '' : `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`;
  const keep = `{ tr -d '\\n'; echo; } >> ${join(workspace.state, `${event}.log`)}`;
  workspace.writeProgram(join(workspace.home, '.config/piton/hooks', event, 'hook'), `#!/bin/sh\n${keep}\n${said}`);
}

interface HookPayload {
  readonly hook_event_name: string;
  readonly tool_name?: string;
  readonly tool_input: Readonly<Record<string, unknown>>;
  readonly [field: string]: unknown;
}

/** What the hooks of an event were told, call by call. */
export const payloadsOf = (workspace: Workspace, event: string) =>
  workspace.readLines(join(workspace.state, `${event}.log`)) as readonly HookPayload[];
