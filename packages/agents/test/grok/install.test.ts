import type { InstallTarget, Readiness } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { grok } from '../../src/grok/index.ts';

const user: InstallTarget = {
  scope: 'user',
  forwarder: '/home/some one/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: '.local/state/piton/runtime/current/piton-forward',
  wanted: [],
};
const [file] = grok.installer.configFiles('user', {});
const install = (text: string | null, target = user): string => {
  const result = grok.installer.install(text, target, file);
  if (!result.ok) throw new Error(result.error);
  return result.edit.text ?? '';
};
const handlerIn = (text: string, event: string) => JSON.parse(text).hooks[event].at(-1).hooks[0];

describe('what is installed', () => {
  it('is every event that has a canonical name, and another if a hook wants it', () => {
    expect(Object.keys(JSON.parse(install(null)).hooks)).toEqual(
      grok.events.filter(({ event }) => event !== 'other').map(({ name }) => name),
    );
    expect(Object.keys(JSON.parse(install(null, { ...user, wanted: ['StopCancelled'] })).hooks)).toContain('StopCancelled');
  });
  it('is a simple command in user scope and a guarded line in project scope', () => {
    expect(handlerIn(install(null), 'PreToolUse')).toEqual({
      type: 'command',
      command: "'/home/some one/.local/state/piton/runtime/current/piton-forward' grok PreToolUse user 60000 -",
      timeout: 60,
    });
    expect(handlerIn(install(null, { ...user, scope: 'project' }), 'Stop').command).toMatch(
      /^set -- "\$HOME"\/\.local\/.* grok Stop project 60000 -; \[ -x "\$1" \] \|\| exit 0/,
    );
  });
  it('stands in a file of its own, wherever a variable moved it', () => {
    expect(file).toEqual({ path: '.grok/hooks/piton.json', label: '~/.grok/hooks/piton.json' });
    expect(grok.installer.configFiles('user', { GROK_HOME: '/conf/' })[0].path).toBe('/conf/hooks/piton.json');
    expect(grok.installer.configFiles('project', { GROK_HOME: '/conf' })[0].path).toBe('.grok/hooks/piton.json');
  });
});

describe('whether it will run', () => {
  const readiness = grok.readiness as Readiness;
  const FOLDERS = '/home/dev/.grok/trusted_folders.toml';
  const judge = (texts: Readonly<Record<string, string | null>>, scope: 'user' | 'project' = 'project', env: Record<string, string> = {}) =>
    readiness.judge({
      ...{ scope, home: '/home/dev', project: '/home/dev/project', probed: null, installed: [] },
      ...{ env: { HOME: '/home/dev', ...env }, texts },
    });
  const trusted = (folder: string): string => `[folders."${folder}"]\ntrusted = true\ndecided_at = 1795037515\n`;

  it('runs for the user in every folder', () => expect(judge({}, 'user')).toEqual({ runs: true }));
  it('runs where the person trusts the folder or one above it', () => {
    for (const folder of ['/home/dev/project', '/home/dev', '/']) expect(judge({ [FOLDERS]: trusted(folder) })).toEqual({ runs: true });
  });
  it('says that the hooks of another folder are skipped', () => {
    for (const text of [
      null,
      '',
      trusted('/home/dev/proj'),
      trusted('/home/dev/project/sub'),
      '[folders."/home/dev/project"]\ntrusted = false\n',
    ])
      expect(judge({ [FOLDERS]: text })).toMatchObject({
        ...{ runs: false, why: expect.stringContaining('trust') },
        remedy: expect.stringContaining('/hooks-trust'),
      });
  });
  it('runs where trust is switched off', () => {
    expect(judge({}, 'project', { GROK_FOLDER_TRUST: '0' })).toMatchObject({ runs: true });
    expect(judge({ '/home/dev/.grok/config.toml': '[folder_trust]\nenabled = false\n' })).toMatchObject({ runs: true });
  });
  it('is judged by files of its own directory', () => {
    expect(readiness.files('project', { HOME: '/home/dev' }).map(({ path }) => path)).toEqual([FOLDERS, '/home/dev/.grok/config.toml']);
    expect(readiness.files('user', {}).map(({ path }) => path)).toEqual(['.grok/trusted_folders.toml', '.grok/config.toml']);
  });
});
