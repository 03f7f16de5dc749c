import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { gemini } from '../../src/gemini/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { read } = gemini.transcript as TranscriptFormat;
const session = fixturesOf('gemini').text('transcripts/session.jsonl');
const of = <Kind extends TranscriptEntry['kind']>(text: string, kind: Kind) =>
  read(text).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a transcript', () => {
  it('tells who said what, which tools ran and which failed', () => {
    expect(of(session, 'prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
    expect(of(session, 'answer')).toMatchObject([{ text: 'Final.', model: 'gemini-2.5-pro' }]);
    expect(of(session, 'tool-call').map((entry) => entry.name)).toEqual([
      'run_shell_command',
      'write_file',
      'replace',
      'read_file',
      'run_shell_command',
      'read_file',
      'write_todos',
      'mcp_mock_echo',
      'invoke_agent',
    ]);
    const failed = of(session, 'tool-result').filter((entry) => entry.failed);
    expect(failed.map((entry) => entry.useId)).toEqual(['read_file__m5_0']);
  });
  it('has prompts without the context of hooks, and no prompt where there is nothing else', () => {
    const line = (text: string) => `${JSON.stringify({ id: text, type: 'user', content: [{ text }] })}\n`;
    const context = '<hook_context>House rule</hook_context>';
    expect(of(line(`${context}\n\nClean up.`) + line(context), 'prompt').map((entry) => entry.text)).toEqual(['Clean up.']);
  });
  it('counts the usage of a message once, though it is written twice', () => {
    const usage = of(session, 'usage');
    expect(usage).toHaveLength(10);
    expect(new Set(usage.map((entry) => entry.id)).size).toBe(10);
    expect(usage[0]).toMatchObject({ model: 'gemini-2.5-pro', input: 10, output: 5, cacheRead: 0 });
  });
  it('does not count what came from the cache as new input', () => {
    const line = `${JSON.stringify({ id: 'm', type: 'gemini', content: 'x', tokens: { input: 100, cached: 90, output: 5, thoughts: 2 } })}\n`;
    expect(of(line, 'usage')).toMatchObject([{ input: 10, cacheRead: 90, output: 7 }]);
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    const keys = (entries: readonly TranscriptEntry[]) => [...new Set(entries.map((entry) => JSON.stringify(entry)))].sort();
    const whole = keys(read(session).entries);
    for (const cut of [0, 1, 500, 2000, 9999, session.length - 1]) {
      const first = read(session.slice(0, cut));
      const rest = read(session.slice(first.consumed));
      expect(keys([...first.entries, ...rest.entries])).toEqual(whole);
    }
  });
  it('survives lines that make no sense', () => {
    const nonsense = ['{', 'null', '[]', '{}', '{"$rewindTo":"x"}', '{"id":"a","type":"user"}', '{"id":"a","type":"new"}'];
    const { entries, consumed } = read(`${nonsense.join('\n')}\n{"half`);
    expect(consumed).toBe(nonsense.join('\n').length + 1);
    expect(entries.map((entry) => (entry.kind === 'unknown' ? entry.type : entry.kind))).toEqual([
      ...Array(3).fill('unreadable line'),
      'untyped line',
      '$rewindTo',
      'new',
    ]);
  });
});
