import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { terminalScript } from '@piton/testing';
import { hostileNames, isFileName } from '@piton/testing/hostile-names';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTerminal, runOnTerminal } from '../docs/terminal.ts';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { ROWS } from './commands.ts';

// Every command, on terminals of every width, in colour and without, in a repository full of hostile names: nothing steers the
// terminal, nothing looks like a line of Piton's, and no line is longer than the terminal unless it is one word or to be pasted.
const WIDTHS = [40, 60, 80, 100, 200];
const NAMES = hostileNames();
const TEXTS = NAMES.flatMap(({ text }) => (text === undefined || text.includes('\0') ? [] : [text]));
const STEERS = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]|\r(?!\n)/;
const OWN_COLOURS = /\u001b\[\d+(?:;\d+)*m/g;
const MARK = '@@@ 5f1d ';

let box: Sandbox;
let work: string;
beforeAll(async () => {
  box = sandbox();
  work = box.repository();
  const git = (...args: string[]): void =>
    void execFileSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@n', ...args], { cwd: work, env: box.env });
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
  const hooks = join(work, '.piton/hooks/stop');
  mkdirSync(hooks, { recursive: true });
  const texts = TEXTS.filter((_, at) => at % 9 === 0);
  for (const name of NAMES.filter((each, at) => at % 15 === 0 && isFileName(each)))
    writeFileSync(Buffer.concat([Buffer.from(`${hooks}/`), name.bytes]), '#!/bin/sh\n', { mode: 0o755 });
  box.write(join(work, 'a.txt'), 'one\n');
  git('add', '-A', '--', 'a.txt');
  git('commit', '-qm', TEXTS[0] || 'x');
  for (const [at, text] of texts.entries()) {
    await fire(box, claude.prompt('one', work, text));
    const call = claude.shell('one', work, `echo ${text}`, `c${at}`);
    await fire(box, { ...call, hook_event_name: 'PostToolUseFailure', error: `Exit code 1\n${text}` } as typeof call);
  }
  const write = { ...claude.shell('one', work, '', 'w'), tool_name: 'Write', tool_input: { file_path: join(work, 'a.txt'), content: 'x' } };
  await fire(box, write);
  box.write(join(work, 'a.txt'), 'two\n');
  await fire(box, { ...write, hook_event_name: 'PostToolUse', tool_response: {} } as typeof write);
  await fire(box, claude.stop('one', work));
}, 240_000);
afterAll(() => box.end());

let turn = 0;
const filled = (words: readonly string[]): string[] =>
  words.map((word) => {
    turn += 7;
    return word.replace('{name}', () => TEXTS[turn % TEXTS.length] ?? '');
  });

/** One word, something to paste, a path, a line of a file or of JSON. */
const isWhole = (line: string, width: number): boolean =>
  line
    .trim()
    .split(/\s+/)
    .some((word) => word.length > width / 2) ||
  /(?:piton|node|npx|cli\.mjs|cd) /.test(line) ||
  /^(?:[-+@{}\\]| {2,}["{}[\]]| {2}[|:] )/.test(line);

describe.skipIf(!hasTerminal).each(WIDTHS)('on a terminal of %i columns', (width) => {
  it.each([
    ['in colour', {}],
    ['without', { NO_COLOR: '1' }],
  ])('%s', { timeout: 300_000 }, async (_, colours) => {
    // A row comes by at every width; how much it has to say decides little, so each half of the rows is shown in one of the two.
    const rows = Object.entries(ROWS).flatMap(([command, all]) => all.map((row) => [...command.split(' '), ...filled(row)]));
    const half = rows.filter((words, at) => (at + WIDTHS.indexOf(width) + ('NO_COLOR' in colours ? 1 : 0)) % 2 === 0 && words[1] !== 'run');
    const script = join(box.home, `screens-${width}.sh`);
    const list = join(box.home, `calls-${width}.json`);
    const env = { ...box.env, ...colours, TERM: 'xterm', PAGER: 'cat' };
    const said: string[] = [];
    // Terminals of some commands each: the longest of them has a limit.
    for (let from = 0; from < half.length; from += 50) {
      const calls = half.slice(from, from + 50);
      writeFileSync(script, [`stty cols ${width} rows 50`, ...terminalScript(list, { calls, cwd: work, env, mark: MARK })].join('\n'));
      const { output } = await runOnTerminal(script, work, env, Array(50).fill('n'));
      for (const text of output.split(MARK).slice(1)) said[from + Number.parseInt(text, 10)] = text;
    }
    expect(said.filter((text) => text !== undefined).length).toBe(half.length);
    const wrong: unknown[] = [];
    for (const [at, text] of said.entries()) {
      const words = half[at] ?? [];
      // The columns of a listing need 60; a report is Markdown for elsewhere, a completion a script.
      const isFitted = width >= 60 && words[0] !== 'export' && words[0] !== 'completion';
      const plain =
        'NO_COLOR' in colours ? text : text.replace(OWN_COLOURS, '').replaceAll('\u001b[?25h', '').replaceAll('\u001b[?25l', '');
      const body = plain
        .replaceAll('\r\n', '\n')
        .replace(/\r\u001b\[K/g, '\n')
        .split('\n')
        .slice(1);
      const steers = STEERS.exec(body.join('\n'))?.[0];
      const forged = body.find((line) => /^(?:✓ |fix: )?FORGED/.test(line));
      const stack = body.find((line) => /^ +at .*:\d+:\d+/.test(line));
      const wide = body.find((line) => isFitted && [...line].length > width && !isWhole(line, width));
      if (steers !== undefined || forged !== undefined || stack !== undefined || wide !== undefined)
        wrong.push({ words, steers, forged, stack, wide });
    }
    expect(wrong).toEqual([]);
  });
});
