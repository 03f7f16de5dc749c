import type { InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { auggie } from '../../src/auggie/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/some one/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const [file] = auggie.installer.configFiles('user', {});
const install = (text: string | null, target = user): string => {
  const result = auggie.installer.install(text, target, file);
  if (!result.ok) throw new Error(result.error);
  return result.edit.text ?? '';
};
const eventsIn = (text: string) => Object.keys(JSON.parse(text).hooks);
const groupIn = (text: string, event: string) => JSON.parse(text).hooks[event].at(-1);

describe('what is installed', () => {
  it('is every event, in the settings of the user or of the project', () => {
    expect(eventsIn(install(null))).toEqual(auggie.events.map(({ name }) => name));
    expect(file).toEqual({ path: '.augment/settings.json', label: '~/.augment/settings.json' });
    expect(auggie.installer.configFiles('project', {})[0].label).toBe('.augment/settings.json');
  });
  it('is a program with arguments for the user, in milliseconds, and a guarded line for a project', () => {
    expect(groupIn(install(null), 'PreToolUse')).toEqual({
      hooks: [{ type: 'command', command: user.forwarder, args: ['auggie', 'PreToolUse', 'user', '60000', '-'], timeout: 60_000 }],
    });
    const [line] = groupIn(install(null, { ...user, scope: 'project' }), 'Stop').hooks;
    expect(line.args).toBeUndefined();
    expect(line.command).toMatch(/^set -- "\$HOME"\/\.local\/.* auggie Stop project 60000 -; \[ -x "\$1" \] \|\| exit 0/);
  });
  it('has no prompt for a version that complains of it', () => {
    for (const version of ['0.16.2', '0.25.2']) expect(eventsIn(install(null, { ...user, version }))).not.toContain('PromptSubmit');
    for (const version of ['0.36.0', '1.0.0']) expect(eventsIn(install(null, { ...user, version }))).toContain('PromptSubmit');
    expect(eventsIn(install(install(null), { ...user, version: '0.25.2' }))).not.toContain('PromptSubmit');
  });
});

describe('whether it will run', () => {
  it('says that its server decides whether hooks run', () => {
    const facts = { scope: 'user', home: '/h', project: '/p', env: {}, texts: {}, probed: null, installed: [] } as const;
    expect(auggie.readiness?.files('user', {})).toEqual([]);
    expect(auggie.readiness?.judge(facts)).toEqual({ runs: true, note: expect.stringContaining('/hooks') });
  });
});
