import { describe, expect, it } from 'vitest';
import { compareVersions, parseVersion } from '../src/index.ts';

describe('the version in what a program prints', () => {
  it.each([
    ['2.1.72 (Claude Code)', '2.1.72'],
    ['codex-cli 0.166.0\n', '0.166.0'],
    ["GitHub Copilot CLI 1.0.102. Run 'copilot update' to check for updates.", '1.0.102'],
    ['v20.19.0', '20.19.0'],
    ['0.62.0-nightly.20261101.abc', '0.62.0-nightly.20261101.abc'],
    ['1.2.3+build.5', '1.2.3'],
    ['\u001b[1m3.0.65\u001b[0m', '3.0.65'],
  ])('%j is %s', (text, version) => expect(parseVersion(text)).toBe(version));

  it.each(['', 'unknown', '2.1', 'listening on 127.0.0.1:80', 'error: no such option'])('%j is none', (text) =>
    expect(parseVersion(text)).toBeUndefined(),
  );
});

describe('versions are ordered', () => {
  const ordered = [
    '0.9.0',
    '0.10.0-preview.2',
    '0.10.0-preview.10',
    '0.10.0',
    '1.0.9',
    '1.0.40',
    '2.1.72',
    '2.1.101',
    '2.1.133',
    '2.1.139',
  ];
  it('by their numbers, and a preview before what it is one of', () => {
    for (const [at, version] of ordered.entries())
      for (const [other, than] of ordered.entries())
        expect(Math.sign(compareVersions(version, than)), `${version} ${than}`).toBe(Math.sign(at - other));
  });
});
