import { join } from 'node:path';
import { findAgent } from '@piton/agents';
import { agentCommand, type BedStep, CODEX_ANY_HOOK, codexConfig, codexDriver, describeReal, type Room, talk } from '@piton/testing';
import { expect, test } from 'vitest';
import { addHook, newStage, runWithPiton, toldTo } from './setup.ts';

const SESSION = talk(codexDriver.tools.shell('echo one > one.txt'), { text: 'Finished.' });
const codex = findAgent('codex');

/** As a person starts it: only what is trusted runs. */
const carefulDriver = {
  ...codexDriver,
  command: (prompt: string, flags: readonly string[]) =>
    codexDriver.command(prompt, flags).filter((word) => word !== CODEX_ANY_HOOK) as [string, ...string[]],
};

const place = (room: Room) => ({ scope: 'user' as const, home: room.home, project: room.repo, env: {} });

/** Asks Codex itself, as the command does: its input stays open until it has answered. */
function askCodex(room: Room): BedStep {
  const probe = codex?.readiness?.probe?.(place(room));
  const [, ...args] = probe?.argv ?? [];
  const line = `{ cat; while [ ! -s "$2" ] || ! grep -q '^{"id":1,' "$2"; do sleep 0.1; done; } | { out=$2; shift 2; "$@" > "$out"; }`;
  const argv = ['sh', '-c', line, 'ask', '-', join(room.state, 'answer'), agentCommand(codexDriver.pinned), ...args] as const;
  return { name: 'ask Codex', argv, input: probe?.stdin ?? '', limitMs: 20_000 };
}

function judge(room: Room) {
  const [file] = codex?.installer.configFiles('user', {}) ?? [];
  const target = { scope: 'user', forwarder: '', forwarderBelowHome: null, wanted: [] } as const;
  const hooks = room.read(join(room.home, '.codex/hooks.json')) ?? '';
  return codex?.readiness?.judge({
    ...place(room),
    texts: { '.codex/config.toml': room.read(codexConfig(room)) ?? null },
    probed: room.read(join(room.state, 'answer')) ?? null,
    installed: file === undefined ? [] : codex.installer.installed(hooks, target, file),
  });
}

describeReal('codex', 'trust', () => {
  test('a hook is skipped until the hash that Codex gave for it is written, and then it guards', async () => {
    const room = newStage();
    addHook(room, 'pre-tool-use', { decision: 'deny', reason: 'TOKEN_DENY' });
    const free = await runWithPiton(room, { script: SESSION, before: [askCodex(room)] }, carefulDriver);
    expect(free.appeared).toEqual(['one.txt']);
    expect(toldTo(room, 'pre-tool-use')).toEqual([]);

    const verdict = judge(room);
    expect(verdict).toMatchObject({ runs: false, why: expect.stringContaining('11 hooks are not trusted') });
    const before = room.read(codexConfig(room)) ?? '';
    const result = verdict?.runs === false ? verdict.consent?.edit(before) : undefined;
    if (!result?.ok) throw new Error('no edit');
    expect(result.edit.text?.startsWith(before)).toBe(true);
    room.write(codexConfig(room), result.edit.text ?? '');

    const bound = await runWithPiton(
      room,
      { script: talk(codexDriver.tools.shell('echo two > two.txt')), before: [askCodex(room)] },
      carefulDriver,
    );
    expect(judge(room)).toEqual({ runs: true });
    expect(bound.appeared).toEqual([]);
    expect(bound.toolResults[0]?.text).toContain('TOKEN_DENY');
  });
});
