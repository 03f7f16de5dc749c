import { mkdirSync, mkdtempSync, readdirSync, realpathSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTmux, openTerminal, type Terminal } from './terminal.ts';

const QUESTION = /Look at it in your browser now\? \[y\/N\]/;
const LINK = /http:\/\/127\.0\.0\.1:(\d+)\/#code=[\w-]{43}/;

describe.skipIf(!hasTmux)('the demo on a terminal', () => {
  let root: string;
  let terminal: Terminal;
  beforeAll(async () => {
    root = realpathSync(mkdtempSync('/tmp/demo-'));
    mkdirSync(join(root, 'tmp'));
    const env = { HOME: root, TMPDIR: join(root, 'tmp'), PATH: process.env.PATH, TERM: 'screen', LANG: 'C.UTF-8', NO_COLOR: '1' };
    terminal = await openTerminal(`${root}.tmux`, root, env, 120);
  });
  afterAll(() => {
    if (!hasTmux) return;
    terminal.end();
    rmSync(root, { recursive: true, force: true, maxRetries: 5 });
  });
  const demo = (): Promise<string> => terminal.type(`'${process.execPath}' '${COMMAND}' demo`, QUESTION);
  const left = (): string[] => readdirSync(join(root, 'tmp'));

  it('names the command of the page and offers to open it; without a yes it ends, and leaves nothing', async () => {
    const asked = await demo();
    expect(asked.replace(/\s+/g, ' ')).toMatch(/Look at it in your browser: .*demo --ui/);
    await terminal.press('Enter', /\n\$$/);
    expect(left()).toEqual([]);
    await terminal.clear();
  });

  it('serves the page after a yes until Ctrl-C, and leaves nothing', async () => {
    await demo();
    await terminal.press('y', /\[y\/N\] y/);
    const screen = await terminal.press('Enter', LINK);
    const [, port] = LINK.exec(screen) ?? [];
    expect((await fetch(`http://127.0.0.1:${port}/`)).status).toBe(200);
    await terminal.press('C-c', /\n\$$/);
    expect(left()).toEqual([]);
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });

  it('ends at Ctrl-C at the question too, and leaves nothing', async () => {
    await terminal.clear();
    await demo();
    await terminal.press('C-c', /\n\$$/);
    expect(left()).toEqual([]);
  });
});
