import { join } from 'node:path';
import { type AgentDriver, codexDriver, type Facts, type Story, type Workspace } from '@piton/testing';
import { newTestStage, runWithPiton as runAnyWithPiton } from '../real-agents/setup.ts';

/** A workspace in which Codex is known and Piton is not yet. */
export const newStage = (): Workspace => newTestStage(codexDriver);

/** A hook for every project of this user: it says one thing, and keeps what it read. */
export function addHook(workspace: Workspace, event: string, answer: object): void {
  const log = join(workspace.state, `${event}.log`);
  const said = `cat <<'ANSWER'\n${JSON.stringify(answer)}\nANSWER\n`;
  workspace.writeProgram(
    join(workspace.home, '.config/piton/hooks', event, 'hook'),
    `#!/bin/sh\n{ tr -d '\\n'; echo; } >> ${log}\n${said}`,
  );
}

/** What the hooks of an event were told, call by call. */
export const payloadsOf = (workspace: Workspace, event: string) =>
  workspace.readLines(join(workspace.state, `${event}.log`)) as readonly Readonly<Record<string, unknown>>[];

export const runWithPiton = (workspace: Workspace, story: Story, driver: AgentDriver = codexDriver): Promise<Facts> =>
  runAnyWithPiton(driver, workspace, story);
