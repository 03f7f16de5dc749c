import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { journalRecord, RECORD, readRecords } from '../../src/journal/journal-record.ts';

describe('a journal record', () => {
  it('is read back as it was written, in any number', () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (bodies) => {
        const bytes = Buffer.concat(bodies.map((body) => journalRecord(RECORD.frame, body)));
        const { records, consumed, broken } = readRecords(bytes);
        expect(records.map(({ body }) => [...body])).toEqual(bodies.map((body) => [...body]));
        expect({ consumed, broken }).toEqual({ consumed: bytes.length, broken: false });
      }),
    );
  });

  it('that is truncated anywhere leaves the complete ones before it readable', () => {
    const bytes = Buffer.concat([journalRecord(RECORD.frame, Buffer.from('one')), journalRecord(RECORD.outcome, Buffer.from('two'))]);
    const first = journalRecord(RECORD.frame, Buffer.from('one')).length;
    for (let length = first; length < bytes.length; length++) {
      const { records, consumed, broken } = readRecords(bytes.subarray(0, length));
      expect({ count: records.length, consumed, broken }).toEqual({ count: 1, consumed: first, broken: false });
    }
  });

  it('that is damaged ends the reading', () => {
    const bytes = journalRecord(RECORD.frame, Buffer.from('one'));
    bytes[bytes.length - 1] = 0;
    expect(readRecords(bytes)).toMatchObject({ records: [], broken: true });
  });
});

describe('the journal', () => {
  let root: string;
  let grown: [string, number, boolean][];
  let problems: string[];
  const open = () =>
    new Journal({
      directory: join(root, 'j'),
      grown: (...news) => grown.push(news),
      reportProblem: (what) => problems.push(what),
    });
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'piton-journal-'));
    grown = [];
    problems = [];
  });
  afterEach(() => rmSync(root, { recursive: true, force: true }));

  const segments = () =>
    readdirSync(join(root, 'j'))
      .filter((name) => name.endsWith('.log'))
      .sort();

  it('has a frame on disk when append returns', () => {
    const journal = open();
    expect(journal.appendSmallFrame(Buffer.from('frame'))).toBe(true);
    const { records } = readRecords(readFileSync(join(root, 'j', segments()[0] as string)));
    expect(records.map(({ type, body }) => [type, body.toString()])).toEqual([[RECORD.frame, 'frame']]);
    journal.close();
  });

  it('writes a large frame to a separate file', async () => {
    const journal = open();
    const stamp = '01JD0000000000000000000000';
    expect(await journal.appendFrame(stamp, Buffer.alloc(300 * 1024, 1))).toBe(true);
    expect(readdirSync(join(root, 'j'))).toContain(`${stamp}-1.frame`);
    expect(readRecords(readFileSync(join(root, 'j', segments()[0] as string))).records[0]?.body.toString()).toBe(`${stamp}-1.frame`);
    journal.close();
  });

  it('starts a new segment at a mebibyte and reports that the old one is sealed', () => {
    const journal = open();
    for (let i = 0; i < 12; i++) journal.appendSmallFrame(Buffer.alloc(100 * 1024));
    expect(segments()).toEqual(['00000001.log', '00000002.log']);
    expect(grown).toContainEqual(['00000001.log', 11 * (100 * 1024 + 9), true]);
    journal.close();
  });

  it('reports a problem and keeps the frame in memory if it cannot write', () => {
    const journal = open();
    rmSync(join(root, 'j'), { recursive: true });
    expect(journal.appendSmallFrame(Buffer.from('frame'))).toBe(false);
    expect(journal.held).toBe(1);
    expect(problems.join()).toContain('cannot write the journal');
    journal.close();
  });
});
