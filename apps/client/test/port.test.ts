import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { PluginAnswer } from '@piton/agents/plugin';
import { lastResortText, MESSAGE, message, refuseMessage } from '@piton/contracts';
import { type Places, placesOf } from '@piton/contracts/places';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openPort } from '../src/plugin/port.ts';
import { type ScriptedServer, scriptedServer, type Visit } from './scripted-server.ts';

vi.stubGlobal('PITON_VERSION', '7.8.9'); // the build defines it

let root = '';
let places: Places;
let server: ScriptedServer | undefined;

/** It says by which words it was started, and what it read. */
const FORWARDER = `#!/bin/sh
echo "$@" >>"$(dirname "$0")/starts"
[ "$1" = --serve ] || { cat >"$(dirname "$0")/stdin"; pwd >"$(dirname "$0")/cwd"; echo '{"deny":"by the forwarder"}'; }
`;
const BY_FORWARDER: PluginAnswer = { deny: 'by the forwarder' };

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-port-')));
  const version = join(root, 'home', 'runtime', '7.8.9');
  mkdirSync(version, { recursive: true, mode: 0o700 });
  symlinkSync('7.8.9', join(root, 'home', 'runtime', 'current'));
  places = placesOf(join(root, 'home'), join(root, 'config'));
  writeFileSync(places.forwarder, FORWARDER);
  chmodSync(places.forwarder, 0o755);
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await server?.close();
  server = undefined;
  rmSync(places.sockets, { recursive: true, force: true });
  rmSync(root, { recursive: true, force: true, maxRetries: 10 });
});

const play = async (script: (visit: Visit, number: number) => unknown, options = {}): Promise<void> => {
  server = await scriptedServer(places, (visit) => script(visit, server?.visits.length ?? 1), options);
};
const answer = (visit: Visit, deny: string): void => visit.done({ stdout: JSON.stringify({ deny }) });
const send = ({ timeoutMs = 20_000, variables = '-', payload = { a: 1 } as unknown } = {}): Promise<PluginAnswer> => {
  const registrations = [['opencode', 'tool.execute.before', 'user', String(timeoutMs), variables]];
  return openPort({ forwarder: places.forwarder, registrations }).send('tool.execute.before', payload, root);
};
const started = (name = 'starts'): string => {
  const file = join(places.current, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
};
const EVENT = 'opencode tool.execute.before user 20000 -\n';

describe('a plugin’s port', () => {
  it('sends the event as a frame of the agent’s process, and hands back the answer, without a process', async () => {
    vi.stubEnv('SET', 'a=b');
    vi.stubEnv('EMPTY', '');
    vi.stubEnv('PITON_DEPTH', '2');
    vi.stubEnv('PITON_RUN', 'outer');
    await play((visit) => {
      visit.ack();
      answer(visit, 'ü');
    });
    expect(await send({ variables: 'SET,EMPTY,UNSET' })).toEqual({ deny: 'ü' });
    expect(started()).toBe('');
    const { stamp, wallUs, terminal, ...frame } = server?.visits[0]?.frame ?? {};
    expect(frame).toEqual({
      agent: 'opencode',
      nativeEvent: 'tool.execute.before',
      scope: 'user',
      timeoutMs: 20_000,
      args: [],
      bootId: readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim(),
      monotonicUs: 0n,
      pid: process.pid,
      ppid: process.pid,
      depth: 2,
      run: 'outer',
      cwd: root,
      truncated: false,
      resent: false,
      runsNothing: true,
      variables: { SET: 'a=b', EMPTY: '' },
      sender: 'plugin/7.8.9',
      canary: '',
      payloadSize: 7,
      payload: Buffer.from('{"a":1}'),
    });
  });

  it('knows only the events that are registered', async () => {
    const port = openPort({ forwarder: places.forwarder, registrations: [['opencode', 'broken', 'user', 'soon', '-']] });
    await play((visit) => visit.ack());
    expect(await port.send('tool.execute.before', {}, root)).toEqual({});
    expect(await port.send('broken', {}, root)).toEqual({});
    expect(server?.visits).toEqual([]);
  });

  it.each(['a command', 'a summons'])('has a forwarder run the event where the server answers with %s', async (what) => {
    await play((visit) => {
      visit.ack();
      if (what === 'a command') void visit.run({ argv: ['/bin/touch', join(root, 'ran')] });
      else visit.socket.write(message(MESSAGE.summon));
    });
    expect(await send()).toEqual(BY_FORWARDER);
    expect([started(), started('stdin'), started('cwd')]).toEqual([EVENT, '{"a":1}', `${root}\n`]);
    expect(existsSync(join(root, 'ran'))).toBe(false);
    expect(server?.visits).toHaveLength(1);
  });

  it('has a forwarder send it where nobody listens, where the server hangs, and where it refuses', async () => {
    expect(await send()).toEqual(BY_FORWARDER);
    await play(() => undefined, { pulse: false });
    expect(await send()).toEqual(BY_FORWARDER);
    await server?.close();
    await play((visit) => visit.socket.end(refuseMessage('I read up to version 0')));
    expect(await send()).toEqual(BY_FORWARDER);
    expect(started()).toBe(EVENT.repeat(3));
  });

  it('waits for a busy server whose pulse is fresh', async () => {
    await play(async (visit) => {
      await sleep(900);
      visit.ack();
      answer(visit, 'late but there');
    });
    expect(await send()).toEqual({ deny: 'late but there' });
    expect(started()).toBe('');
  });

  it('tries once more, and marks that, when the server is lost over the event', async () => {
    await play((visit, number) => {
      visit.ack();
      if (number === 1) visit.socket.destroy();
      else answer(visit, 'second');
    });
    expect(await send()).toEqual({ deny: 'second' });
    const frames = server?.visits.map((visit) => visit.frame) ?? [];
    expect(frames.map((frame) => frame?.resent)).toEqual([false, true]);
    expect(frames[0]?.stamp).toBe(frames[1]?.stamp);
    await expect.poll(() => started()).toBe('--serve\n');
  });

  it('does not try a third time where the server had taken it', async () => {
    await play((visit) => {
      visit.ack();
      visit.socket.destroy();
    });
    expect(await send()).toEqual(BY_FORWARDER);
    expect(server?.visits).toHaveLength(2);
  });

  it('does not ask for ever where nobody takes the frame', async () => {
    await play((visit) => void visit.socket.destroy());
    expect(await send()).toEqual(BY_FORWARDER);
    expect(server?.visits).toHaveLength(4);
  });

  it.each([
    ['an unknown message', message(0x3f as 0x46)],
    ['a message that is too long', Buffer.from([MESSAGE.done, 1, 0, 0, 4])],
    ['an answer cut short', message(MESSAGE.done, Buffer.from([0, 0, 0, 0, 0, 9, 0, 0, 0]))],
  ])('takes %s for a lost connection', async (_name, bytes) => {
    await play((visit, number) => {
      visit.ack();
      if (number === 1) visit.socket.write(bytes);
      else answer(visit, 'sane again');
    });
    expect(await send()).toEqual({ deny: 'sane again' });
    expect(server?.visits).toHaveLength(2);
  });

  it('is silent before the agent gives up, and starts nothing any more', async () => {
    await play((visit) => visit.ack());
    expect(await send({ timeoutMs: 1500 })).toEqual({});
    expect(started()).toBe('');
  });

  it('then hands back the deny that is kept for it, if there is one', async () => {
    mkdirSync(join(places.home, 'last-resort'), { recursive: true });
    const denies = new Map([['opencode.tool.execute.before', '{"deny":"a guard must hold"}']]);
    writeFileSync(join(places.home, 'last-resort', 'user'), lastResortText({ root: null, denies: new Map() }));
    writeFileSync(join(places.home, 'last-resort', 'broken'), 'piton last-resort 1\n');
    writeFileSync(join(places.home, 'last-resort', 'some-project'), lastResortText({ root: '/some/project', denies }));
    await play((visit) => visit.ack());
    expect(await send({ timeoutMs: 1500 })).toEqual({ deny: 'a guard must hold' });
    await server?.close();
    rmSync(places.forwarder);
    expect(await send()).toEqual({ deny: 'a guard must hold' });
  });

  it('leaves a payload beyond 32 MiB to a forwarder', async () => {
    await play((visit) => visit.ack());
    expect(await send({ payload: 'a'.repeat(33 * 1024 * 1024) })).toEqual(BY_FORWARDER);
    expect(server?.visits).toEqual([]);
    expect(started('stdin')).toHaveLength(33 * 1024 * 1024 + 2);
  });

  it('uses no socket in a place that others can enter', async () => {
    await play((visit) => visit.ack());
    chmodSync(places.sockets, 0o755);
    expect(await send()).toEqual(BY_FORWARDER);
    expect(server?.visits).toEqual([]);
  });

  it.skipIf(process.getuid?.() !== 0)('does nothing in the home of another user', async () => {
    await play((visit) => visit.ack());
    spawnSync('chown', ['12345', places.home]);
    expect(await send()).toEqual({});
    expect([server?.visits, started()]).toEqual([[], '']);
  });
});
