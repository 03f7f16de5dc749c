import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { ROOT } from './pages.ts';

let box: Sandbox;
let cwd: string;
beforeAll(async () => {
  box = sandbox();
  cwd = box.repository();
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd });
});
afterAll(() => box.end());

/** Those that go on until somebody stops them, and why they need no try here. */
const NOT_RUN: Readonly<Record<string, string>> = {
  'piton events tail': 'follows until Ctrl-C: scenarios/first-day/events.test.ts',
  'piton ui': 'serves until Ctrl-C, or nobody looks: scenarios/ui',
  'piton server run': 'serves until Ctrl-C',
  'piton server logs': 'with --follow it goes on until Ctrl-C',
};
const ENDLESS = /--watch|--follow|^piton demo/;

/** Every example of every help text, by the command that it belongs to: `docs/cli.md` is what the command says of itself. */
const page = readFileSync(join(ROOT, 'docs/cli.md'), 'utf8');
const examples = page
  .split(/^##+ `(?=piton )/m)
  .slice(1)
  .flatMap((section) => {
    const command = section.slice(0, section.indexOf('`'));
    // The first block is the usage.
    const listed = [...section.matchAll(/^```\n([\s\S]*?)^```$/gm)]
      .slice(1)
      .map(([, text = '']) => text)
      .join('');
    return listed
      .split('\n')
      .filter(Boolean)
      .map((example) => ({ command, example }));
  });

/** The words of a shell command: examples use quotes, and nothing else of the shell. */
const wordsOf = (line: string): string[] => [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c ?? '');

describe('every example of a help text is a command that Piton takes', () => {
  it('there are many', () => expect(examples.length).toBeGreaterThan(60));
  for (const command of new Set(examples.map((each) => each.command))) {
    it(command, async () => {
      for (const { example } of examples.filter((each) => each.command === command)) {
        if (ENDLESS.test(example) || Object.keys(NOT_RUN).some((name) => example.startsWith(name))) continue;
        // Pipes and redirections are the shell's: what stands before them is ours.
        const [, ...words] = wordsOf(example.split(/ [|<>] /)[0] ?? '');
        const { code, stderr } = await box.piton(words, { cwd, input: '' });
        // 2 is also what names nothing that is there: `./my-guard`, an id.
        expect([0, 1, 2], `${example}: exit ${code}\n${stderr}`).toContain(code);
        expect(stderr, example).not.toMatch(/unknown (option|command)|too many arguments|missing required|argument missing/);
        expect(stderr, example).not.toMatch(/\n {4}at .*:\d+:\d+/);
      }
    }, 120_000);
  }
});
