import type { InstallTarget, Readiness } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { droid } from '../../src/droid/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/some one/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const project: InstallTarget = { ...user, scope: 'project' };
const [file] = droid.installer.configFiles('user', {});
const install = (text: string | null, target = user): string => {
  const result = droid.installer.install(text, target, file);
  if (!result.ok) throw new Error(result.error);
  return result.edit.text ?? '';
};
const handlerIn = (text: string, event: string) => JSON.parse(text).hooks[event].at(-1).hooks[0];

describe('what is installed', () => {
  it('is all nine events, beside what stands in the settings', () => {
    const { customModels, hooks } = JSON.parse(install('{ "customModels": [] }'));
    expect(customModels).toEqual([]);
    expect(Object.keys(hooks)).toEqual(droid.events.map((event) => event.name));
  });
  it('is a simple command in user scope and a guarded line in project scope', () => {
    expect(handlerIn(install(null), 'PreToolUse')).toEqual({
      type: 'command',
      command: "'/home/some one/.local/state/piton/runtime/current/piton-forward' droid PreToolUse user 60000 -",
      timeout: 60,
    });
    expect(handlerIn(install(null, project), 'Stop').command).toMatch(
      /^set -- "\$HOME"\/\.local\/.* droid Stop project 60000 -; \[ -x "\$1" \] \|\| exit 0/,
    );
  });
  it('gives the start of a session the time that Droid waits for it', () => {
    expect(handlerIn(install(null), 'SessionStart')).toMatchObject({ timeout: 30, command: expect.stringContaining(' 30000 ') });
  });
  it('turns the lines of the other scope into its own', () => expect(install(install(null, project))).toBe(install(null)));
  it('stands in the settings of each scope', () => {
    expect(droid.installer.configFiles('user', {})).toEqual([{ path: '.factory/settings.json', label: '~/.factory/settings.json' }]);
    expect(droid.installer.configFiles('project', {})[0].label).toBe('.factory/settings.json');
  });
});

describe('whether it will run', () => {
  const readiness = droid.readiness as Readiness;
  const judge = (texts: Readonly<Record<string, string | null>>) =>
    readiness.judge({
      scope: 'user',
      home: '/home/dev',
      project: '/p',
      env: {},
      probed: null,
      installed: droid.installer.installed(install(null), user, file),
      texts: { '.factory/settings.json': install(null), ...texts },
    });
  it('is said, and that the terminal program asks for the folder by itself', () => {
    expect(judge({ '.factory/hooks.json': null })).toEqual({ runs: true, note: expect.stringContaining('trust') });
    expect(judge({ '.factory/hooks.json': '{ "Unknown": [] } // mine' })).toMatchObject({ runs: true });
  });
  it('does not run where a hooks.json has the same event', () => {
    for (const path of ['.factory/hooks.json', '.factory/hooks/hooks.json'])
      expect(judge({ [path]: '{ "Stop": [], /* mine */ "PreToolUse": [] }' })).toEqual({
        runs: false,
        why: expect.stringMatching(new RegExp(`^~/${path} .* PreToolUse, Stop, `)),
        remedy: expect.stringContaining('~/.factory/settings.json'),
      });
  });
  it('does not run where hooks are switched off', () => {
    expect(judge({ '.factory/settings.json': '{ "hooks": { "hooksDisabled": true } }' })).toMatchObject({
      runs: false,
      why: expect.stringContaining('switched off'),
    });
  });
  it('is judged by files that are read beforehand', () => {
    expect(readiness.files('user', {}).map(({ path }) => path)).toEqual([
      '.factory/hooks.json',
      '.factory/hooks/hooks.json',
      '.factory/settings.json',
    ]);
  });
});
