import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Script } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { codeFileOf, compileBody } from '../src/program/compiled-code.ts';

let directory: string;
let file: string;
let code: string;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-code-'));
  file = join(directory, 'program.js');
  code = codeFileOf(directory, 'program');
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

/** A program as the build writes it, that says which it is. */
const sourceOf = (word: string): string => `(function (exports) { function say() { return '${word}'; } exports.word = say(); })`;

function run(): { word: string; fromCode: boolean; save(): void } {
  const { body, fromCode, save } = compileBody(file, directory, 'program');
  const exports = { word: '' };
  body(exports, require, { exports }, file, directory);
  return { word: exports.word, fromCode, save };
}

const require = (() => {
  throw new Error('this program requires nothing');
}) as unknown as NodeJS.Require;

function keep(word: string): void {
  writeFileSync(file, sourceOf(word));
  run().save();
}

it('keeps code that V8 takes for this source, and runs the program from it', () => {
  keep('one');
  const data = readFileSync(code).subarray(32);
  expect(new Script(sourceOf('one'), { cachedData: data }).cachedDataRejected).toBe(false);
  expect(run()).toMatchObject({ word: 'one', fromCode: true });
});

it('is private, whole, and beside the program, in a folder of this Node', () => {
  keep('one');
  expect(basename(dirname(code))).toBe(`${process.version}-${process.arch}`);
  expect([statSync(code).mode & 0o777, statSync(dirname(code)).mode & 0o777]).toEqual([0o600, 0o700]);
  expect(readdirSync(dirname(code))).toEqual(['program.code']);
});

it('runs a changed program of the same length as it is now: V8 itself compares lengths alone', () => {
  keep('one');
  writeFileSync(file, sourceOf('two'));
  const taken = new Script(sourceOf('two'), { cachedData: readFileSync(code).subarray(32) });
  expect(taken.cachedDataRejected).toBe(false); // without our digest it would be taken
  expect(run()).toMatchObject({ word: 'two', fromCode: false });
});

it.each([
  ['a flipped bit', (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => (at === bytes.length - 40 ? byte ^ 1 : byte)))],
  ['a lost end', (bytes: Buffer) => bytes.subarray(0, bytes.length - 7)],
  ['a digest alone', (bytes: Buffer) => bytes.subarray(0, 32)],
  ['nothing', () => Buffer.alloc(0)],
  ['something else', () => Buffer.from('{"not":"code"}')],
])('runs the program without its code when the file holds %s', (_, damage) => {
  keep('one');
  writeFileSync(code, damage(readFileSync(code)));
  expect(run()).toMatchObject({ word: 'one', fromCode: false });
  run().save();
  expect(run().fromCode).toBe(true);
});

it('runs the program without code of other flags', () => {
  writeFileSync(file, sourceOf('one'));
  const other = `new (require('node:vm').Script)(require('node:fs').readFileSync(${JSON.stringify(file)}, 'latin1')).createCachedData()`;
  const text = `const code = ${other}; const source = require('node:fs').readFileSync(${JSON.stringify(file)});
    const digest = require('node:crypto').createHash('sha256').update(source).update(code).digest();
    require('node:fs').mkdirSync(${JSON.stringify(dirname(code))}, { recursive: true });
    require('node:fs').writeFileSync(${JSON.stringify(code)}, Buffer.concat([digest, code]));`;
  expect(spawnSync(process.execPath, ['--no-opt', '--max-lazy', '-e', text]).status).toBe(0);
  expect(run()).toMatchObject({ word: 'one', fromCode: false });
});

it('writes through no link, and fails in silence where it may not write', () => {
  writeFileSync(file, sourceOf('one'));
  const elsewhere = join(directory, 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  mkdirSync(dirname(code), { recursive: true });
  symlinkSync(elsewhere, code);
  run().save();
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');
  expect(run().fromCode).toBe(true);
  rmSync(join(directory, 'code'), { recursive: true });
  writeFileSync(join(directory, 'code'), 'a file, not a folder');
  run().save();
  expect(run()).toMatchObject({ word: 'one', fromCode: false });
});

it('makes no directory again that was deleted under the program', () => {
  writeFileSync(file, sourceOf('one'));
  const { save } = run();
  rmSync(directory, { recursive: true });
  save();
  expect(existsSync(directory)).toBe(false);
});
