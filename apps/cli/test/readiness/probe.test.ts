import { mkdtempSync, readFileSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { runProbe } from '../../src/readiness/probe.ts';

let place: string;
beforeEach(() => {
  place = realpathSync(mkdtempSync(join(tmpdir(), 'piton-probe-')));
});
afterEach(() => rmSync(place, { recursive: true, force: true }));

const ask = (script: string, until?: RegExp, limitMs?: number) =>
  runProbe({ argv: ['/bin/sh', '-c', script], stdin: 'question\n', ...(until && { until }) }, place, process.env, limitMs);

/** As an app server does: it answers a while after the question, and ends with its input, answered or not. */
const SERVER = 'read q; (sleep 0.05; echo "answer to $q") & while read more; do :; done; kill $! 2>/dev/null; exit 0';

describe('asking a program of the agent’s', () => {
  it('keeps its input open until it has said enough', async () => {
    expect(await ask(SERVER, /answer/)).toBe('answer to question\n');
  });
  it('waits for its silence where it does not say what is enough', async () => {
    expect(await ask(SERVER)).toBe('answer to question\n');
  });
  it('is told the directory and the environment', async () => {
    expect(await ask('pwd -P; echo $HOME')).toBe(`${place}\n${process.env.HOME}\n`);
  });
  it('gets nothing from a program that is not there, that fails, or that does not end in time', async () => {
    expect(await runProbe({ argv: [join(place, 'nobody')], stdin: '' }, place, {})).toBeNull();
    expect(await ask('exit 3')).toBeNull();
    expect(await ask('sleep 60', undefined, 200)).toBeNull();
  });
  it('leaves no process behind', async () => {
    expect(await ask('sleep 60 & echo $! > pid; echo here; wait', /here/)).toBe('here\n');
    const pid = Number(readFileSync(join(place, 'pid'), 'utf8'));
    await expect.poll(() => alive(pid)).toBe(false);
  });
});

function alive(pid: number): boolean {
  try {
    return !readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}
