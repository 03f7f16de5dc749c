import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { copilot } from '../../src/copilot/index.ts';
import { FIXTURES } from './fixtures.ts';

const { read, locate } = copilot.transcript as TranscriptFormat;
const session = readFileSync(join(FIXTURES, 'transcripts/session.jsonl'), 'utf8');

describe('a transcript', () => {
  const { entries, consumed } = read(session);
  const of = <Kind extends TranscriptEntry['kind']>(kind: Kind) =>
    entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

  it('tells who said what, which tools ran and which failed', () => {
    expect(consumed).toBe(session.length);
    expect(of('prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
    expect(of('answer').map((entry) => entry.text)).toEqual(['Running a command.', 'Listed.', 'Final answer.']);
    expect(of('answer')[0]).toMatchObject({ model: 'gpt-4.1', at: expect.stringMatching(/^2026-/), id: expect.any(String) });
    expect(of('tool-call').map((entry) => entry.name)).toEqual(['bash', 'create', 'bash', 'view', 'task', 'bash']);
    const failed = of('tool-result').filter((entry) => entry.failed);
    expect(failed.map(({ useId }) => of('tool-call').find((call) => call.useId === useId)?.name)).toEqual(['bash', 'view']);
  });
  it('takes the task of a subagent for no prompt', () => {
    expect(session).toContain('SUBTASK do');
    expect(of('unknown').map((entry) => entry.type)).toContain('note in the name of the user');
  });
  it('counts each call of the model once', () => {
    const ids = of('usage').map((entry) => entry.id);
    expect(ids).toHaveLength(8);
    expect(new Set(ids).size).toBe(8);
    expect(of('usage')[0]).toMatchObject({ model: 'gpt-4.1', input: 10, output: 5 });
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    for (const cut of [0, 1, 500, 2000, 9999, session.length - 1]) {
      const first = read(session.slice(0, cut));
      const rest = read(session.slice(first.consumed));
      expect([...first.entries, ...rest.entries]).toEqual(entries);
    }
  });
  it('survives lines that make no sense', () => {
    const nonsense = [
      '{',
      'null',
      '[]',
      '{}',
      '{"type":"user.message"}',
      '{"type":"constructor","data":{}}',
      '{"type":"tool.execution_start","data":[]}',
    ];
    expect(read(`${nonsense.join('\n')}\n{"half`).entries.every((entry) => entry.kind === 'unknown')).toBe(true);
  });
  it('lies in the state of the session', () => {
    const place = { sessionId: 'a-1', cwd: '/w', home: '/home/dev' };
    expect(locate?.({ ...place, env: {} })).toBe('.copilot/session-state/a-1/events.jsonl');
    expect(locate?.({ ...place, env: { COPILOT_HOME: '/conf/' } })).toBe('/conf/session-state/a-1/events.jsonl');
    expect(locate?.({ ...place, sessionId: '../../etc', env: {} })).toBeNull();
  });
});
