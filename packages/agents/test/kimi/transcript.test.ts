import { createHash } from 'node:crypto';
import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { kimi } from '../../src/kimi/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { read, locate } = kimi.transcript as TranscriptFormat;
const session = fixturesOf('kimi').text('transcripts/session.jsonl');
const entriesOf = <Kind extends TranscriptEntry['kind']>(text: string, kind: Kind) =>
  read(text).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a transcript', () => {
  it('lies below a folder that is named after the directory', () => {
    const place = (cwd: string, env = {}) => locate?.({ sessionId: 'session_1', cwd, home: '/h', env });
    const hash = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 12);
    expect(place('/tmp/repo')).toBe(`.kimi-code/sessions/wd_repo_${hash('/tmp/repo')}/session_1/agents/main/wire.jsonl`);
    expect(place('/tmp/My App (2)/', { KIMI_CODE_HOME: '/k' })).toBe(
      `/k/sessions/wd_my-app-2_${hash('/tmp/My App (2)')}/session_1/agents/main/wire.jsonl`,
    );
  });
  it('tells who said what, and takes what Kimi Code tells itself for no prompts', () => {
    expect(read(session).consumed).toBe(session.length);
    expect(session).toContain('<system-reminder>');
    expect(entriesOf(session, 'prompt').map(({ text }) => text)).toEqual(['Do the scripted work.']);
    expect(entriesOf(session, 'answer').map(({ text }) => text)).toEqual(['Running a command.', 'Final answer.']);
    expect(entriesOf(session, 'answer')[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT/);
  });
  it('tells which tools were called, and which of them failed', () => {
    const calls = entriesOf(session, 'tool-call');
    expect(calls.slice(0, 4).map(({ name }) => name)).toEqual(['Bash', 'Write', 'Read', 'Edit']);
    const results = entriesOf(session, 'tool-result');
    expect(results.map(({ useId }) => useId).sort()).toEqual(calls.map(({ useId }) => useId).sort());
    expect(results.filter(({ failed }) => failed).map(({ useId }) => useId)).toEqual(expect.arrayContaining(['call_m4_0', 'call_m9_0']));
  });
  it('tells what each request used, by its model', () => {
    expect(entriesOf(session, 'usage')).toHaveLength(14);
    expect(entriesOf(session, 'usage')[0]).toMatchObject({ model: 'mock', input: 10, output: 5, cacheRead: 0 });
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    for (const cut of [0, 1, 500, 2000, 9999, session.length - 1]) {
      const first = read(session.slice(0, cut));
      expect([...first.entries, ...read(session.slice(first.consumed)).entries]).toEqual(read(session).entries);
    }
  });
  it('survives lines that make no sense', () => {
    const nonsense = ['{', 'null', '[]', '7', '{}', '{"type":"context.append_loop_event","event":{"type":"tool.call"},"time":9e99}', ''];
    const { entries, consumed } = read(`${nonsense.join('\r\n')}\n{"half`);
    expect(consumed).toBe(`${nonsense.join('\r\n')}\n`.length);
    expect(entries.every((entry) => entry.kind === 'unknown')).toBe(true);
  });
});
