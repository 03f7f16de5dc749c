import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { claude } from '../../src/claude/index.ts';
import { FIXTURES } from './fixtures.ts';

const { read } = claude.transcript as TranscriptFormat;
const session = readFileSync(join(FIXTURES, 'transcripts/session.jsonl'), 'utf8');
const compact = readFileSync(join(FIXTURES, 'transcripts/compact.jsonl'), 'utf8');

describe('a transcript', () => {
  it('tells who said what, which tools ran and which failed', () => {
    const { entries, consumed } = read(session);
    const of = <Kind extends TranscriptEntry['kind']>(kind: Kind) =>
      entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);
    expect(consumed).toBe(session.length);
    expect(of('prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
    expect(of('answer').map((entry) => entry.text)).toEqual(['Running a command.', 'Final answer.']);
    expect(of('tool-call').map((entry) => entry.name)).toEqual([
      'Bash',
      'Write',
      'Edit',
      'Read',
      'Bash',
      'Read',
      'TaskCreate',
      'TaskUpdate',
      'mcp__mock__echo',
      'mcp__mock__fail',
      'Agent',
    ]);
    expect(
      of('tool-result')
        .filter((entry) => entry.failed)
        .map((entry) => entry.useId),
    ).toEqual(['toolu_m4_0', 'toolu_m5_0', 'toolu_m8_1']);
    expect(of('unknown').map((entry) => entry.type)).toContain('api-request-blob');
  });
  it('counts the usage of a message once, though it stands on every line of it', () => {
    const lines = session.split('\n').filter((line) => line.includes('"usage"') && line.includes('"type":"assistant"'));
    const ids = lines.map((line) => JSON.parse(line).message.id);
    const usage = read(session).entries.filter((entry) => entry.kind === 'usage');
    expect(lines.length).toBeGreaterThan(new Set(ids).size);
    expect(usage.map((entry) => entry.id)).toEqual([...new Set(ids)]);
    expect(usage[0]).toMatchObject({ model: 'claude-sonnet-4-5', input: 10, output: 5 });
  });
  it('lets the last usage of a message count', () => {
    const line = (output: number) => `${JSON.stringify({ type: 'assistant', message: { id: 'm', usage: { output_tokens: output } } })}\n`;
    expect(read(line(1) + line(9)).entries).toMatchObject([{ kind: 'usage', id: 'm', output: 9 }]);
  });
  it('takes the summary of a compaction for no prompt', () => {
    const prompts = read(compact).entries.filter((entry) => entry.kind === 'prompt');
    expect(prompts).toMatchObject([{ text: 'Do the scripted work.' }]);
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    const whole = read(session).entries.filter((entry) => entry.kind !== 'usage');
    for (const cut of [0, 1, 500, 2000, 9999, session.length - 1]) {
      const first = read(session.slice(0, cut));
      const rest = read(session.slice(first.consumed));
      expect([...first.entries, ...rest.entries].filter((entry) => entry.kind !== 'usage')).toEqual(whole);
    }
  });
  it('survives lines that make no sense', () => {
    const nonsense = [
      '{',
      'null',
      '[]',
      '7',
      '{}',
      '{"type":"user"}',
      '{"type":"assistant","message":{"content":[null,{"type":"tool_use"}],"usage":[]}}',
      '',
      '{"type":"new","message":{}}',
    ];
    const { entries, consumed } = read(`${nonsense.join('\r\n')}\n{"half`);
    expect(consumed).toBe(`${nonsense.join('\r\n')}\n`.length);
    expect(entries.every((entry) => entry.kind === 'unknown')).toBe(true);
    expect(entries.map((entry) => (entry as { type?: string }).type)).toEqual([
      ...Array(4).fill('unreadable line'),
      'untyped line',
      'user',
      'new',
    ]);
  });
});
