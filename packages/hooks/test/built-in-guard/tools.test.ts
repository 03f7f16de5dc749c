import type { ToolKind } from '@piton/contracts';
import { describe, expect, test } from 'vitest';
import { createBuiltInGuard } from '../../src/built-in-guard/guard.ts';
import { callOf, DISK, PLACES } from './grounds.ts';

const guard = createBuiltInGuard(PLACES, DISK);
const edit = (...files: string[]) => guard(callOf({ kind: 'edit', name: 'Edit', files }));
const mcp = (nativeName: string, input: Record<string, unknown>) => guard(callOf({ kind: 'mcp', name: nativeName, nativeName, input }));

describe('an edit', () => {
  test.each([
    '.piton/settings.json',
    '/code/app/.piton/hooks/pre-tool-use/guard',
    'src/../.piton/x',
    '.Piton/settings.json',
    'packages/one/.piton/x',
    '/home/ann/.config/piton/hooks/stop/x',
    '~/.config/piton/settings.json',
    '/home/ann/.local/state/piton/trust/index.json',
    '/home/ann/.agent/settings.json',
    '.agent/settings.json',
    '.agent/settings.local.json',
    '.git/hooks/post-commit',
    'linked/guard',
    'short/settings.json',
    '/proc/self/cwd/.piton/settings.json',
    '/proc/self/cwd/src/../.agent/settings.json',
    '/proc/self/root/home/ann/.agent/settings.json',
    '/proc/4712/cwd/.agent/settings.json',
    '.git/refs/piton/checkpoints/x',
  ])('of %s is seen', (file) => {
    expect(edit(file)).toMatchObject({ kind: 'place', place: file });
  });

  test.each([
    'src/index.ts',
    'docs/.piton.md',
    '.pitons/x',
    '.agent/notes.md',
    '/tmp/sample/.agent/settings.json',
    '.git/hooks/pre-push',
    '/home/ann/.config/nvim/init.lua',
    '',
  ])('of %s is not', (file) => {
    expect(edit(file)).toBeUndefined();
  });

  test('of several files is seen for any of them', () => {
    expect(edit('src/a.ts', '.piton/x')).toMatchObject({ place: '.piton/x' });
  });
});

test.each<ToolKind>(['read', 'web', 'todo', 'subagent'])('a tool of the kind %s is left alone', (kind) => {
  expect(guard(callOf({ kind, files: ['.piton/settings.json'], input: { file_path: '.piton/settings.json' } }))).toBeUndefined();
});

describe('a tool that nobody here knows', () => {
  test.each<[string, Record<string, unknown>]>([
    ['mcp__files__write_file', { path: '.piton/settings.json', content: 'x' }],
    ['mcp__files__move_file', { source: '/code/app/.piton', destination: '/tmp/x' }],
    ['mcp__files__edit', { edits: [{ path: 'a' }, { path: '.piton/x' }] }],
    ['mcp__any__frobnicate', { target: 'file:///code/app/.piton/x' }],
    ['mcp__box__run', { command: 'rm -rf .piton' }],
    ['mcp__get__delete', { path: '.piton' }],
    ['mcp__search__send', { path: '.piton' }],
    ['createOrUpdateFile', { path: '.piton/x' }],
  ])('%s is seen by what it is given', (name, input) => {
    expect(mcp(name, input)).toBeDefined();
  });

  test.each<[string, Record<string, unknown>]>([
    ['mcp__files__read_file', { path: '.piton/settings.json' }],
    ['mcp__files__list_directory', { path: '/code/app/.piton' }],
    ['searchFiles', { path: '.piton' }],
    ['mcp__files__write_file', { path: 'notes.md', content: 'see .piton/settings.json\nand more' }],
    ['mcp__chat__send', { text: 'the .piton directory is fine' }],
    ['mcp__box__run', { command: 'ls .piton' }],
  ])('%s is left alone where it only looks, or speaks of it', (name, input) => {
    expect(mcp(name, input)).toBeUndefined();
  });
});
