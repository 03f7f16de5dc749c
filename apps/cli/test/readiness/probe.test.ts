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

/** Like an app server: it answers some time after the request, and exits when stdin closes, answered or not. */
const SERVER = 'read q; (sleep 0.05; echo "answer to $q") & while read more; do :; done; kill $! 2>/dev/null; exit 0';

describe('a probe of the agent’s program', () => {
  it('keeps stdin open until the output is complete', async () => {
    expect(await ask(SERVER, /answer/)).toBe('answer to question\n');
  });
  it('waits until there is no more output if nothing marks the end', async () => {
    expect(await ask(SERVER)).toBe('answer to question\n');
  });
  it('runs in the given directory and environment', async () => {
    expect(await ask('pwd -P; echo $HOME')).toBe(`${place}\n${process.env.HOME}\n`);
  });
  it('returns null for a program that is missing, fails, or does not end in time', async () => {
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
