import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { auggie } from '../../src/auggie/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { read, locate } = auggie.transcript as TranscriptFormat;
const session = fixturesOf('auggie').text('transcripts/session.json');
const entriesOf = <Kind extends TranscriptEntry['kind']>(text: string, kind: Kind) =>
  read(text).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a transcript', () => {
  it('lies in the home directory, by the session', () => {
    const place = (sessionId: string) => locate?.({ sessionId, cwd: '/code', home: '/h', env: {} });
    expect(place('a-1')).toBe('.augment/sessions/a-1.json');
    expect(place('')).toBeNull();
  });
  it('tells who said what', () => {
    expect(entriesOf(session, 'prompt').map(({ text }) => text)).toEqual(['Do the scripted work.']);
    expect(entriesOf(session, 'answer').map(({ text }) => text)).toEqual(['Running a command.', 'Final answer.']);
    expect(entriesOf(session, 'answer')[0]).toMatchObject({
      at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      id: expect.stringMatching(/^[\w-]{36}$/),
    });
  });
  it('tells which tools were called with what, and which of them failed', () => {
    const calls = entriesOf(session, 'tool-call');
    expect(calls[0]).toMatchObject({ name: 'launch-process', input: { command: 'echo hi > shell-ran.txt; echo hi' } });
    const results = entriesOf(session, 'tool-result');
    expect(results.map(({ useId }) => useId)).toEqual(calls.map(({ useId }) => useId));
    const failed = results.filter(({ failed: has }) => has).map(({ useId }) => useId);
    expect(calls.filter(({ useId }) => failed.includes(useId)).map(({ name }) => name)).toEqual(['launch-process', 'view', 'fail_mock']);
  });
  it('tells what each request used, by the model that was chosen', () => {
    expect(entriesOf(session, 'usage').length).toBeGreaterThan(10);
    expect(entriesOf(session, 'usage')[0]).toMatchObject({ model: 'mock', input: 10, output: 5, cacheRead: 0, cacheWrite: 0 });
  });
  it('is read again as a whole, and has nothing while it is being written', () => {
    expect(read(session).consumed).toBe(0);
    for (const cut of [0, 1, 500, session.length - 1]) expect(read(session.slice(0, cut))).toEqual({ entries: [], consumed: 0 });
  });
  it('survives what makes no sense', () => {
    const strange = [
      null,
      7,
      [],
      {},
      { exchange: 7 },
      { exchange: { request_nodes: [7], response_nodes: [{ type: 5 }, { type: 10 }, { type: 0 }] } },
    ];
    expect(read(JSON.stringify({ chatHistory: strange })).entries).toEqual([]);
    for (const text of ['null', '[]', '{"chatHistory":7}']) expect(read(text).entries).toEqual([]);
  });
});
