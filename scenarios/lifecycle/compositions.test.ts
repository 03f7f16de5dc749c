import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { encodeFrame, type Frame, MAGIC, MESSAGE, MessageReader, message, monotonicUs, readDone, registrationArgs } from '@piton/contracts';
import { ask, createTestHome, removeHome, runPiton, type TestHome } from '@piton/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type Answer, CASES, type Case, type Left } from './cases.ts';

const STAMP = '01ARZ3NDEKTSV4RRFFQ69G5FAV';

let home: TestHome;
beforeAll(async () => {
  home = createTestHome();
  writeFileSync(join(home.work, 'README.md'), '');
  await run([home.places.forwarder, ...lineOf('claude', 'SessionStart')], JSON.stringify({ hook_event_name: 'SessionStart' }));
});
afterAll(() => removeHome(home));

const lineOf = (agent: string, nativeEvent: string): string[] =>
  registrationArgs({ agent, nativeEvent, scope: 'user', timeoutMs: 60_000, variables: [] });
const env = () => ({ PATH: process.env.PATH ?? '', HOME: home.root, PITON_HOME: home.root, PITON_ALLOW_UNDER_AGENT: '1' });

function run([command = '', ...args]: readonly string[], stdin: string | Buffer): Promise<{ code: number | null; stdout: string }> {
  const child = spawn(command, args, { cwd: home.work, env: env(), stdio: ['pipe', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (data) => (stdout += data));
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on('close', (code) => resolve({ code, stdout })));
}

const parsed = (stdout: string): Answer => (stdout === '' ? undefined : (JSON.parse(stdout) as object));

function frameOf({ agent = 'claude', nativeEvent = 'PreToolUse', payload, frame }: Case): Frame {
  const given = payload(home.work);
  const bytes = Buffer.from(typeof given === 'string' ? given : JSON.stringify(given));
  return {
    ...{ agent, nativeEvent, scope: 'user', timeoutMs: 60_000, args: [], stamp: STAMP, bootId: 'b', wallUs: 1n },
    ...{ monotonicUs: monotonicUs(), pid: 1, ppid: 1, depth: 0, run: '', cwd: home.work, terminal: false, truncated: false, resent: false },
    ...{ variables: {}, sender: 'test', canary: '', payloadSize: bytes.length, payload: bytes, ...frame },
  };
}

/** Through the forwarder, as an agent fires it; or, where no forwarder would send such a frame, as a plugin does. */
async function byServer(one: Case): Promise<Answer> {
  if (one.frame !== undefined) return parsed(await byPlugin({ ...frameOf(one), runsNothing: true }));
  const { agent, nativeEvent, payload } = frameOf(one);
  return parsed((await run([home.places.forwarder, ...lineOf(agent, nativeEvent)], payload)).stdout);
}

function byPlugin(frame: Frame): Promise<string> {
  const socket = connect(home.places.hookSocket);
  const reader = new MessageReader();
  socket.write(Buffer.concat([MAGIC, message(MESSAGE.frame, encodeFrame(frame))]));
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('data', (bytes: Buffer) => {
      for (const event of reader.push(bytes)) {
        if (event.kind !== 'message' || event.type !== MESSAGE.done) continue;
        socket.destroy();
        resolve(Buffer.from(readDone(event.body).stdout).toString());
      }
    });
  });
}

/** `piton hooks test`, on the event as a case. */
async function byRehearsal({ agent = 'claude', nativeEvent = 'PreToolUse', payload }: Case): Promise<Answer> {
  const file = join(home.root, 'case.json');
  const given = { name: 'it', agent, event: 'pre_tool_use', native_event: nativeEvent, payload: payload(home.work), cwd: home.work };
  writeFileSync(file, JSON.stringify({ ...given, expect: { decision: 'observe' } }));
  const { stdout } = await runPiton(['hooks', 'test', 'lifecycle', '--case', file, '--here', '--json'], { cwd: home.work, env: env() });
  const { results } = JSON.parse(stdout) as { results: { answer: { stdout: string } }[] };
  return parsed(results[0]?.answer.stdout ?? '');
}

/** The program that the forwarder starts where no server answers, on the frame that it left in the journal. */
async function byStandIn(one: Case): Promise<Answer> {
  const frame = frameOf(one);
  const file = join(home.root, 'one.frame');
  writeFileSync(file, Buffer.concat([MAGIC, encodeFrame(frame)]));
  const program = join(home.places.current, 'client.cjs');
  const line = [process.execPath, program, '--fallback', file, ...lineOf(frame.agent, frame.nativeEvent)];
  const { code, stdout } = await run(line, '');
  expect([0, 1]).toContain(code);
  return code === 0 ? parsed(stdout) : undefined;
}

/** The hook of the case is the only one, for the server as for what it writes down for the time without one. */
async function setUp({ hook, module }: Case): Promise<void> {
  mkdirSync(home.places.config, { recursive: true });
  if (module !== undefined) writeFileSync(join(home.places.config, 'lifecycle.mjs'), module);
  const settings = { hooks: [{ name: 'lifecycle', event: 'pre_tool_use', fail_closed: true, ...hook }] };
  writeFileSync(join(home.places.config, 'settings.json'), JSON.stringify(settings));
  expect((await ask(home, 'POST', '/v1/reload'))?.status).toBe(200);
}

const isLeft = (expected: Answer | Left): expected is Left => expected !== undefined && 'left' in expected;

describe.each(CASES)('$name', (one) => {
  beforeEach(() => setUp(one));
  it('by the server', async () => expect(await byServer(one)).toEqual(one.answer));
  const rehearsed = 'rehearsal' in one ? one.rehearsal : one.answer;
  if (!isLeft(rehearsed)) it('by a rehearsal', async () => expect(await byRehearsal(one)).toEqual(rehearsed));
  const { answer, why } = one.standIn ?? { answer: one.answer, why: undefined };
  it(why === undefined ? 'by the stand-in' : `by the stand-in: ${why}`, async () => expect(await byStandIn(one)).toEqual(answer));
});
