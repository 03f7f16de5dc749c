import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { codeFileOf } from '@piton/contracts/compiled-code';
import { COMMAND } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { runtimeParts } from '../../src/runtime/parts.ts';

let root: string;
let distribution: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'piton-parts-'));
  distribution = join(root, 'dist');
  mkdirSync(distribution);
  const built = dirname(COMMAND);
  for (const name of readdirSync(built)) if (name !== 'code') symlinkSync(join(built, name), join(distribution, name));
  symlinkSync(join(built, '..', 'node_modules'), join(root, 'node_modules'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const compiled = (): string[] => runtimeParts(distribution).flatMap(({ to, compiled: isCode }) => (isCode ? [to] : []));
const code = (name: string): string => codeFileOf(distribution, name);

it('a runtime takes the compiled code that it may read', () => {
  mkdirSync(dirname(code('server')), { recursive: true });
  writeFileSync(code('server'), 'code');
  expect(compiled()).toEqual([code('server').slice(distribution.length + 1)]);
});

// Another user, such as root, has kept it for themselves: a link to nothing and a file in the folder's place cannot be read by root either.
it('a runtime does without compiled code that it may not read', () => {
  mkdirSync(dirname(code('server')), { recursive: true });
  symlinkSync(join(distribution, 'nothing'), code('server'));
  expect(compiled()).toEqual([]);
  rmSync(dirname(code('server')), { recursive: true });
  writeFileSync(dirname(code('server')), '');
  expect(compiled()).toEqual([]);
});
