import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import {
  ackMessage,
  decodeFrame,
  doneMessage,
  ENVELOPE_VERSION,
  encodeFrame,
  endMessage,
  execMessage,
  FRAME_VERSION,
  type Frame,
  MESSAGE,
  MessageReader,
  PITON_EVENTS,
  readDone,
  readExec,
  readResult,
  refuseMessage,
  resultMessage,
  upgradeEnvelope,
} from '../src/index.ts';
import { frameSchema, parseEnvelope, pitonEventSchema } from '../src/schemas/schemas.ts';

const SAMPLES = new URL('../samples/', import.meta.url);
const bytes = (name: string): Buffer => readFileSync(new URL(name, SAMPLES));
const json = (name: string): unknown => JSON.parse(bytes(name).toString('utf8'));

interface FrameSample {
  readonly header: Record<string, unknown>;
  readonly payload: string;
}
interface MessageSamples {
  readonly exec: Record<string, unknown> & { stdin: string };
  readonly result: Record<string, unknown> & { durationUs: number; stdout: string; stderr: string };
  readonly done: { exitCode: number; more: boolean; stdout: string; stderr: string };
  readonly refuse: string;
}

const releases = readdirSync(SAMPLES).filter((name) => /^\d+$/.test(name));

describe.each(releases)('the samples of release %s', (release) => {
  it('hold an envelope that is read today', () => {
    const sample = json(`${release}/envelope.json`) as Record<string, unknown>;
    const upgraded = upgradeEnvelope(sample);
    expect(upgraded).toMatchObject({ ok: true, value: { schemaVersion: ENVELOPE_VERSION, payload: sample.payload } });
    expect(parseEnvelope(sample)).toMatchObject({ ok: true });
  });

  it('hold each of Piton’s own events as it is written today', () => {
    const samples = json(`${release}/own-events.json`) as { event: string }[];
    for (const sample of samples) expect(pitonEventSchema.parse(sample)).toEqual(sample);
    expect(samples.map(({ event }) => event).sort()).toEqual([...PITON_EVENTS].sort());
  });

  it('hold a frame that is read today', () => {
    const sample = json(`${release}/frame.json`) as FrameSample;
    const read = decodeFrame(bytes(`${release}/frame.bin`));
    if (!read.ok) throw new Error(read.error);
    const { payload, ...header } = read.frame;
    expect(payload.toString('utf8')).toBe(sample.payload);
    expect({ ...header, wallUs: Number(header.wallUs), monotonicUs: Number(header.monotonicUs) }).toEqual(sample.header);
    expect(frameSchema.parse(sample.header)).toEqual(sample.header);
  });

  it('hold messages that are read today', () => {
    const sample = json(`${release}/messages.json`) as MessageSamples;
    const read = new MessageReader().push(bytes(`${release}/messages.bin`));
    const bodies = new Map(read.map((event) => (event.kind === 'message' ? [event.type, event.body] : [0, Buffer.alloc(0)])));
    expect(read.map((event) => (event.kind === 'message' ? String.fromCharCode(event.type) : event.error)).join('')).toBe('KERDZX');
    const body = (type: number): Buffer => bodies.get(type) ?? Buffer.alloc(0);
    const exec = readExec(body(MESSAGE.exec));
    expect({ ...exec, stdin: String(exec.stdin) }).toEqual(sample.exec);
    const result = readResult(body(MESSAGE.result));
    expect({ ...result, durationUs: Number(result.durationUs), stdout: String(result.stdout), stderr: String(result.stderr) }).toEqual(
      sample.result,
    );
    const done = readDone(body(MESSAGE.done));
    expect({ ...done, stdout: String(done.stdout), stderr: String(done.stderr) }).toEqual(sample.done);
    expect(body(MESSAGE.refuse).toString('utf8')).toBe(sample.refuse);
  });
});

describe('what this release writes', () => {
  it('is byte for byte the sample frame', () => {
    const { header, payload } = json(`${FRAME_VERSION}/frame.json`) as FrameSample;
    const frame = {
      ...header,
      wallUs: BigInt(header.wallUs as number),
      monotonicUs: BigInt(header.monotonicUs as number),
      payload: Buffer.from(payload),
    } as unknown as Frame;
    expect(encodeFrame(frame).equals(bytes(`${FRAME_VERSION}/frame.bin`))).toBe(true);
  });

  it('is byte for byte the sample messages', () => {
    const { exec, result, done, refuse } = json(`${FRAME_VERSION}/messages.json`) as MessageSamples;
    const written = Buffer.concat([
      ackMessage(true),
      execMessage({ ...(exec as unknown as Parameters<typeof execMessage>[0]), stdin: Buffer.from(exec.stdin) }),
      resultMessage({
        ...(result as unknown as Parameters<typeof resultMessage>[0]),
        durationUs: BigInt(result.durationUs),
        stdout: Buffer.from(result.stdout),
        stderr: Buffer.from(result.stderr),
      }),
      doneMessage(done),
      endMessage(),
      refuseMessage(refuse),
    ]);
    expect(written.equals(bytes(`${FRAME_VERSION}/messages.bin`))).toBe(true);
  });
});
