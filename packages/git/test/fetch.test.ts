import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { withFetchedCommit } from '../src/index.ts';

function repository(files: number, bytes: number): string {
  const path = mkdtempSync(join(tmpdir(), 'piton-fetched-'));
  onTestFinished(() => rmSync(path, { recursive: true, force: true }));
  const git = (...args: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=Sam', '-c', 'user.email=sam@example.com', '-c', 'commit.gpgsign=false', ...args], { cwd: path });
  git('init', '-q');
  for (let at = 0; at < files; at++) writeFileSync(join(path, `file-${at}`), randomBytes(bytes));
  git('add', '-A');
  git('commit', '-q', '-m', 'Files');
  return path;
}

// Git keeps a fetch of few objects otherwise than one of many.
it.each([
  [1, 400_000],
  [150, 3000],
])('a commit of %i files is not fetched where it is larger than was asked for', async (files, bytes) => {
  const url = `file://${repository(files, bytes)}`;
  const fetch = (mostBytes: number) =>
    withFetchedCommit(
      { environment: process.env },
      { url, ref: undefined, protocols: ['file'], mostBytes },
      async ({ entries }) => entries.length,
    );
  expect(await fetch(1_000_000)).toEqual({ ok: true, value: files });
  expect(await fetch(100_000)).toEqual({ ok: false, why: expect.stringContaining('larger') });
});
