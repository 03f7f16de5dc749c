import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { machineDisk } from '../../src/built-in-guard/disk.ts';
import { createBuiltInGuard } from '../../src/built-in-guard/guard.ts';
import { callOf, PLACES, shell } from './grounds.ts';

let base: string;
beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-disk-')));
  mkdirSync(join(base, 'a/b'), { recursive: true });
  writeFileSync(join(base, 'a/there'), '');
});
afterEach(() => rmSync(base, { recursive: true, force: true }));

test.each([
  ['a file that is there', '', 'a/there', 'a/there'],
  ['one that is not', '', 'a/x/y', 'a/x/y'],
  ['a link', 'a/there', 'link', 'a/there'],
  ['what is not there behind a link', 'a', 'link/x', 'a/x'],
  ['a link to what is not there', 'a/none', 'link', 'a/none'],
  ['what is below such a link', 'a/none', 'link/x/y', 'a/none/x/y'],
  ['a link that goes up from where another leads', 'up/../none', 'link', 'a/none'],
  ['a link to itself', 'link', 'link', 'link'],
])('%s lies where a write to it would go', (_what, target, path, expected) => {
  symlinkSync('a/b', join(base, 'up'));
  if (target !== '') symlinkSync(target, join(base, 'link'));
  expect(machineDisk.real(join(base, path))).toBe(join(base, expected));
});

test('an absolute link to what is not there is followed', () => {
  symlinkSync(`/../..${base}/./a/none`, join(base, 'link'));
  expect(machineDisk.real(join(base, 'link'))).toBe(join(base, 'a/none'));
});

test('settings that do not exist yet are not written through a link that came with a repository', () => {
  mkdirSync(join(base, '.git'));
  mkdirSync(join(base, '.agent'));
  symlinkSync('.agent/settings.local.json', join(base, 'notes.md'));
  const guard = createBuiltInGuard(PLACES, machineDisk);
  expect(guard(callOf({ kind: 'edit', name: 'Write', files: ['notes.md'] }, base))).toMatchObject({ kind: 'place', place: 'notes.md' });
  expect(guard(shell('echo x > notes.md', base))).toMatchObject({ kind: 'place', place: 'notes.md' });
});
