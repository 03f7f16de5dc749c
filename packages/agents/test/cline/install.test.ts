import { spawnSync } from 'node:child_process';
import type { ConfigFile, InstallTarget } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { cline } from '../../src/cline/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/some one/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const project: InstallTarget = { ...user, scope: 'project' };
const fileOf = (event: string, scope: 'user' | 'project' = 'user'): ConfigFile => {
  const found = cline.installer.configFiles(scope, {}).find(({ path }) => path.endsWith(`/${event}.sh`));
  if (found === undefined) throw new Error(`no file for ${event}`);
  return found;
};
const installed = (event: string, target = user, text: string | null = null): string => {
  const result = cline.installer.install(text, target, fileOf(event));
  if (!result.ok || result.edit.text === null) throw new Error('not installed');
  return result.edit.text;
};

describe('what is installed', () => {
  it('is a program for each event that comes', () => {
    expect(cline.installer.configFiles('user', {})).toEqual(
      [
        'TaskStart',
        'TaskResume',
        'UserPromptSubmit',
        'PreToolUse',
        'PostToolUse',
        'TaskComplete',
        'TaskError',
        'TaskCancel',
        'SessionShutdown',
      ].map((event) => ({ path: `.cline/hooks/${event}.sh`, label: `~/.cline/hooks/${event}.sh`, executable: true })),
    );
  });
  it('stands where Cline looks', () => {
    expect(cline.installer.configFiles('project', { CLINE_DIR: '/conf' })[0].path).toBe('.cline/hooks/TaskStart.sh');
    expect(cline.installer.configFiles('user', { CLINE_DIR: '/conf/' })[0].path).toBe('/conf/hooks/TaskStart.sh');
  });
  it('runs the forwarder, and is silent where it is gone', () => {
    const text = installed('PreToolUse');
    expect(text.split('\n')).toEqual([
      '#!/bin/sh',
      expect.stringMatching(/^# Piton/),
      `set -- '${user.forwarder}' cline PreToolUse user 60000 -; [ -x "$1" ] || exit 0; exec "$@"`,
      '',
    ]);
    expect(installed('PreToolUse', project)).toContain('set -- "$HOME"/.local/state/piton/');
    const { status, stdout, stderr } = spawnSync('sh', ['-c', text], { encoding: 'utf8', input: '{}' });
    expect({ status, stdout, stderr }).toEqual({ status: 0, stdout: '', stderr: '' });
  });
  it('brings an older one of ours up to date', () => {
    const older = installed('PreToolUse').replace('60000', '5000').replace('# Piton wrote', '# Once Piton wrote');
    const result = cline.installer.install(older, user, fileOf('PreToolUse'));
    expect(result).toMatchObject({
      ok: true,
      edit: { text: installed('PreToolUse'), removed: [{ timeoutMs: 5000 }], added: [{ timeoutMs: 60_000 }] },
    });
  });
});

describe('uninstalling', () => {
  it('leaves what somebody wrote into our program', () => {
    const text = installed('PreToolUse').replace('set --', 'echo mine >> log\nset --');
    const result = cline.installer.uninstall(text, user, fileOf('PreToolUse'));
    expect(result).toMatchObject({
      ok: true,
      edit: { text: expect.stringContaining('echo mine >> log\n'), removed: [{ agent: 'cline' }] },
    });
    expect(result.ok && result.edit.text).not.toContain('piton-forward');
  });
  it('leaves a program that is not ours', () => {
    const text = '#!/bin/sh\n./guard.sh\n';
    expect(cline.installer.uninstall(text, user, fileOf('PreToolUse'))).toEqual({ ok: true, edit: { text, added: [], removed: [] } });
  });
});
