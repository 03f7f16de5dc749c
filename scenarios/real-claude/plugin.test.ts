import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentDriver,
  agentCommand,
  type BedStep,
  bash,
  CI_EDGES,
  claudeDriver,
  describeReal,
  describeWhere,
  driverAt,
  type Facts,
  isInstalled,
  RUN_LIMIT_MS,
  runAgent,
  talk,
  type Workspace,
  whyNotIsolated,
} from '@piton/testing';
import { expect, test } from 'vitest';
import { offeredSkills, SKILL_NAMES } from '../real-plugins/skills.ts';
import { addUserHook, newStage, piton, readEvents, runsOf, saying, storedEvents } from './setup.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const SESSION = talk(bash('echo one > one.txt'), { text: 'Finished.' });
const DENY = { decision: 'deny', reason: 'TOKEN_DENY not now' };

/** A checkout of the marketplace, and Claude Code's own commands that take the plugin in. */
function takingIn(workspace: Workspace, { pinned }: AgentDriver = claudeDriver): readonly BedStep[] {
  const marketplace = join(workspace.root, 'marketplace');
  for (const name of ['.claude-plugin', 'plugin']) cpSync(join(ROOT, name), join(marketplace, name), { recursive: true });
  const claude = (...args: string[]): BedStep => ({
    name: ['claude', ...args].join(' '),
    argv: [agentCommand(pinned), ...args],
  });
  return [
    claude('plugin', 'validate', join(marketplace, 'plugin')),
    claude('plugin', 'marketplace', 'add', marketplace),
    claude('plugin', 'install', 'piton@piton'),
  ];
}

async function run(workspace: Workspace, before: readonly BedStep[], driver: AgentDriver = claudeDriver): Promise<Facts> {
  const facts = await runAgent(driver, workspace, { script: SESSION, before, after: [readEvents, piton('status')] });
  for (const { name } of before) expect(facts.step(name), name).toMatchObject({ exit: 0 });
  return facts;
}

/** The runtime without a registration with Claude Code. */
const WITHOUT_CLAUDE = piton('init', '--agent', 'codex', '--yes');
/** Each event that Claude Code sent, with its session: its own commands end one as well. */
const sentIn = (facts: Facts): string[] =>
  storedEvents(facts)
    .filter(({ derived }) => !derived)
    .map(({ nativeEvent, envelope }) => `${nativeEvent} ${(envelope.payload as { session_id: string }).session_id}`);
const namesOf = (facts: Facts): string[] => sentIn(facts).map((sent) => sent.split(' ')[0] ?? '');

describeReal('claude', 'the plugin, taken in by Claude Code', () => {
  test('alone it delivers events, and hooks decide', async () => {
    const workspace = newStage();
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'guard', DENY));
    const facts = await run(workspace, [WITHOUT_CLAUDE, ...takingIn(workspace)]);
    expect(facts.appeared).toEqual([]);
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_DENY') });
    expect(runsOf(workspace, 'guard')).toBe(1);
    expect(offeredSkills(facts)).toEqual(SKILL_NAMES);
    expect(namesOf(facts)).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop', 'SessionEnd']));
    expect(facts.step('piton status').stdout).toMatch(/Claude Code: its events come through the plugin/);
  });

  test('beside init every event is one event, and every hook answers once', async () => {
    const workspace = newStage();
    addUserHook(workspace, 'pre-tool-use', saying(workspace, 'guard', DENY));
    const facts = await run(workspace, [piton('init', '--agent', 'claude', '--yes'), ...takingIn(workspace)]);
    expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_DENY') });
    expect(runsOf(workspace, 'guard')).toBe(1);
    const sent = sentIn(facts);
    expect(namesOf(facts)).toContain('PreToolUse');
    expect(sent).toEqual([...new Set(sent)]);
    expect(facts.step('piton status').stdout).toMatch(/Claude Code: the plugin in [^ ]+ is enabled beside/);
  });

  test('without Piton it is silent, and the agent works', async () => {
    const workspace = newStage();
    const facts = await runAgent(claudeDriver, workspace, { script: SESSION, before: takingIn(workspace) });
    expect(facts).toMatchObject({ exit: 0, stderr: '', appeared: ['one.txt'] });
    expect(JSON.stringify(facts.requests)).not.toContain('Piton is not set up');
  });
});

/** Whoever takes it in may have any version of the table. */
for (const { version } of CI_EDGES.filter(({ id }) => id === 'claude')) {
  const oldest = driverAt(claudeDriver, version);
  const why = isInstalled(oldest.pinned) ? whyNotIsolated() : 'not installed, run npm run test:agents';
  describeWhere(
    why,
    `real claude ${version}: the plugin, taken in by it`,
    () => {
      test('delivers events, and hooks decide', async () => {
        const workspace = newStage();
        addUserHook(workspace, 'pre-tool-use', saying(workspace, 'guard', DENY));
        const facts = await run(workspace, [WITHOUT_CLAUDE, ...takingIn(workspace, oldest)], oldest);
        expect(facts.appeared).toEqual([]);
        expect(facts.toolResults[0]).toMatchObject({ failed: true, text: expect.stringContaining('TOKEN_DENY') });
        expect(runsOf(workspace, 'guard')).toBe(1);
        expect(namesOf(facts)).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop']));
      });
    },
    RUN_LIMIT_MS,
  );
}
