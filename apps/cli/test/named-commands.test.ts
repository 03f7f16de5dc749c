import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Command } from 'commander';
import { beforeAll, expect, it } from 'vitest';
import type { Context } from '../src/context.ts';
import { buildProgram } from '../src/program.ts';

// What Piton tells a person to type must be a command, with options that it takes, wherever in the code it is told.
const ROOT = join(import.meta.dirname, '../../..');
const context = { version: '0', width: 100, out: () => {}, err: () => {} } as unknown as Context;

interface Named {
  readonly file: string;
  readonly text: string;
}

/** In texts, not in comments: `piton` with at least one word behind it, up to what ends the sentence, the quotes or the name. */
function namedIn(file: string): Named[] {
  const code = readFileSync(join(ROOT, file), 'utf8').replaceAll(/^\s*(?:\/\*\*?|\*|\/\/).*$/gm, '');
  return [
    ...code.matchAll(
      /(?<![\w/.@-])(?:piton|\$\{commandName\(context\)\}) ((?:[a-z][a-z-]*|--?[a-z][a-z-]*)(?: (?:[a-z@][a-z-]*|--[a-z][a-z-]*|<[^>\n]+>|\$\{[^}\n]*\}))*)/g,
    ),
  ].map(([, text = '']) => ({ file, text }));
}

const sources = (): string[] =>
  ['apps', 'packages'].flatMap((top) =>
    readdirSync(join(ROOT, top)).flatMap((name) =>
      readdirSync(join(ROOT, top, name), { recursive: true, encoding: 'utf8' })
        .filter((path) => path.startsWith('src/') && path.endsWith('.ts'))
        .map((path) => join(top, name, path)),
    ),
  );

let program: Command;
beforeAll(async () => {
  program = await buildProgram(context, 'all');
});

/** Behind the name where it is no command line. */
const PROSE: ReadonlySet<string | undefined> = new Set(['needs', 'hook', 'removed', 'is', 'last-resort', 'tree']);

/** What is wrong with it as a command line, or undefined. Words that are no command are arguments, or prose that goes on. */
function faultOf({ text }: Named): string | undefined {
  const words = text.split(' ');
  let command = program;
  for (const word of words) {
    const found = command.commands.find((each) => each.name() === word);
    if (found === undefined) break;
    command = found;
  }
  if (command === program) return words[0] === 'help' || words[0]?.startsWith('-') || PROSE.has(words[0]) ? undefined : 'no command';
  const behind = command.commands.find((each) => each.name() === 'list');
  const known = [command, ...(behind ? [behind] : [])].flatMap(({ options }) => options.map(({ long }) => long));
  const unknown = words.filter((word) => word.startsWith('--') && word !== '--help' && !known.includes(word));
  return unknown.length > 0 ? `no ${unknown.join(', ')}` : undefined;
}

it('every command that a text names exists, with its options', () => {
  const named = sources().flatMap(namedIn);
  expect(named.length).toBeGreaterThan(150);
  expect(named.flatMap((one) => (faultOf(one) ? [`${one.file}: piton ${one.text}: ${faultOf(one)}`] : []))).toEqual([]);
});
