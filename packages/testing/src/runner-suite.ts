import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Exec, ExecResult } from '@piton/contracts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ANSWERS } from './runner-cases/answers.ts';
import { PROGRAMS, type RunnerCase } from './runner-cases/case.ts';
import { ENDS } from './runner-cases/ends.ts';
import { STARTS } from './runner-cases/starts.ts';
import { STREAMS } from './runner-cases/streams.ts';
import { INHERITED, SURROUNDINGS } from './runner-cases/surroundings.ts';
import { TREES } from './runner-cases/trees.ts';

const CHAPTERS: Readonly<Record<string, readonly RunnerCase[]>> = {
  'what a command answers': ANSWERS,
  'its streams': STREAMS,
  'its end': ENDS,
  'its descendants': TREES,
  'its surroundings': SURROUNDINGS,
  'its start': STARTS,
};

export type Runner = (exec: Exec) => Promise<ExecResult>;

/**
 * The same programs for every runner, with the same results. Call it at the top of a test file. Each has a directory of
 * its own and mostly waits for a time limit, so that some run at once.
 */
export function runnerSuite(name: string, run: Runner): void {
  describe(name, { concurrent: true }, () => {
    const before: Record<string, string | undefined> = {};
    beforeAll(() => {
      for (const key of Object.keys(INHERITED)) before[key] = process.env[key];
      Object.assign(process.env, INHERITED);
    });
    afterAll(() => {
      for (const [key, value] of Object.entries(before)) {
        if (value === undefined) delete process.env[key];
        else process.env[key] = value;
      }
    });
    for (const [chapter, cases] of Object.entries(CHAPTERS)) {
      describe(chapter, () => {
        for (const one of cases) it.skipIf(one.linuxOnly && process.platform !== 'linux')(one.it, () => check(one, run));
      });
    }
  });
}

async function check(one: RunnerCase, run: Runner): Promise<void> {
  const cwd = realpathSync(mkdtempSync(join(tmpdir(), 'runner-suite-')));
  let child: number | undefined;
  try {
    const exec = execOf(one, cwd);
    const result = await run(exec);
    child = childOf(cwd);
    expect(comparable(result, one)).toEqual(wanted(one, exec.id, cwd));
    for (const [file, text] of Object.entries(one.files ?? {})) expect(readFileSync(join(cwd, file), 'utf8')).toBe(text);
    if (one.child !== undefined) expect(await resultOf(child, one.child)).toBe(one.child);
  } finally {
    if (child !== undefined && isAlive(child)) process.kill(child, 'SIGKILL');
    rmSync(cwd, { recursive: true, force: true });
  }
}

const MEBIBYTES_4 = 4 * 1024 * 1024;
let lastId = 0;

const execOf = (one: RunnerCase, cwd: string): Exec => ({
  id: ++lastId,
  timeoutMs: 20_000,
  stdoutCap: MEBIBYTES_4,
  stderrCap: MEBIBYTES_4,
  argv: [join(PROGRAMS, one.program), ...(one.args ?? [])],
  cwd,
  set: {},
  unset: [],
  stdin: Buffer.alloc(0),
  ...one.exec,
});

/** Bytes as latin1: one character each, whatever they are. */
const comparable = (result: ExecResult, one: RunnerCase): object => ({
  id: result.id,
  exitCode: result.exitCode,
  timedOut: result.timedOut,
  stdoutCut: result.stdoutCut,
  stderrCut: result.stderrCut,
  notStarted: result.notStarted,
  stdout: brief(result.stdout.toString('latin1')),
  stderr: one.expected.stderr instanceof RegExp ? result.stderr.toString() : brief(result.stderr.toString('latin1')),
});

function wanted(one: RunnerCase, id: number, cwd: string): object {
  const { stdout = '', stderr = '', ...rest } = one.expected;
  const latin1 = (value: string | Buffer): string =>
    Buffer.from(typeof value === 'string' ? value.replace('{cwd}', cwd) : value).toString('latin1');
  return {
    id,
    exitCode: 0,
    timedOut: false,
    stdoutCut: false,
    stderrCut: false,
    notStarted: false,
    ...rest,
    stdout: brief(latin1(stdout)),
    stderr: stderr instanceof RegExp ? expect.stringMatching(stderr) : brief(latin1(stderr)),
  };
}

/** Shortens a long text of one repeated character: a failure message of ten megabytes helps nobody. */
function brief(text: string): string {
  const first = text[0];
  if (text.length < 1000 || first === undefined || text.replaceAll(first, '') !== '') return text;
  return `${text.length} × ${first}`;
}

function childOf(cwd: string): number | undefined {
  try {
    return Number(readFileSync(join(cwd, 'child.pid'), 'utf8')) || undefined;
  } catch {
    return undefined;
  }
}

async function resultOf(child: number | undefined, expected: RunnerCase['child']): Promise<RunnerCase['child'] | 'never seen'> {
  if (child === undefined) return 'never seen';
  if (expected === 'left alone') return isAlive(child) ? 'left alone' : 'killed';
  for (let tries = 0; isAlive(child) && tries < 600; tries++) await sleep(50);
  return isAlive(child) ? 'left alone' : expected;
}

/** A zombie is dead. Its parent has not reaped it yet. */
function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    return stat[stat.lastIndexOf(')') + 2] !== 'Z';
  } catch {
    return true;
  }
}
