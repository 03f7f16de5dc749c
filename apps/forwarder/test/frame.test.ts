import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isUlid, PAYLOAD_LIMIT, ulidTime } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BINARIES, createForwarderHome, type ForwarderHome } from './home.ts';
import { frameOf } from './scripted-server.ts';
import { option, silence } from './spawned.ts';

describe.each(BINARIES)('the frame of $build', ({ binary }) => {
  const path = binary();
  let home: ForwarderHome;
  beforeEach(() => {
    home = createForwarderHome(path);
  });
  afterEach(() => home.remove());

  it('holds the event as the agent gave it, and where and when that was', async () => {
    const payload = '{"session_id":"s","tool_name":"Bash","tool_input":{"command":"ls"}}';
    const env = {
      PATH: '/bin',
      EMPTY: '',
      CLAUDE_PROJECT_DIR: '/p=q',
      PITON_DEPTH: '2',
      PITON_RUN: 'run-1',
      PITON_CANARY: 'c-1',
      OTHER: 'x',
    };
    const before = Date.now();
    const beforeUs = process.hrtime.bigint() / 1000n;
    const { frame, pid, ended } = await frameOf(home, {
      agent: 'gemini',
      nativeEvent: 'BeforeTool',
      scope: 'project',
      timeoutMs: 60_000,
      variables: 'CLAUDE_PROJECT_DIR,MISSING,EMPTY',
      args: ['first', '', 'tŵo words'],
      stdin: payload,
      env,
    });
    expect(ended).toEqual(silence);
    const { stamp, wallUs, monotonicUs, ...rest } = frame;
    expect(rest).toEqual({
      agent: 'gemini',
      nativeEvent: 'BeforeTool',
      scope: 'project',
      timeoutMs: 60_000,
      args: ['first', '', 'tŵo words'],
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      pid,
      ppid: process.pid,
      depth: 2,
      run: 'run-1',
      cwd: home.root,
      terminal: canOpenTerminal(),
      truncated: false,
      resent: false,
      variables: { CLAUDE_PROJECT_DIR: '/p=q', EMPTY: '' },
      sender: `forwarder/${(await option(home, '--version')).stdout.trim()}`,
      canary: 'c-1',
      payloadSize: payload.length,
      payload: Buffer.from(payload),
    });
    expect(isUlid(stamp)).toBe(true);
    expect(ulidTime(stamp)).toBe(Number(wallUs / 1000n));
    expect(Number(wallUs / 1000n)).toBeGreaterThanOrEqual(before);
    expect(Number(wallUs / 1000n)).toBeLessThanOrEqual(Date.now());
    expect(monotonicUs).toBeGreaterThanOrEqual(beforeUs);
    expect(monotonicUs).toBeLessThanOrEqual(process.hrtime.bigint() / 1000n);
  });

  it('names no variable, no canary, no run and depth 0 where there is none', async () => {
    const { frame } = await frameOf(home, { env: {}, stdin: '{}' });
    expect(frame).toMatchObject({ variables: {}, canary: '', run: '', depth: 0, args: [] });
  });

  it('gets another stamp each time, in the order of time', async () => {
    const stamps: string[] = [];
    for (let i = 0; i < 5; i++) stamps.push((await frameOf(home, { stdin: '{}' })).frame.stamp);
    expect(new Set(stamps).size).toBe(5);
    const times = stamps.map((stamp) => stamp.slice(0, 10));
    expect([...times].sort()).toEqual(times);
  });

  it('comes without a HOME and without any variable at all', async () => {
    const { frame, ended } = await frameOf(home, { env: {}, stdin: '{}' });
    expect(ended).toEqual(silence);
    expect(frame.payload.toString()).toBe('{}');
  });

  it('has an empty cwd when the directory is gone', async () => {
    const gone = mkdtempSync(join(tmpdir(), 'piton-gone-'));
    const registration = `'${home.forwarder}' claude Stop user 20000 -`;
    const { frame } = await frameWhile(home, () =>
      execFileSync('/bin/sh', ['-c', `rmdir '${gone}'; printf '{}' | ${registration}`], { cwd: gone }),
    );
    expect(frame.cwd).toBe('');
    expect(() => rmdirSync(gone)).toThrow();
  });

  it('has the real directory, not the link that led there', async () => {
    mkdirSync(join(home.root, 'real dir'));
    symlinkSync('real dir', join(home.root, 'link'));
    const { frame } = await frameOf(home, { cwd: join(home.root, 'link'), stdin: '{}' });
    expect(frame.cwd).toBe(join(home.root, 'real dir'));
  });

  it('carries bytes that are no UTF-8, and NULs, as they are', async () => {
    const bytes = Buffer.from([0x7b, 0xff, 0xfe, 0, 0x22, 0xc3, 0x28, 0x7d]);
    expect((await frameOf(home, { stdin: bytes })).frame.payload).toEqual(bytes);
  });

  it('passes 32 MiB whole', async () => {
    const payload = Buffer.alloc(PAYLOAD_LIMIT, 0x61);
    payload.write('begin');
    payload.write('end', PAYLOAD_LIMIT - 3);
    const { frame } = await frameOf(home, { stdin: payload });
    expect(frame.payload.equals(payload)).toBe(true);
    expect(frame).toMatchObject({ truncated: false, payloadSize: PAYLOAD_LIMIT });
  });

  it('cuts 33 MiB at 32, reads the rest and says how much there was', async () => {
    const payload = Buffer.alloc(33 * 1024 * 1024, 0x62);
    const { frame, ended } = await frameOf(home, { stdin: payload });
    expect(ended).toEqual(silence);
    expect(frame.payload.length).toBe(PAYLOAD_LIMIT);
    expect(frame).toMatchObject({ truncated: true, payloadSize: payload.length });
  });
});

/** As frameOf, for an event that the callback fires itself; it may block. */
async function frameWhile(home: ForwarderHome, fire: () => void): Promise<{ frame: { cwd: string } }> {
  home.setBackoff(Date.now() + 60_000); // nobody listens while we block: the frame is found in the journal
  fire();
  const [read] = home.frames();
  if (!read?.ok) throw new Error(read?.error ?? 'no frame');
  return { frame: read.frame };
}

function canOpenTerminal(): boolean {
  try {
    execFileSync('/bin/sh', ['-c', ': </dev/tty'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}
