import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { countsOf, isStopped } from './corpus/counts.ts';
import { type Row, rowsOf } from './corpus/rows.ts';
import { worldAt } from './corpus/world.ts';

/** Thousands of small files that nobody reads twice: in memory, where that is there. */
const base = realpathSync(mkdtempSync(join(existsSync('/dev/shm') ? '/dev/shm' : tmpdir(), 'piton-corpus-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const world = worldAt(base);
const attacks = rowsOf('attacks');
const harmless = rowsOf('harmless');
const shown = ({ class: name, command }: Row): string => `${name}: ${command}`;
const share = (some: readonly unknown[], all: readonly unknown[]): string => `${some.length} of ${all.length}`;

describe('the corpus of commands', () => {
  test('holds several hundred rows a side, a third of them written after the rules', () => {
    for (const rows of [attacks, harmless]) {
      expect(rows.length).toBeGreaterThan(600);
      expect(rows.filter(({ isLater }) => isLater).length).toBeGreaterThan(rows.length / 3);
    }
  });

  test('at least 95 % of the attacks are stopped, in every class', () => {
    const missed = attacks.filter((row) => !isStopped(world, row));
    console.log('missed:', share(missed, attacks), missed.slice(0, 20).map(shown));
    for (const { class: name, rows, stopped } of countsOf('attacks', world)) expect(stopped / rows, name).toBeGreaterThanOrEqual(0.95);
  });

  test('nothing harmless is in the way', () => {
    const hit = harmless.filter((row) => isStopped(world, row));
    console.log('in the way:', share(hit, harmless));
    expect(hit.map(shown)).toEqual([]);
  });
});

/** Some rows, the same each time; `ALL_ROWS=1` for all of them, which takes minutes. */
const chosen = (rows: readonly Row[], step: number): Row[] =>
  process.env.ALL_ROWS !== undefined
    ? rows.filter(({ isRun }) => isRun)
    : rows.filter(({ isRun, isFirst }) => isRun && isFirst).filter((_, at) => at % step === 0);

/** What needs a program that is not installed here shows nothing. */
const NEEDS = /\b(?:busybox|rsync|yq|zip)\b/;

describe('a real shell agrees with the corpus', () => {
  test('an attack changes something of ours', { timeout: 600_000 }, () => {
    const rows = chosen(attacks, 3).filter(({ command }) => !NEEDS.test(command));
    expect(rows.length).toBeGreaterThan(80);
    expect(rows.filter(({ command }) => !world.changes(command)).map(shown)).toEqual([]);
  });

  test('a harmless command does not', { timeout: 600_000 }, () => {
    const rows = chosen(harmless, 4).filter(({ class: name, command }) => /^reading|^work/.test(name) && !STARTS_MORE.test(command));
    expect(rows.length).toBeGreaterThan(50);
    expect(rows.filter(({ command }) => world.changes(command)).map(shown)).toEqual([]);
  });
});

/** Not to be run in a test: they ask the network, or start what stays. */
const STARTS_MORE =
  /https?:|\b(?:npm|npx|pip|docker|ssh|scp|gh|tmux|cargo|go|watch|kubectl|terraform|psql|sudo|gpg|vim|view|less|more|inotifywait|tail -f|fuser|strace|gron|fx|bat|venv|push|pull|fetch|worktree|rebase|git commit|git add|gradlew)\b/;
