import type { Readiness, ReadinessFacts } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../src/qwen/index.ts';

const { files, judge } = qwen.readiness as Readiness;
const facts = (settings: object, folders: object | null, more: Partial<ReadinessFacts> = {}): ReadinessFacts => ({
  scope: 'user',
  home: '/home/dev',
  project: '/home/dev/app',
  env: {},
  texts: { '.qwen/settings.json': JSON.stringify(settings), '.qwen/trustedFolders.json': folders && JSON.stringify(folders) },
  probed: null,
  installed: [],
  ...more,
});
const withTrust = { security: { folderTrust: { enabled: true } } };

describe('whether it runs', () => {
  it('asks for no trust unless somebody turned it on', () => {
    expect(judge(facts({}, null))).toEqual({ runs: true });
    expect(judge(facts(withTrust, { '/home/dev': 'TRUST_FOLDER' }))).toEqual({ runs: true });
    expect(judge(facts(withTrust, null))).toMatchObject({
      runs: false,
      remedy: expect.stringContaining('/trust'),
      consent: { file: { path: '.qwen/trustedFolders.json' } },
    });
    expect(judge(facts(withTrust, { '/home/dev/app': 'DO_NOT_TRUST' }))).not.toHaveProperty('consent');
  });
  it('sees that all hooks are off', () => {
    expect(judge(facts({ disableAllHooks: true }, null))).toMatchObject({
      runs: false,
      remedy: expect.stringContaining('disableAllHooks'),
    });
  });
  it('looks into the folder of the user, whichever level is asked about', () => {
    const paths = (...given: Parameters<typeof files>) => files(...given).map(({ path }) => path);
    expect(paths('user', { HOME: '/home/dev' })).toEqual(['.qwen/settings.json', '.qwen/trustedFolders.json']);
    expect(paths('project', { HOME: '/home/dev' })[0]).toBe('/home/dev/.qwen/settings.json');
    expect(paths('project', { QWEN_HOME: '/conf/' })[0]).toBe('/conf/settings.json');
  });
});
