import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type HookReading, readLoneHook, settingPosition } from '../../src/index.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'piton-lone-'));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const READING: HookReading = {
  parseSettings: (text) => ({ value: JSON.parse(text), errors: [] }),
  parseArtifact: (text) => ({ entry: JSON.parse(text), errors: [] }),
};
const write = (path: string, text: string, mode = 0o644): string => {
  const at = join(root, path);
  mkdirSync(dirname(at), { recursive: true });
  writeFileSync(at, text);
  chmodSync(at, mode);
  return at;
};
const read = (path: string, event?: 'stop') => readLoneHook(path, READING, event);

describe('a hook by its path alone', () => {
  it('is an executable: its directory names the event, or whoever asks does', () => {
    const inPlace = write('hooks/pre-tool-use/10-guard', '#!/bin/sh\n', 0o755);
    const loose = write('guard', '#!/bin/sh\n', 0o755);
    expect(read(inPlace)).toMatchObject({
      ok: true,
      hook: { name: '10-guard', event: 'pre_tool_use', argv: [inPlace], status: { kind: 'ready' } },
    });
    expect(read(loose, 'stop')).toMatchObject({ ok: true, hook: { event: 'stop' } });
    expect(read(loose)).toMatchObject({ ok: false, problem: expect.stringContaining('name the event') });
  });

  it('shows as not executable where it is not', () => {
    expect(read(write('stop/10-x', '#!/bin/sh\n'))).toMatchObject({ ok: true, hook: { status: { kind: 'not-executable' } } });
  });

  it('is an artifact, by its folder or its ARTIFACT.md', () => {
    const file = write('guard/ARTIFACT.md', JSON.stringify({ event: 'stop', command: 'true' }));
    for (const path of [file, dirname(file)])
      expect(read(path)).toMatchObject({
        ok: true,
        hook: { name: 'guard', event: 'stop', folder: dirname(file), env: { PITON_ARTIFACT_DIR: dirname(file) } },
      });
  });

  it('is a setting, by its name behind the file; the name is not needed where there is one', () => {
    const one = write('one.json', JSON.stringify({ hooks: [{ name: 'a', event: 'stop', command: 'true' }] }));
    const two = write('two.json', JSON.stringify({ hooks: ['a', 'b'].map((name) => ({ name, event: 'stop', command: 'true' })) }));
    expect(read(one)).toMatchObject({ ok: true, hook: { name: 'a' } });
    expect(read(`${two}#b`)).toMatchObject({ ok: true, hook: { name: 'b' } });
    expect(read(two)).toMatchObject({ ok: false, problem: expect.stringContaining('a, b: name ') });
  });

  it('is none: that is said', () => {
    mkdirSync(join(root, 'empty'));
    expect(read(join(root, 'gone'))).toMatchObject({ ok: false });
    expect(read(join(root, 'empty'))).toMatchObject({ ok: false, problem: expect.stringContaining('no ARTIFACT.md') });
  });
});

describe('the place of a hook in the list of its settings', () => {
  const hooks = [
    'nothing',
    { event: 'stop', command: 'x' },
    { name: 'a', event: 'stop', command: 'x' },
    { name: 'a', event: 'stop', command: 'y' },
  ];

  it('is found by the name that it has or was given, past what is no hook', () => {
    expect(['stop-2', 'a', 'a#2', 'b'].map((name) => settingPosition({ hooks }, name))).toEqual([1, 2, 3, undefined]);
  });
});
