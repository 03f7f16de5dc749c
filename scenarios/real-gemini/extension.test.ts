import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  agentArgv,
  type BedStep,
  describeReal,
  type Facts,
  geminiDriver,
  pinnedAgent,
  runAgent,
  talk,
  type Workspace,
} from '@piton/testing';
import { expect, test } from 'vitest';
import { endServer } from '../real-agents/recorder.ts';
import { newTestStage, piton } from '../real-agents/setup.ts';
import { addHook, payloadsOf, storedEvents } from '../real-plugins/setup.ts';
import { offeredSkills, SKILL_NAMES } from '../real-plugins/skills.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SESSION = talk(geminiDriver.tools.shell('echo one > one.txt'), { text: 'Finished.' });
const DENY = { decision: 'deny', reason: 'TOKEN_DENY not now' };

/** Gemini's own commands that take the extension in. It asks whether its folder is trusted. */
function takingIn(workspace: Workspace): readonly BedStep[] {
  const extension = join(workspace.root, 'gemini-extension');
  cpSync(join(ROOT, 'gemini-extension'), extension, { recursive: true });
  const gemini = (...args: string[]): BedStep => ({
    name: ['gemini', ...args].join(' '),
    argv: [...agentArgv(pinnedAgent('gemini')), ...args] as unknown as BedStep['argv'],
    input: 'y\n',
  });
  return [gemini('extensions', 'validate', extension), gemini('extensions', 'install', extension, '--consent', '--skip-settings')];
}

async function run(
  workspace: Workspace,
  before: readonly BedStep[],
  after: readonly BedStep[] = [piton('status'), endServer],
): Promise<Facts> {
  const facts = await runAgent(geminiDriver, workspace, { script: SESSION, before, after, limitMs: 240_000 });
  for (const { name } of before) expect(facts.step(name), name).toMatchObject({ exit: 0 });
  return facts;
}
const sentIn = (workspace: Workspace): string[] => storedEvents(workspace).map(({ native, session }) => `${native} ${session}`);
const namesIn = (workspace: Workspace): string[] => storedEvents(workspace).map(({ native }) => native);

describeReal('gemini', 'the extension, taken in by Gemini CLI', () => {
  test('alone it delivers events, and hooks decide', async () => {
    const workspace = newTestStage(geminiDriver);
    addHook(workspace, 'pre-tool-use', DENY);
    const facts = await run(workspace, [piton('init', '--agent', 'claude', '--yes'), ...takingIn(workspace)]);
    expect(facts.appeared).toEqual([]);
    expect(JSON.stringify(facts.requests)).toContain('TOKEN_DENY');
    expect(offeredSkills(facts)).toEqual(SKILL_NAMES);
    expect(payloadsOf(workspace, 'pre-tool-use')).toHaveLength(1);
    expect(namesIn(workspace)).toEqual(expect.arrayContaining(['SessionStart', 'BeforeAgent', 'BeforeTool', 'AfterAgent']));
    expect(facts.step('piton status').stdout).toMatch(/Gemini CLI: its events come through the extension/);
  });

  test('beside init every event is one event, and every hook answers once', async () => {
    const workspace = newTestStage(geminiDriver);
    addHook(workspace, 'pre-tool-use', DENY);
    const facts = await run(workspace, [piton('init', '--agent', 'gemini', '--yes'), ...takingIn(workspace)]);
    expect(facts.appeared).toEqual([]);
    expect(payloadsOf(workspace, 'pre-tool-use')).toHaveLength(1);
    const sent = sentIn(workspace);
    expect(namesIn(workspace)).toContain('BeforeTool');
    expect(sent).toEqual([...new Set(sent)]);
    expect(facts.step('piton status').stdout).toMatch(/Gemini CLI: the extension in [^ ]+ is enabled beside/);
  });

  test('without Piton it is silent, and the agent works', async () => {
    const workspace = newTestStage(geminiDriver);
    const facts = await run(workspace, takingIn(workspace), []);
    expect(facts).toMatchObject({ exit: 0, appeared: ['one.txt'] });
    expect(JSON.stringify(facts.requests)).not.toContain('Piton is not set up');
  });
});
