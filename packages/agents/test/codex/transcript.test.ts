import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { codex } from '../../src/codex/index.ts';
import { FIXTURES } from './fixtures.ts';

const { read } = codex.transcript as TranscriptFormat;
const session = readFileSync(join(FIXTURES, 'transcripts/session.jsonl'), 'utf8');
const compact = readFileSync(join(FIXTURES, 'transcripts/compact.jsonl'), 'utf8');
const entriesOf = <Kind extends TranscriptEntry['kind']>(text: string, kind: Kind) =>
  read(text).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a rollout', () => {
  it('tells who said what, and with which model', () => {
    expect(read(session).consumed).toBe(session.length);
    expect(entriesOf(session, 'prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
    expect(entriesOf(session, 'answer')).toMatchObject([
      { text: 'Running a command.', model: 'gpt-5.5' },
      { text: 'Final answer.', model: 'gpt-5.5' },
    ]);
  });
  it('tells which tools were called, and which of them failed', () => {
    const calls = entriesOf(session, 'tool-call');
    expect(calls.map((entry) => entry.name)).toEqual([
      'exec_command',
      'apply_patch',
      'apply_patch',
      'exec_command',
      'apply_patch',
      'update_plan',
      'mcp__mock__echo',
      'mcp__mock__fail',
      'spawn_agent',
      'wait_agent',
    ]);
    expect(calls[0]?.input).toEqual({ cmd: 'echo hi' });
    expect(calls[1]?.input).toContain('*** Add File: a.txt');
    const results = entriesOf(session, 'tool-result');
    expect(results.map((entry) => entry.useId)).toEqual(calls.map((entry) => entry.useId));
    // The command that exits 3, the patch of a missing file, the tool that fails.
    expect(results.filter((entry) => entry.failed).map((entry) => entry.useId)).toEqual(['call_m3_0', 'call_m4_0', 'call_m7_0']);
  });
  it('takes the output of a command for nothing but output', () => {
    const output = (text: string) =>
      `${JSON.stringify({ type: 'response_item', payload: { type: 'function_call_output', call_id: 'c', output: text } })}\n`;
    const head = 'Chunk ID: 1\nWall time: 0.0 seconds\nProcess exited with code 0\nOriginal token count: 9\nOutput:\n';
    expect(entriesOf(output(`${head}Process exited with code 3`), 'tool-result')).toMatchObject([{ failed: false }]);
    expect(entriesOf(output(head.replace('code 0', 'code 127')), 'tool-result')).toMatchObject([{ failed: true }]);
    expect(entriesOf(output('Command blocked by PreToolUse hook: no. Command: rm'), 'tool-result')).toMatchObject([{ failed: true }]);
  });
  it('counts the tokens of each request once, whatever is said again', () => {
    const sums = compact.split('\n').filter((line) => line.includes('"token_count"'));
    expect(sums).toHaveLength(5);
    expect(entriesOf(compact, 'usage').map(({ input, output, model }) => [input, output, model])).toEqual([
      [5_000_000, 5, 'gpt-5.5'],
      [10, 5, 'gpt-5.5'],
      [10, 5, 'gpt-5.5'],
    ]);
    const ids = entriesOf(session, 'usage').map((entry) => entry.id);
    expect(ids).toHaveLength(11);
    expect(new Set(ids).size).toBe(11);
  });
  it('tells what came from the cache apart', () => {
    const usage = { input_tokens: 100, cached_input_tokens: 60, cache_write_input_tokens: 10, output_tokens: 5 };
    const info = { last_token_usage: usage, total_token_usage: { total_tokens: 105 } };
    const line = `${JSON.stringify({ type: 'event_msg', payload: { type: 'token_count', info } })}\n`;
    expect(entriesOf(line, 'usage')).toMatchObject([{ input: 30, cacheRead: 60, cacheWrite: 10, output: 5 }]);
  });
  it('takes the notes of Codex for no prompts, before and after a compaction', () => {
    expect(entriesOf(compact, 'prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
  });
  it('knows the prompts of older versions', () => {
    const line = `${JSON.stringify({ type: 'event_msg', payload: { type: 'user_message', message: 'hello' } })}\n`;
    expect(entriesOf(line, 'prompt')).toMatchObject([{ text: 'hello' }]);
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    const bare = (text: string) => read(text).entries.map((entry) => ({ ...entry, model: undefined }));
    const known = new Set<string>();
    // The tokens of a request are known by their id, since they stand on several lines.
    const once = (entry: TranscriptEntry) => entry.kind !== 'usage' || (!known.has(entry.id ?? '') && known.add(entry.id ?? ''));
    for (const cut of [0, 1, 500, 2000, 20_000, session.length - 1]) {
      const first = read(session.slice(0, cut));
      known.clear();
      const parts = [...bare(session.slice(0, cut)), ...bare(session.slice(first.consumed))] as TranscriptEntry[];
      expect(parts.filter(once)).toEqual(bare(session));
    }
  });
  it('survives lines that make no sense', () => {
    const nonsense = [
      '{',
      'null',
      '[]',
      '7',
      '{}',
      '{"type":"response_item"}',
      '{"type":"event_msg","payload":{"type":"token_count","info":7}}',
      '',
    ];
    const { entries, consumed } = read(`${nonsense.join('\r\n')}\n{"half`);
    expect(consumed).toBe(`${nonsense.join('\r\n')}\n`.length);
    expect(entries.every((entry) => entry.kind === 'unknown')).toBe(true);
  });
});
