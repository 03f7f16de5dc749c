import type { Readiness, ReadinessFacts } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../src/gemini/index.ts';

const { files, judge } = gemini.readiness as Readiness;
const SETTINGS = '.gemini/settings.json';
const FOLDERS = '.gemini/trustedFolders.json';
const facts = (texts: Record<string, string | null>, more: Partial<ReadinessFacts> = {}): ReadinessFacts => ({
  scope: 'user',
  home: '/home/dev',
  project: '/home/dev/code/app',
  env: {},
  texts,
  probed: null,
  installed: [],
  ...more,
});
const trusting = (rules: object) => judge(facts({ [FOLDERS]: JSON.stringify(rules) }));

describe('a folder', () => {
  it('runs nothing in a folder that nobody trusted, and says how to trust it', () => {
    expect(judge(facts({}))).toMatchObject({
      runs: false,
      why: expect.stringContaining('/home/dev/code/app'),
      remedy: expect.stringContaining('/permissions trust /home/dev/code/app'),
      consent: { file: { path: FOLDERS } },
    });
  });
  it.each([
    [{ '/home/dev/code/app': 'TRUST_FOLDER' }, true],
    [{ '/home/dev/code': 'TRUST_FOLDER' }, true],
    [{ '/home/dev/code/other': 'TRUST_PARENT' }, true],
    [{ '/home/dev/code/app/': 'TRUST_FOLDER' }, true],
    [{ '/home/dev/code/apple': 'TRUST_FOLDER' }, false],
    [{ '/home/dev/code/app/inner': 'TRUST_FOLDER' }, false],
    [{ '/home/dev/code': 'DO_NOT_TRUST', '/home/dev/code/app': 'TRUST_FOLDER' }, true],
    [{ '/home/dev': 'TRUST_FOLDER', '/home/dev/code': 'DO_NOT_TRUST' }, false],
    [{ '/home/dev/code/app': 'nonsense' }, false],
  ])('under the rules %j runs hooks: %j', (rules, runs) => expect(trusting(rules).runs).toBe(runs));

  it('that a person refused is not offered again', () => {
    expect(trusting({ '/home/dev/code/app': 'DO_NOT_TRUST' })).not.toHaveProperty('consent');
  });
  it('is trusted by our hand beside what is there, comments included', () => {
    const text = '{\n  // mine\n  "/home/dev/x": "TRUST_FOLDER"\n}\n';
    const verdict = judge(facts({ [FOLDERS]: text }));
    if (verdict.runs || verdict.consent === undefined) throw new Error('no consent');
    const after = verdict.consent.edit(text);
    expect(after).toMatchObject({
      ok: true,
      edit: { text: '{\n  // mine\n  "/home/dev/x": "TRUST_FOLDER",\n  "/home/dev/code/app": "TRUST_FOLDER"\n}\n' },
    });
    for (const [before, now] of [
      [null, '{\n  "/home/dev/code/app": "TRUST_FOLDER"\n}\n'],
      ['', '{\n  "/home/dev/code/app": "TRUST_FOLDER"\n}\n'],
    ] as const)
      expect(verdict.consent.edit(before)).toMatchObject({ ok: true, edit: { text: now } });
    expect(verdict.consent.edit('{')).toMatchObject({ ok: false });
    expect(verdict.consent.edit('[]')).toMatchObject({ ok: false });
  });
});

describe('settings and variables', () => {
  it('switch folder trust off, or all hooks, or ours', () => {
    const withSettings = (settings: object) => judge(facts({ [SETTINGS]: `// mine\n${JSON.stringify(settings)}` }));
    expect(withSettings({ security: { folderTrust: { enabled: false } } })).toEqual({ runs: true });
    expect(withSettings({ hooksConfig: { enabled: false }, security: { folderTrust: { enabled: false } } })).toMatchObject({
      runs: false,
      remedy: expect.stringContaining('hooksConfig.enabled'),
    });
    expect(withSettings({ hooksConfig: { disabled: ['piton'] } })).toMatchObject({
      runs: false,
      remedy: expect.stringContaining('/hooks'),
    });
  });
  it('of the environment count before the file', () => {
    const trusted = { [FOLDERS]: '{"/home/dev/code/app": "TRUST_FOLDER"}' };
    expect(judge(facts(trusted, { env: { GEMINI_CLI_TRUST_WORKSPACE: 'false' } })).runs).toBe(false);
    expect(judge(facts(trusted, { env: { GEMINI_RESTRICTED_MODE: 'true' } })).runs).toBe(false);
    expect(judge(facts({}, { env: { GEMINI_CLI_TRUST_WORKSPACE: 'true' } })).runs).toBe(true);
  });
  it('are those of the user, whichever level is asked about', () => {
    const paths = (...given: Parameters<typeof files>) => files(...given).map(({ path }) => path);
    expect(paths('user', { HOME: '/home/dev' })).toEqual([SETTINGS, FOLDERS]);
    expect(paths('project', { HOME: '/home/dev' })).toEqual([`/home/dev/${SETTINGS}`, `/home/dev/${FOLDERS}`]);
    expect(paths('user', { GEMINI_CLI_HOME: '/conf/' })).toEqual([`/conf/${SETTINGS}`, `/conf/${FOLDERS}`]);
    expect(paths('user', { GEMINI_CLI_TRUSTED_FOLDERS_PATH: '/conf/t.json' })).toEqual([SETTINGS, '/conf/t.json']);
  });
});
