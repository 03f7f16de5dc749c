import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { HAS_TERMINAL, Terminal } from '../trust-review/terminal.ts';
import { writeGuard } from './setup.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
  writeGuard(join(box.home, 'mine'), { description: 'Denies it.\u202e' });
  mkdirSync(join(box.home, 'tmp'));
});
afterEach(() => box.end());

const add = (): Terminal => new Terminal(box, ['hooks', 'add', './mine'], box.home, { TMPDIR: join(box.home, 'tmp'), PAGER: 'cat' });
const isAdded = (): boolean => existsSync(join(box.config, 'artifacts', 'mine'));
const leftOver = (): string[] => readdirSync(join(box.home, 'tmp')).filter((name) => name.startsWith('piton-'));

describe.skipIf(!HAS_TERMINAL)('on a terminal', () => {
  it.each([
    ['y\n', true, 0],
    ['n\n', false, 0],
    ['\u0004', false, 0],
    ['\u0003', false, 130],
  ])('the answer %j to the question is what counts, and nothing is left behind', async (keys, added, code) => {
    const terminal = add();
    await terminal.sees('Add mine? [y/N]');
    expect(terminal.text).toContain('<U+202E>');
    terminal.type(keys);
    expect(await terminal.exitCode()).toBe(code);
    expect([isAdded(), leftOver()]).toEqual([added, []]);
  });
});
