import type { InstallTarget, Registration } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { codex } from '../../src/codex/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: "/home/it's dev/.local/state/piton/runtime/current/piton-forward",
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const project: InstallTarget = { ...user, scope: 'project' };
const [file] = codex.installer.configFiles('user', {});
const edited = (result: ReturnType<typeof codex.installer.install>) => {
  if (!result.ok) throw new Error(result.error);
  return result.edit;
};
const install = (text: string | null, target = user) => edited(codex.installer.install(text, target, file));
const handlerIn = (text: string | null, event: string) => JSON.parse(text ?? '').hooks[event].at(-1).hooks[0];

describe('what is installed', () => {
  it('is every event that has a canonical name, and no other unless a hook wants it', () => {
    const names = (target: InstallTarget) => Object.keys(JSON.parse(install(null, target).text ?? '').hooks);
    expect(names(user)).toEqual([
      'SessionStart',
      'SessionEnd',
      'UserPromptSubmit',
      'PreToolUse',
      'PostToolUse',
      'PermissionRequest',
      'SubagentStart',
      'SubagentStop',
      'Stop',
      'PreCompact',
      'PostCompact',
    ]);
    expect(names({ ...user, wanted: ['Interrupt'] })).toContain('Interrupt');
  });
  it('is a simple command in user scope, which every shell reads the same', () => {
    expect(handlerIn(install(null).text, 'PreToolUse')).toEqual({
      type: 'command',
      command: "'/home/it'\\''s dev/.local/state/piton/runtime/current/piton-forward' codex PreToolUse user 60000 -",
      timeout: 60,
    });
  });
  it('is a guarded line with a fixed path below HOME in project scope', () => {
    expect(handlerIn(install(null, project).text, 'Stop').command).toBe(
      'set -- "$HOME"/.local/state/piton/runtime/current/piton-forward codex Stop project 60000 -; [ -x "$1" ] || exit 0; exec "$@"',
    );
  });
  it('gives the end of a session the three seconds that Codex gives it', () => {
    expect(handlerIn(install(null).text, 'SessionEnd')).toMatchObject({ timeout: 3, command: expect.stringContaining(' 3000 ') });
  });
  it('comes after the hooks that are there: a trusted one keeps its place, and with it its trust', () => {
    const text = '{ "hooks": { "Stop": [{ "hooks": [{ "type": "command", "command": "say done" }] }] } }';
    expect(
      JSON.parse(install(text).text ?? '').hooks.Stop.map((group: { hooks: { command: string }[] }) => group.hooks[0]?.command),
    ).toEqual(['say done', expect.stringContaining('piton-forward')]);
  });
  it('adds nothing to the file but hooks: any other key would void it', () => {
    expect(Object.keys(JSON.parse(install(null).text ?? ''))).toEqual(['hooks']);
  });
  it('stands in the file that Codex reads', () => {
    expect(file.path).toBe('.codex/hooks.json');
    expect(codex.installer.configFiles('user', { CODEX_HOME: '/conf/' })).toEqual([
      { path: '/conf/hooks.json', label: '/conf/hooks.json' },
    ]);
    expect(codex.installer.configFiles('project', { CODEX_HOME: '/conf' })[0].path).toBe('.codex/hooks.json');
  });
  it('turns the lines of the other scope into its own', () => {
    expect(install(install(null, project).text).text).toBe(install(null).text);
  });
  it('stays the same over upgrades: the hash that Codex trusts is made of it', () => {
    const lines = codex.installer
      .installed(install(null).text ?? '', user, file)
      .map(({ command }) => ('shell' in command ? command.shell : ''));
    expect(lines).toHaveLength(11);
    for (const line of lines) expect(line).toMatch(/\/runtime\/current\/piton-forward' codex \w+ user \d+ -$/);
  });
  it('is taken out alone', () => {
    const foreign = '{\n  "description": "mine",\n  "hooks": { "Stop": [] }\n}\n';
    const removed = edited(codex.installer.uninstall(install(foreign).text ?? '', user, file));
    expect(removed.text).toBe(foreign);
    expect(removed.removed.map((one: Registration) => one.agent)).toEqual(Array(11).fill('codex'));
  });
});
