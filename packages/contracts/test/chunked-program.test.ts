import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openChunks } from '../src/program/chunked-program.ts';
import { codeFileOf } from '../src/program/compiled-code.ts';

let directory: string;
let log: string[];
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-chunks-'));
  mkdirSync(join(directory, 'cli'));
  log = [];
  Object.assign(globalThis, { chunkLog: log });
});
afterEach(() => {
  rmSync(directory, { recursive: true, force: true });
  Reflect.deleteProperty(globalThis, 'chunkLog');
});

const chunk = (name: string, text: string): void =>
  writeFileSync(
    join(directory, 'cli', `${name}.js`),
    `(function (exports, require, module, __filename, __dirname) { chunkLog.push('${name}'); ${text} })`,
  );

/** Each with a module cache of its own, as another process has. */
const open = () => openChunks(directory, Object.assign(createRequire(join(directory, 'any.cjs')), { cache: {} }));
const codeOf = (name: string): string => codeFileOf(directory, join('cli', name));

it('loads chunks when they are asked for, and Node’s own modules, with their own paths', () => {
  chunk('cli', "exports.done = require('./used-1A.mjs').answer + require('node:path').sep;");
  chunk('used-1A', "exports.answer = __filename + ' ' + __dirname;");
  chunk('unused-2B', '');
  expect(open().start()).toEqual({ done: `${join(directory, 'cli', 'used-1A.js')} ${join(directory, 'cli')}/` });
  expect(log).toEqual(['cli', 'used-1A']);
});

it('starts anew in the same process, and loads a chunk once', () => {
  chunk('cli', "exports.done = require('./a.mjs').count++;");
  chunk('a', 'exports.count = 0;');
  const program = open();
  expect([program.start(), program.start()]).toEqual([{ done: 0 }, { done: 1 }]);
  expect(log).toEqual(['cli', 'a', 'cli']);
});

it('lets two chunks import each other', () => {
  chunk('cli', "exports.done = require('./a.mjs').both();");
  chunk('a', "const b = require('./b.mjs'); exports.own = 'a'; exports.both = () => 'a' + b.other();");
  chunk('b', "const a = require('./a.mjs'); exports.other = () => 'b' + a.own;");
  expect(open().start()).toEqual({ done: 'aba' });
});

it('keeps the code of every chunk without starting the program, and runs from it', () => {
  chunk('cli', "exports.done = require('./a.mjs').word;");
  chunk('a', "exports.word = 'one';");
  chunk('b', "require('./a.mjs');");
  open().keepCode();
  expect(log.toSorted()).toEqual(['a', 'b']);
  expect(readdirSync(dirname(codeOf('a'))).toSorted()).toEqual(['a.code', 'b.code']);
  expect(open().start()).toEqual({ done: 'one' });
  chunk('a', "exports.word = 'two';");
  expect(open().start()).toEqual({ done: 'two' });
  expect(existsSync(codeOf('cli'))).toBe(false);
});
