import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { agentCommand, type BedStep, CODEX_ANY_HOOK, codexConfig, codexDriver, describeReal, talk, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { addHook, newStage, payloadsOf, runWithPiton } from './setup.ts';

const SESSION = talk(codexDriver.tools.shell('echo one > one.txt'), { text: 'Finished.' });
const codex = findAgent('codex');

/** As a person starts it: only what is trusted runs. */
const carefulDriver = {
  ...codexDriver,
  command: (prompt: string, flags: readonly string[]) =>
    codexDriver.command(prompt, flags).filter((word) => word !== CODEX_ANY_HOOK) as [string, ...string[]],
};

const place = (workspace: Workspace) => ({ scope: 'user' as const, home: workspace.home, project: workspace.repo, env: {} });

/** Asks Codex itself, as the command does: its input stays open until it has answered. */
function askCodex(workspace: Workspace): BedStep {
  const probe = codex?.readiness?.probe?.(place(workspace));
  const [, ...args] = probe?.argv ?? [];
  const line = `{ cat; while [ ! -s "$2" ] || ! grep -q '^{"id":1,' "$2"; do sleep 0.1; done; } | { out=$2; shift 2; "$@" > "$out"; }`;
  const argv = ['sh', '-c', line, 'ask', '-', join(workspace.state, 'answer'), agentCommand(codexDriver.pinned), ...args] as const;
  return { name: 'ask Codex', argv, input: probe?.stdin ?? '', limitMs: 20_000 };
}

function judge(workspace: Workspace) {
  const [file] = codex?.installer.configFiles('user', {}) ?? [];
  const target = { scope: 'user', forwarder: '', forwarderBelowHome: null, wanted: [] } as const;
  const hooks = workspace.read(join(workspace.home, '.codex/hooks.json')) ?? '';
  return codex?.readiness?.judge({
    ...place(workspace),
    texts: { '.codex/config.toml': workspace.read(codexConfig(workspace)) ?? null },
    probed: workspace.read(join(workspace.state, 'answer')) ?? null,
    installed: file === undefined ? [] : codex.installer.installed(hooks, target, file),
  });
}

describeReal('codex', 'trust', () => {
  test('a hook is skipped until the hash that Codex gave for it is written, and then it guards', async () => {
    const workspace = newStage();
    addHook(workspace, 'pre-tool-use', { decision: 'deny', reason: 'TOKEN_DENY' });
    const free = await runWithPiton(workspace, { script: SESSION, before: [askCodex(workspace)] }, carefulDriver);
    expect(free.appeared).toEqual(['one.txt']);
    expect(payloadsOf(workspace, 'pre-tool-use')).toEqual([]);

    const verdict = judge(workspace);
    expect(verdict).toMatchObject({ runs: false, why: expect.stringContaining('11 hooks are not trusted') });
    const before = workspace.read(codexConfig(workspace)) ?? '';
    const result = verdict?.runs === false ? verdict.consent?.edit(before) : undefined;
    if (!result?.ok) throw new Error('no edit');
    expect(result.edit.text?.startsWith(before)).toBe(true);
    workspace.write(codexConfig(workspace), result.edit.text ?? '');

    const bound = await runWithPiton(
      workspace,
      { script: talk(codexDriver.tools.shell('echo two > two.txt')), before: [askCodex(workspace)] },
      carefulDriver,
    );
    expect(judge(workspace)).toEqual({ runs: true });
    expect(bound.appeared).toEqual([]);
    expect(bound.toolResults[0]?.text).toContain('TOKEN_DENY');
  });
});
