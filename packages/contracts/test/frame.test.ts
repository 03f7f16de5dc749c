import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrame, encodeFrame, type Frame, readFrameFile, ulid } from '../src/index.ts';

const text = fc.string({ unit: 'binary' });
const someText = fc.string({ unit: 'binary', minLength: 1 });
const u32 = fc.nat({ max: 0xffff_ffff });
const u64 = fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn });
const variableName = fc.string({ unit: fc.constantFrom(...'ABCXYZ_019'), minLength: 1 });

const frames: fc.Arbitrary<Frame> = fc.record({
  agent: someText,
  nativeEvent: someText,
  scope: text,
  timeoutMs: u32,
  args: fc.array(text),
  stamp: fc
    .tuple(fc.nat({ max: 2 ** 48 - 1 }), fc.uint8Array({ minLength: 10, maxLength: 10 }))
    .map(([time, random]) => ulid(time, random)),
  bootId: text,
  wallUs: u64,
  monotonicUs: u64,
  pid: u32,
  ppid: u32,
  depth: u32,
  run: text,
  cwd: text,
  terminal: fc.boolean(),
  truncated: fc.boolean(),
  resent: fc.boolean(),
  variables: fc.dictionary(variableName, text, { noNullPrototype: true }),
  sender: text,
  canary: text,
  payloadSize: fc.nat(),
  payload: fc.uint8Array().map((bytes) => Buffer.from(bytes)),
});

const field = (tag: number, value: string | Buffer): Buffer => {
  const body = Buffer.from(value as string);
  const head = Buffer.alloc(5);
  head.writeUInt8(tag);
  head.writeUInt32LE(body.length, 1);
  return Buffer.concat([head, body]);
};
const STAMP = '01KA4T3Z5Y8Q2W6E9R0TABCDEF';
const smallest = [field(1, 'claude'), field(2, 'Stop'), field(6, STAMP)];

describe('a frame', () => {
  it('comes back as it was sent, whatever is in it', () => {
    fc.assert(
      fc.property(frames, (frame) => {
        expect(decodeFrame(encodeFrame(frame))).toEqual({ ok: true, frame });
      }),
    );
  });

  it('is refused, never thrown at, when its bytes are random', () => {
    fc.assert(fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => typeof decodeFrame(bytes).ok === 'boolean'));
  });

  it('is refused or read, never thrown at, when its bytes are damaged', () => {
    fc.assert(
      fc.property(frames, fc.nat(), fc.nat({ max: 255 }), fc.nat(), (frame, at, value, cut) => {
        const bytes = encodeFrame(frame);
        bytes[at % bytes.length] = value;
        expect(typeof decodeFrame(bytes.subarray(0, cut % (bytes.length + 1))).ok).toBe('boolean');
      }),
    );
  });

  it('is refused when it is cut inside any of its fields', () => {
    const fields = [...smallest, field(32, '{"a":1}')];
    const whole = Buffer.concat(fields);
    const ends = fields.map((_, at) => Buffer.concat(fields.slice(0, at + 1)).length);
    for (let cut = 1; cut < whole.length; cut++) {
      if (ends.includes(cut)) continue;
      expect(decodeFrame(whole.subarray(0, cut))).toMatchObject({ ok: false, error: expect.stringContaining('cut short') });
    }
  });

  it('needs no more than its registration and its stamp', () => {
    expect(decodeFrame(Buffer.concat(smallest))).toMatchObject({
      ok: true,
      frame: {
        agent: 'claude',
        nativeEvent: 'Stop',
        stamp: STAMP,
        scope: 'user',
        timeoutMs: 0,
        args: [],
        variables: {},
        payloadSize: 0,
        depth: 0,
      },
    });
  });

  it('without agent, native event or stamp is refused by name', () => {
    const [agent, nativeEvent, stamp] = smallest as [Buffer, Buffer, Buffer];
    expect(decodeFrame(Buffer.concat([nativeEvent, stamp]))).toEqual({ ok: false, error: 'frame names no registration' });
    expect(decodeFrame(Buffer.concat([agent, stamp]))).toEqual({ ok: false, error: 'frame names no registration' });
    expect(decodeFrame(Buffer.concat([agent, nativeEvent]))).toEqual({ ok: false, error: 'frame has no stamp' });
    expect(decodeFrame(Buffer.concat([agent, nativeEvent, field(6, 'not a ulid')]))).toEqual({ ok: false, error: 'frame has no stamp' });
  });

  it('with a field of a later release is read without it', () => {
    const later = [field(99, 'from the future'), field(200, Buffer.alloc(3))];
    expect(decodeFrame(Buffer.concat([...later, ...smallest]))).toEqual(decodeFrame(Buffer.concat(smallest)));
  });

  it('keeps a payload that is no UTF-8 as it is', () => {
    const payload = Buffer.from([0xff, 0xfe, 0x00, 0x80]);
    const read = decodeFrame(Buffer.concat([...smallest, field(32, payload)]));
    expect(read.ok && read.frame.payload.equals(payload)).toBe(true);
  });

  it('passes over a variable without a name', () => {
    const read = decodeFrame(Buffer.concat([...smallest, field(16, '=value'), field(16, 'NAME'), field(16, 'A=')]));
    expect(read.ok && read.frame.variables).toEqual({ A: '' });
  });
});

describe('a journal file', () => {
  const body = Buffer.concat(smallest);

  it('is the magic and a frame', () => {
    expect(readFrameFile(Buffer.concat([Buffer.from('PTN\x01'), body]))).toEqual(decodeFrame(body));
  });

  it('of a newer release, or of anybody else, is refused by name', () => {
    expect(readFrameFile(Buffer.concat([Buffer.from('PTN\x02'), body]))).toEqual({
      ok: false,
      error: expect.stringContaining('version 2 is newer'),
    });
    for (const other of ['', 'PTN', 'GIF8']) expect(readFrameFile(Buffer.from(other))).toEqual({ ok: false, error: 'not a frame file' });
  });
});
