import { classifiedGitKeys, installedGitKeys } from '@piton/testing/git-attack';
import { describe, expect, it } from 'vitest';
import { carriedConfiguration, isCarried, parseConfigList } from '../src/carried-settings.ts';

describe('the keys of git', () => {
  const keys = classifiedGitKeys();

  it('that is installed here are all classified: a new one may name a program', () => {
    expect(installedGitKeys().filter((key) => !keys.has(key))).toEqual([]);
    expect(installedGitKeys().length).toBeGreaterThan(500);
  });

  it('that name a program, or lead to one, are never taken over', () => {
    const dangerous = [...keys].filter(([, kind]) => kind !== 'data').map(([key]) => key.replace(/<\w+>/g, 'any').replace(/\*$/, 'any'));
    expect(dangerous.length).toBeGreaterThan(80);
    expect(dangerous.filter((key) => isCarried(key) || isCarried(key.toLowerCase()))).toEqual([]);
  });
});

describe('what our git takes over', () => {
  const carried = (...settings: string[]) => carriedConfiguration(parseConfigList(Buffer.from(settings.map((one) => `${one}\0`).join(''))));

  it('is data alone, in the order in which it was said', () => {
    const text = carried('core.autocrlf\ninput', 'filter.x.clean\nrm -rf /', 'core.sshcommand\nevil', 'core.autocrlf\ntrue');
    expect(text).toBe('[core]\n\tautocrlf = "input"\n[core]\n\tautocrlf = "true"\n');
  });

  it('cannot end its line, its quotes or its section', () => {
    const value = 'a"\n[core]\n\tfsmonitor = evil\\';
    expect(carried(`core.excludesfile\n${value}`)).toBe('[core]\n\texcludesfile = "a\\"\\n[core]\\n\\tfsmonitor = evil\\\\"\n');
    expect(carried('branch.a"]\\.b.merge\nrefs/heads/x')).toBe('[branch "a\\"]\\\\.b"]\n\tmerge = "refs/heads/x"\n');
  });

  it('knows a name that stands alone', () => {
    expect(carried('core.filemode')).toBe('[core]\n\tfilemode\n');
  });

  it('says of a partial clone that it is one, but not of what', () => {
    const text = carried(
      'remote.origin.promisor\ntrue',
      'remote.origin.url\next::evil',
      'remote.origin.fetch\n+refs/heads/*:refs/remotes/origin/*',
    );
    expect(text).toContain('partialclone = "piton-nowhere"');
    expect(text).not.toContain('evil');
  });
});
