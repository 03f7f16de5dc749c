import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  type AgentDriver,
  agentCommand,
  type BedStep,
  CODEX_ANY_HOOK,
  codexDriver,
  describeReal,
  type Facts,
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
const SESSION = talk(codexDriver.tools.shell('echo one > one.txt'), { text: 'Finished.' });
const DENY = { decision: 'deny', reason: 'TOKEN_DENY not now' };

/** The tests' own Codex takes no plugins, since it waits for a list of them from the network. */
const WITH_PLUGINS = { ...codexDriver, prepare: (workspace: Workspace) => prepare(workspace) };
function prepare(workspace: Workspace): void {
  codexDriver.prepare(workspace);
  const file = join(workspace.home, '.codex', 'config.toml');
  workspace.write(file, (workspace.read(file) ?? '').replace('plugins = false', 'plugins = true'));
}

/** A checkout of the marketplace, and Codex's own commands that take the plugin in. */
function takingIn(workspace: Workspace): readonly BedStep[] {
  const marketplace = join(workspace.root, 'marketplace');
  for (const name of ['.agents', 'codex-plugin']) cpSync(join(ROOT, name), join(marketplace, name), { recursive: true });
  const codex = (...args: string[]): BedStep => ({
    name: ['codex', ...args].join(' '),
    argv: [agentCommand(pinnedAgent('codex')), ...args],
  });
  return [codex('plugin', 'marketplace', 'add', marketplace), codex('plugin', 'add', 'piton@piton')];
}

async function run(
  workspace: Workspace,
  before: readonly BedStep[],
  after: readonly BedStep[] = [piton('status'), endServer],
  driver: AgentDriver = WITH_PLUGINS,
): Promise<Facts> {
  const facts = await runAgent(driver, workspace, { script: SESSION, before, after, limitMs: 240_000 });
  for (const { name } of before) expect(facts.step(name), name).toMatchObject({ exit: 0 });
  return facts;
}
const withoutBypass = ([program, ...args]: readonly [string, ...string[]]): readonly [string, ...string[]] => [
  program,
  ...args.filter((arg) => arg !== CODEX_ANY_HOOK),
];
const sentIn = (workspace: Workspace): string[] => storedEvents(workspace).map(({ native, session }) => `${native} ${session}`);
const namesIn = (workspace: Workspace): string[] => storedEvents(workspace).map(({ native }) => native);

describeReal('codex', 'the plugin, taken in by Codex', () => {
  test('alone it delivers events, and hooks decide', async () => {
    const workspace = newTestStage(WITH_PLUGINS);
    addHook(workspace, 'pre-tool-use', DENY);
    const facts = await run(workspace, [piton('init', '--agent', 'claude', '--yes'), ...takingIn(workspace)]);
    expect(facts.appeared).toEqual([]);
    expect(JSON.stringify(facts.requests)).toContain('TOKEN_DENY');
    expect(offeredSkills(facts)).toEqual(SKILL_NAMES);
    expect(payloadsOf(workspace, 'pre-tool-use')).toHaveLength(1);
    expect(namesIn(workspace)).toEqual(expect.arrayContaining(['SessionStart', 'UserPromptSubmit', 'PreToolUse', 'Stop']));
    expect(facts.step('piton status').stdout).toMatch(/Codex: its events come through the plugin/);
  });

  test('beside init every event is one event, and every hook answers once', async () => {
    const workspace = newTestStage(WITH_PLUGINS);
    addHook(workspace, 'pre-tool-use', DENY);
    const facts = await run(workspace, [piton('init', '--agent', 'codex', '--yes'), ...takingIn(workspace)]);
    expect(facts.appeared).toEqual([]);
    expect(payloadsOf(workspace, 'pre-tool-use')).toHaveLength(1);
    const sent = sentIn(workspace);
    expect(namesIn(workspace)).toContain('PreToolUse');
    expect(sent).toEqual([...new Set(sent)]);
    expect(facts.step('piton status').stdout).toMatch(/Codex: the plugin in [^ ]+ is enabled beside/);
  });

  test('its hooks do not run before a person has trusted them', async () => {
    const careful = {
      ...WITH_PLUGINS,
      command: (...given: Parameters<typeof codexDriver.command>) => withoutBypass(codexDriver.command(...given)),
    };
    const workspace = newTestStage(careful);
    addHook(workspace, 'pre-tool-use', DENY);
    const facts = await run(workspace, [piton('init', '--agent', 'claude', '--yes'), ...takingIn(workspace)], undefined, careful);
    expect(facts.appeared).toEqual(['one.txt']);
    expect(payloadsOf(workspace, 'pre-tool-use')).toEqual([]);
    expect(facts.step('piton status').stdout).toMatch(/Codex: its events come through the plugin .* type \/hooks/);
  });

  test('without Piton it is silent, and the agent works', async () => {
    const workspace = newTestStage(WITH_PLUGINS);
    const facts = await run(workspace, takingIn(workspace), []);
    expect(facts).toMatchObject({ exit: 0, appeared: ['one.txt'] });
    expect(JSON.stringify(facts.requests)).not.toContain('Piton is not set up');
  });
});
