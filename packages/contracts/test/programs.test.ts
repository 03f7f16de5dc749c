import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findTrustedProgram, notedPrograms, programFinder, toolTreesOn, trustedPath } from '../src/program/programs.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-programs-')));
  for (const tree of ['project', 'nvm']) mkdirSync(join(root, tree, '.git'), { recursive: true });
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const at = (...names: string[]): string => join(root, ...names);
function program(...names: string[]): string {
  mkdirSync(dirname(at(...names)), { recursive: true });
  writeFileSync(at(...names), '#!/bin/sh\n');
  chmodSync(at(...names), 0o755);
  return at(...names);
}

describe('a PATH that may be trusted', () => {
  it('has nothing that a repository can fill, whether it is there yet or not', () => {
    mkdirSync(at('project/bin'));
    symlinkSync(at('project/bin'), at('linked'));
    mkdirSync(at('plain/node_modules/.bin'), { recursive: true });
    const path = ['', '.', 'bin', at('project'), at('project/bin'), at('project/later/bin'), at('linked'), at('plain/node_modules/.bin')];
    expect(trustedPath([...path, '/usr/bin', at('plain/bin')].join(':'))).toBe(`/usr/bin:${at('plain/bin')}`);
  });

  it('has nothing of a watched repository, though its .git was moved away', () => {
    rmSync(at('project/.git'), { recursive: true });
    const path = `${at('project/bin')}:${at('project-b')}`;
    expect(trustedPath(path)).toBe(path);
    expect(trustedPath(path, { repositories: [at('project')] })).toBe(at('project-b'));
  });

  it('has the tools that are clones themselves and were there at init, but not what was made inside of them since', () => {
    mkdirSync(at('nvm/src/project/.git'), { recursive: true });
    const path = `${at('nvm/v22/bin')}:${at('nvm/src/project/bin')}`;
    expect(trustedPath(path, { toolTrees: [at('nvm')] })).toBe(at('nvm/v22/bin'));
  });
});

describe('the working trees of tools', () => {
  it('are all on PATH but the one around the person, those that are watched, and dependencies', () => {
    mkdirSync(at('watched/.git'), { recursive: true });
    const path = ['nvm/v22/bin', 'project/bin', 'watched/bin', 'other/node_modules/.bin', 'plain'].map((name) => at(name)).join(':');
    mkdirSync(at('project/src'));
    expect(toolTreesOn(path, at('project/src'), [at('watched')])).toEqual([at('nvm')]);
  });
});

describe('a program', () => {
  it('is rather one outside of any working tree', () => {
    const [inTool, plain] = [program('nvm/bin/git'), program('plain/git')];
    const path = `${at('project')}:${at('nvm/bin')}:${at('plain')}`;
    program('project/git');
    expect(findTrustedProgram('git', path, { toolTrees: [at('nvm')] })).toBe(plain);
    rmSync(plain);
    expect(findTrustedProgram('git', path, { toolTrees: [at('nvm')] })).toBe(inTool);
    expect(findTrustedProgram('git', path)).toBeUndefined();
  });

  it('is not a directory of that name, nor a file that cannot be run', () => {
    mkdirSync(at('a/git'), { recursive: true });
    chmodSync(program('b/git'), 0o644);
    expect(findTrustedProgram('git', `${at('a')}:${at('b')}`)).toBeUndefined();
  });

  it('is the noted one while it is there, and looked for when it has gone', () => {
    const noted = program('noted/bwrap');
    writeFileSync(at('place.json'), JSON.stringify({ config: '/c', bwrap: noted }));
    const find = programFinder(root, 'bwrap', `${at('project')}:${at('plain')}`);
    program('project/bwrap');
    const other = program('plain/bwrap');
    expect(find()).toBe(noted);
    rmSync(noted);
    expect(find()).toBe(other);
    rmSync(other);
    expect(find()).toBeUndefined();
  });

  it('is noted by an absolute path, or not at all', () => {
    expect(notedPrograms(root)).toEqual({ toolTrees: [] });
    writeFileSync(at('place.json'), JSON.stringify({ git: 'git', bwrap: 7, toolTrees: [1, '/nvm'] }));
    expect(notedPrograms(root)).toEqual({ toolTrees: ['/nvm'] });
  });
});
