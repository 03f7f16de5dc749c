import { describe, expect, it } from 'vitest';
import { lockProblems } from '../lockfile.mjs';

const tool = { version: '1.0.0', optionalDependencies: { 'tool-darwin': '1.0.0' } };

describe('the lockfile', () => {
  it('is complete where every optional package is there, beside or above', () => {
    const packages = { '': {}, 'node_modules/tool': tool, 'node_modules/tool/node_modules/tool-darwin': { version: '1.0.0' } };
    expect(lockProblems({ packages })).toEqual([]);
    expect(lockProblems({ packages: { '': {}, 'node_modules/tool': tool, 'node_modules/tool-darwin': { version: '1.0.0' } } })).toEqual([]);
  });

  it('is incomplete where the package of a platform is missing, or has no version', () => {
    expect(lockProblems({ packages: { '': {}, 'node_modules/tool': tool } })).toEqual([
      'node_modules/tool needs tool-darwin, which is not in the lockfile',
    ]);
    expect(lockProblems({ packages: { 'node_modules/tool': tool, 'node_modules/tool-darwin': { optional: true } } })).toEqual([
      'node_modules/tool-darwin has no version',
    ]);
  });

  it('has no package that runs a script of its own when it is installed, but those that were looked at', () => {
    const hasInstallScript = true;
    expect(lockProblems({ packages: { 'node_modules/tool': { version: '1.0.0', hasInstallScript } } })).toEqual([
      'node_modules/tool runs a script when it is installed',
    ]);
    expect(lockProblems({ packages: { 'node_modules/esbuild': { version: '1.0.0', hasInstallScript } } })).toEqual([]);
  });

  it('names no registry', () => {
    const resolved = 'https://registry.example/tool-1.0.0.tgz';
    expect(lockProblems({ packages: { 'node_modules/tool': { version: '1.0.0', resolved } } })).toEqual([
      `node_modules/tool names where it came from: ${resolved}`,
    ]);
    expect(lockProblems({ packages: { 'node_modules/@piton/hooks': { resolved: 'packages/hooks', link: true } } })).toEqual([]);
  });
});
