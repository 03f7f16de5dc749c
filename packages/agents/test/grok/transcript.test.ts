import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { grok } from '../../src/grok/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { read } = grok.transcript as TranscriptFormat;
const session = fixturesOf('grok').text('transcripts/session.jsonl');
const entriesOf = <Kind extends TranscriptEntry['kind']>(text: string, kind: Kind) =>
  read(text).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a transcript', () => {
  it('tells who said what, and takes what Grok Build tells itself for no prompts', () => {
    expect(read(session).consumed).toBe(session.length);
    expect(session).toContain('<system-reminder>');
    expect(entriesOf(session, 'prompt').map(({ text }) => text)).toEqual(['Do the scripted work.']);
    expect(
      entriesOf(session, 'answer')
        .map(({ text }) => text)
        .slice(0, 2),
    ).toEqual(['Running a command.', 'Final answer.']);
    expect(entriesOf(session, 'answer')[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
  it('tells which tools were called, and which of them failed', () => {
    const calls = entriesOf(session, 'tool-call');
    expect(calls.slice(0, 4).map(({ name }) => name)).toEqual(['run_terminal_command', 'write', 'search_replace', 'read_file']);
    const results = entriesOf(session, 'tool-result');
    expect(results.map(({ useId }) => useId).sort()).toEqual(calls.map(({ useId }) => useId).sort());
    expect(results.filter(({ failed }) => failed).map(({ useId }) => useId)).toEqual(expect.arrayContaining(['call_m6_0']));
  });
  it('tells what a turn used, by its models', () => {
    expect(entriesOf(session, 'usage')[0]).toMatchObject({
      model: 'mock',
      output: expect.any(Number),
      id: expect.stringMatching(/ mock$/),
    });
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    for (const cut of [0, 1, 500, 2000, 9999, session.length - 1]) {
      const first = read(session.slice(0, cut));
      expect([...first.entries, ...read(session.slice(first.consumed)).entries]).toEqual(read(session).entries);
    }
  });
  it('survives lines that make no sense', () => {
    const nonsense = [
      '{',
      'null',
      '[]',
      '7',
      '{}',
      '{"params":{"update":{"sessionUpdate":"tool_call"},"_meta":{"agentTimestampMs":9e99}}}',
      '',
    ];
    const { entries, consumed } = read(`${nonsense.join('\r\n')}\n{"half`);
    expect(consumed).toBe(`${nonsense.join('\r\n')}\n`.length);
    expect(entries.every((entry) => entry.kind === 'unknown')).toBe(true);
  });
});
