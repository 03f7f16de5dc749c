import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { droid } from '../../src/droid/index.ts';
import { FIXTURES } from './fixtures.ts';

const { read, locate } = droid.transcript as TranscriptFormat;
const session = readFileSync(join(FIXTURES, 'transcripts/session.jsonl'), 'utf8');
const entriesOf = <Kind extends TranscriptEntry['kind']>(text: string, kind: Kind) =>
  read(text).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a transcript', () => {
  it('tells who said what, with which model, and takes the notes of Droid for no prompts', () => {
    expect(read(session).consumed).toBe(session.length);
    expect(session).toContain('Background task completed');
    expect(entriesOf(session, 'prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
    expect(entriesOf(session, 'answer').map(({ text, model }) => [text, model])).toEqual([
      ['Running a command.', 'custom:mock-0'],
      ['Final answer.', 'custom:mock-0'],
      ['All done.', 'custom:mock-0'],
    ]);
  });
  it('tells which tools were called, and which of them failed', () => {
    const calls = entriesOf(session, 'tool-call');
    expect(calls.map((entry) => entry.name)).toEqual([
      'Execute',
      'Create',
      'Edit',
      'Read',
      'Execute',
      'Read',
      'TodoWrite',
      'mock___echo',
      'mock___fail',
      'Task',
    ]);
    const results = entriesOf(session, 'tool-result');
    expect(results.map((entry) => entry.useId)).toEqual(calls.map((entry) => entry.useId));
    expect(results.filter((entry) => entry.failed).map((entry) => entry.useId)).toEqual([
      'call_m4_0',
      'call_m5_0',
      'call_m6_0',
      'call_m8_0',
    ]);
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    for (const cut of [0, 1, 500, 2000, 9999, session.length - 1]) {
      const first = read(session.slice(0, cut));
      expect([...first.entries, ...read(session.slice(first.consumed)).entries]).toEqual(read(session).entries);
    }
  });
  it('lies in a directory that is named after the place', () => {
    expect(locate?.({ sessionId: 's', cwd: '/home/dev/my.project', home: '/home/dev', env: {} })).toBe(
      '.factory/sessions/-home-dev-my.project/s.jsonl',
    );
  });
  it('has the sum of its tokens in another file', () => {
    const { beside } = droid.transcript as TranscriptFormat;
    expect(beside?.locate('/home/dev/.factory/sessions/x/s.jsonl')).toBe('/home/dev/.factory/sessions/x/s.settings.json');
    expect(beside?.locate('/home/dev/s.json')).toBe(null);
    const tokenUsage = { inputTokens: 30, outputTokens: 15, cacheCreationTokens: 2, cacheReadTokens: 7, thinkingTokens: 0 };
    expect(beside?.format.read(JSON.stringify({ model: 'custom:mock-0', tokenUsage }, null, 2))).toMatchObject({
      entries: [{ kind: 'usage', model: 'custom:mock-0', input: 30, output: 15, cacheRead: 7, cacheWrite: 2 }],
      consumed: 0,
    });
    for (const nonsense of ['', '{', '[]', '{"tokenUsage":7}']) expect(beside?.format.read(nonsense).entries).toEqual([]);
  });
  it('survives lines that make no sense', () => {
    const nonsense = [
      '{',
      'null',
      '[]',
      '7',
      '{}',
      '{"type":"message"}',
      '{"type":"message","message":{"role":"assistant","content":[null]}}',
      '',
    ];
    const { entries, consumed } = read(`${nonsense.join('\r\n')}\n{"half`);
    expect(consumed).toBe(`${nonsense.join('\r\n')}\n`.length);
    expect(entries.every((entry) => entry.kind === 'unknown')).toBe(true);
  });
});
