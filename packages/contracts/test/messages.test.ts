import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  doneMessage,
  type Exec,
  type ExecResult,
  execMessage,
  MESSAGE,
  MESSAGE_LIMIT,
  type MessageEvent,
  MessageReader,
  type MessageType,
  message,
  readDone,
  readExec,
  readResult,
  resultMessage,
  ShortInput,
  wholeMessage,
} from '../src/index.ts';

const text = fc.string({ unit: 'binary' });
const u32 = fc.nat({ max: 0xffff_ffff });
const i32 = fc.integer({ min: -0x8000_0000, max: 0x7fff_ffff });
const bytes = fc.uint8Array({ maxLength: 300 }).map((value) => Buffer.from(value));
const names = fc.string({ unit: fc.constantFrom(...'ABC_09'), minLength: 1 });

const execs: fc.Arbitrary<Exec> = fc.record(
  {
    id: u32,
    timeoutMs: u32,
    stdoutCap: u32,
    stderrCap: u32,
    argv: fc.array(text),
    cwd: text,
    set: fc.dictionary(names, text, { noNullPrototype: true }),
    unset: fc.array(names),
    stdin: bytes,
    ifSilent: fc.record({ exitCode: i32, stdout: bytes, stderr: bytes }),
  },
  { requiredKeys: ['id', 'timeoutMs', 'stdoutCap', 'stderrCap', 'argv', 'cwd', 'set', 'unset', 'stdin'] },
);
const results: fc.Arbitrary<ExecResult> = fc.record(
  {
    id: u32,
    exitCode: i32,
    timedOut: fc.boolean(),
    stdoutCut: fc.boolean(),
    stderrCut: fc.boolean(),
    notStarted: fc.boolean(),
    durationUs: fc.bigInt({ min: 0n, max: 0xffff_ffff_ffff_ffffn }),
    stdout: bytes,
    stderr: bytes,
    answered: fc.constant<true>(true),
  },
  { requiredKeys: ['id', 'exitCode', 'timedOut', 'stdoutCut', 'stderrCut', 'notStarted', 'durationUs', 'stdout', 'stderr'] },
);

const bodyOf = (whole: Buffer): Buffer => whole.subarray(5);

describe('a message comes back as it was sent', () => {
  it('exec, whose stdin may be given as text of any length', () => {
    const texts = fc.oneof(text, fc.string({ unit: 'binary', minLength: 1000, maxLength: 3000 }));
    fc.assert(
      fc.property(execs, texts, (exec, stdin) => {
        expect(readExec(bodyOf(execMessage({ ...exec, stdin }))).stdin).toEqual(Buffer.from(stdin));
      }),
    );
  });

  it('exec', () => {
    const same = fc.property(execs, (exec) => {
      expect(readExec(bodyOf(execMessage(exec)))).toEqual(exec);
    });
    fc.assert(same);
  });

  it('result', () => {
    const same = fc.property(results, (result) => {
      expect(readResult(bodyOf(resultMessage(result)))).toEqual(result);
    });
    fc.assert(same);
  });

  it('done', () => {
    const same = fc.property(i32, fc.boolean(), bytes, bytes, (exitCode, more, stdout, stderr) => {
      const done = { exitCode, more, stdout, stderr };
      expect(readDone(bodyOf(doneMessage(done)))).toEqual(done);
    });
    fc.assert(same);
  });
});

describe('a body from a stranger', () => {
  it('is read or found too short; nothing else is ever thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.constantFrom(readExec, readResult, readDone), (body, read) => {
        try {
          read(body);
        } catch (error) {
          expect(error).toBeInstanceOf(ShortInput);
        }
      }),
    );
  });

  it('cannot make a reader allocate for a list that is not there', () => {
    const huge = Buffer.alloc(20);
    huge.writeUInt32LE(0xffff_ffff, 16);
    expect(() => readExec(huge)).toThrow(ShortInput);
  });
});

describe('a stream of messages', () => {
  const messages = fc.array(fc.tuple(fc.constantFrom<MessageType[]>(...Object.values(MESSAGE)), bytes), { maxLength: 12 });

  it('is cut right, however the bytes arrive', () => {
    fc.assert(
      fc.property(messages, fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 20 }), (sent, sizes) => {
        const stream = Buffer.concat(sent.map(([type, body]) => message(type, body)));
        const reader = new MessageReader();
        const seen: MessageEvent[] = [];
        for (let at = 0, turn = 0; at < stream.length; turn++) {
          const size = sizes[turn % sizes.length] as number;
          seen.push(...reader.push(stream.subarray(at, at + size)));
          at += size;
        }
        expect(seen).toEqual(sent.map(([type, body]) => ({ kind: 'message', type, body })));
      }),
    );
  });

  it('is known for one whole message, and for nothing less or more', () => {
    fc.assert(
      fc.property(messages, fc.nat({ max: 400 }), (sent, cut) => {
        const stream = Buffer.concat(sent.map(([type, body]) => message(type, body))).subarray(0, cut);
        const [first] = sent;
        const alone = first !== undefined && stream.length === first[1].length + 5;
        expect(wholeMessage(stream)).toEqual(alone ? { type: first[0], body: first[1] } : undefined);
      }),
    );
  });

  it('hands out each message as soon as its last byte is there', () => {
    const whole = message(MESSAGE.done, Buffer.from('body'));
    const reader = new MessageReader();
    for (let at = 0; at < whole.length - 1; at++) expect(reader.push(whole.subarray(at, at + 1))).toEqual([]);
    expect(reader.push(whole.subarray(whole.length - 1))).toHaveLength(1);
  });

  it('ends in an error when a length is beyond the limit, after what came before it', () => {
    const head = Buffer.from([MESSAGE.frame, 0, 0, 0, 0]);
    head.writeUInt32LE(MESSAGE_LIMIT + 1, 1);
    const seen = new MessageReader().push(Buffer.concat([message(MESSAGE.ack, Buffer.of(0)), head]));
    expect(seen.map((event) => event.kind)).toEqual(['message', 'error']);
  });
});
