import type { ReadinessFacts } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/claude/index.ts';

const [LOCAL, PROJECT, USER] = ['./.claude/settings.local.json', './.claude/settings.json', '~/.claude/settings.json'] as const;
const judge = (texts: ReadinessFacts['texts'], env = {}) =>
  claude.readiness?.judge({ scope: 'user', home: '/home/dev', project: '/repo', env, texts, probed: null, installed: [] });
const OFF = '{ // for now\n "disableAllHooks": true }';

describe('whether Claude Code runs its hooks', () => {
  it('runs them where nothing is said', () => {
    expect(judge({})).toEqual({ runs: true });
    expect(judge({ [USER]: '{}', [PROJECT]: 'no json' })).toEqual({ runs: true });
  });
  it('takes the word of the settings that win', () => {
    expect(judge({ [USER]: OFF })).toMatchObject({ runs: false, why: expect.stringContaining('~/.claude/settings.json') });
    expect(judge({ [PROJECT]: OFF })).toMatchObject({ runs: false });
    expect(judge({ [LOCAL]: OFF, [PROJECT]: '{"disableAllHooks": false}' })).toMatchObject({
      runs: false,
      remedy: 'take "disableAllHooks" out of .claude/settings.local.json',
    });
    expect(judge({ [USER]: OFF, [PROJECT]: '{"disableAllHooks": false}' })).toEqual({ runs: true });
  });
  it('reads the file that its own variable names', () => {
    const env = { CLAUDE_CONFIG_DIR: '/conf' };
    expect(claude.readiness?.files('user', env).map(({ path }) => path)).toEqual([LOCAL, PROJECT, '/conf/settings.json']);
    expect(judge({ '/conf/settings.json': OFF }, env)).toMatchObject({ runs: false });
  });
});
