import { mkdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  agentCommand,
  CODEX_ANY_HOOK,
  codexConfig,
  codexDriver,
  describeReal,
  type Facts,
  runAgent,
  talk,
  type Workspace,
} from '@piton/testing';
import { expect, test } from 'vitest';
import { piton } from '../real-agents/setup.ts';
import { addHook, newStage } from './setup.ts';

/** As a person starts it: only what is trusted runs. */
const carefulDriver = {
  ...codexDriver,
  command: (prompt: string, flags: readonly string[]) =>
    codexDriver.command(prompt, flags).filter((word) => word !== CODEX_ANY_HOOK) as [string, ...string[]],
};

/** Where the command finds Codex itself, to ask it. */
function onPath(workspace: Workspace): string {
  const bin = join(workspace.home, 'bin');
  mkdirSync(bin, { recursive: true });
  symlinkSync(agentCommand(codexDriver.pinned), join(bin, 'codex'));
  return [bin, dirname(process.execPath), '/usr/bin', '/bin'].join(':');
}

async function initAndRun(workspace: Workspace, scope: 'user' | 'project', before: readonly (readonly string[])[]): Promise<Facts> {
  const PATH = onPath(workspace);
  const steps = [['init', '--agents', 'codex', '--scope', scope, '--yes'], ...before].map((args) => {
    const step = piton(...args);
    return { ...step, env: { ...step.env, PATH } };
  });
  const after = [
    { ...piton('uninstall', ...(scope === 'project' ? ['--project'] : []), '--yes'), env: { PITON_ALLOW_UNDER_AGENT: '1', PATH } },
  ];
  const script = talk(codexDriver.tools.shell('echo one > one.txt'), { text: 'Finished.' });
  return runAgent(carefulDriver, workspace, { script, before: steps, after, limitMs: 120_000 });
}

describeReal('codex', 'trust, through the command', () => {
  for (const scope of ['user', 'project'] as const) {
    test(`--yes trusts nothing and says what to do; --trust-hooks makes the guard hold; uninstall gives it all back (${scope})`, async () => {
      const workspace = newStage();
      addHook(workspace, 'pre-tool-use', { decision: 'deny', reason: 'TOKEN_DENY' });
      const before = workspace.read(codexConfig(workspace));
      const level = scope === 'project' ? ['--project'] : [];
      const trust = ['init', ...level, '--agent', 'codex', '--trust-hooks'];
      const facts = await initAndRun(workspace, scope, [trust, ['status']]);
      const init = facts.step(`piton init --agents codex --scope ${scope} --yes`);
      expect(init.stdout).toContain('Codex will not run it yet: 11 hooks are not trusted');
      expect(init.stdout).toContain(`init${scope === 'project' ? ' --project' : ''} --agent codex --trust-hooks`);
      expect(facts.step('piton status')).toMatchObject({ exit: 0 });
      expect(facts.appeared).toEqual([]);
      expect(facts.toolResults[0]?.text).toContain('TOKEN_DENY');
      expect(workspace.read(codexConfig(workspace))).toBe(before);
    });
  }
});
