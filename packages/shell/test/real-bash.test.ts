import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { type Call, hasGlob, isUncertain, walkCommand } from '../src/index.ts';
import { PREAMBLE, script } from './generated-scripts.ts';
import { type Run, runAll } from './real-bash.ts';

const base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-shell-')));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const RUNS = Number(process.env.RUNS ?? 600);
/** The same every day; `SEED` and `RUNS` for more of them. */
const seed = Number(process.env.SEED ?? 13);

/** A file that holds another command's output has a name that only the run tells. */
const isKnown = (word: string): boolean => !isUncertain(word) && !hasGlob(word) && !word.startsWith('/dev/fd/');
const isCertain = ({ args, stdin = '' }: Call): boolean => [...args, stdin].every(isKnown);
const isSame = ({ words, input }: Run['calls'][number], { args, stdin }: Call): boolean =>
  words.length === args.length &&
  words.every((word, at) => word === args[at]) &&
  (input === undefined || stdin === undefined || stdin === input || `${stdin}\n` === input);

test(`the words of a command are those that bash passes, or said to be unknown (seed ${seed})`, { timeout: 300_000 }, () => {
  const scripts = fc.sample(script, { numRuns: RUNS, seed }).map((each) => PREAMBLE + each);
  const runs = runAll(scripts, base);
  const count = { equal: 0, unknown: 0, refused: 0, written: 0 };
  const wrong: { readonly script: string; readonly bash: unknown; readonly read: unknown }[] = [];
  for (const [at, text] of scripts.entries()) {
    const { calls, written } = runs[at] as (typeof runs)[number];
    const cwd = join(base, String(at).padStart(6, '0'), 'work');
    const walked = walkCommand(text, { cwd, home: '/home/ann' });
    const read = walked.calls.filter(({ program }) => program === 'stub' || program === 'fed');
    const blame = (bash: unknown): void =>
      void wrong.push({ script: text.slice(PREAMBLE.length), bash, read: read.map(({ args }) => args) });
    if (calls.length === 0) count.refused++;
    // Each call that bash made is one that was read, or one of which not all words are known.
    const left = [...read];
    const unmatched = calls.filter((call) => {
      const same = left.findIndex((each) => isSame(call, each));
      if (same >= 0) left.splice(same, 1);
      return same < 0;
    });
    const open = left.filter((each) => !isCertain(each)).length;
    count.equal += calls.length - unmatched.length;
    count.unknown += Math.min(open, unmatched.length);
    if (unmatched.length > open) blame(unmatched);
    const writes = walked.calls.flatMap((each) => each.writes);
    if (calls.length === 0 || !writes.every(isKnown)) continue;
    for (const name of written)
      if (writes.includes(name)) count.written++;
      else blame({ written: name, writes });
  }
  console.log(`${RUNS} scripts, seed ${seed}:`, { ...count, wrong: wrong.length });
  expect(wrong.sort((one, other) => one.script.length - other.script.length).slice(0, 5)).toEqual([]);
  // Else nothing was tried.
  expect(count.equal).toBeGreaterThan(RUNS / 3);
});
