import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { qwen } from '../../src/qwen/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { read, locate } = qwen.transcript as TranscriptFormat;
const { text, recordedAs } = fixturesOf('qwen');
const session = text('transcripts/session.jsonl');
const of = <Kind extends TranscriptEntry['kind']>(from: string, kind: Kind) =>
  read(from).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a transcript', () => {
  it('tells who said what, which tools ran and which failed', () => {
    expect(of(session, 'prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
    expect(of(session, 'answer')).toMatchObject([{ text: 'Final.', model: 'mock' }]);
    expect(of(session, 'tool-call').map((entry) => entry.name)).toEqual([
      'run_shell_command',
      'write_file',
      'edit',
      'read_file',
      'run_shell_command',
      'read_file',
      'todo_write',
      'mcp__mock__echo',
      'agent',
    ]);
    const failed = of(session, 'tool-result').filter((entry) => entry.failed);
    expect(failed.map((entry) => entry.useId)).toEqual(['call_m4_0', 'call_m5_0']);
    expect(of(session, 'usage')).toHaveLength(10);
    expect(of(session, 'usage')[0]).toMatchObject({ model: 'mock', input: 10, output: 5, cacheRead: 0 });
    expect(new Set(of(session, 'unknown').map((entry) => entry.type))).toEqual(new Set(['ui_telemetry', 'attribution_snapshot']));
  });
  it('takes neither thoughts for answers nor notes of the program for prompts', () => {
    const line = (record: object) => `${JSON.stringify({ uuid: 'u', ...record })}\n`;
    expect(read(line({ type: 'assistant', message: { parts: [{ text: 'hm', thought: true }] } })).entries).toEqual([]);
    const note = line({ type: 'user', provenance: 'system', message: { parts: [{ text: 'note' }] } });
    expect(read(note).entries).toMatchObject([{ kind: 'unknown', type: 'user' }]);
  });
  it('reads on where it stopped, wherever the text was cut', () => {
    const whole = read(session).entries;
    for (const cut of [0, 1, 500, 2000, 9999, session.length - 1]) {
      const first = read(session.slice(0, cut));
      expect([...first.entries, ...read(session.slice(first.consumed)).entries]).toEqual(whole);
    }
  });
  it('lies where the payload says', () => {
    const { transcript_path, session_id } = recordedAs('0.24.4/session/03-SessionStart').payload as Record<string, string>;
    const where = (env: Record<string, string>) => locate?.({ sessionId: session_id ?? '', cwd: '/tmp/a b/repo', home: '/home/dev', env });
    expect(where({})).toBe(transcript_path?.replace('$HOME/', '').replace('$REPO', '-tmp-a-b-repo'));
    expect(where({ QWEN_RUNTIME_DIR: '/run/q/', QWEN_HOME: '/conf' })).toBe(`/run/q/projects/-tmp-a-b-repo/chats/${session_id}.jsonl`);
  });
  it('survives lines that make no sense', () => {
    const nonsense = ['{', 'null', '{}', '{"type":"user"}', '{"type":"tool_result","message":{"parts":[null,{}]}}', '{"type":"assistant"}'];
    const { entries, consumed } = read(`${nonsense.join('\n')}\n{"half`);
    expect(consumed).toBe(nonsense.join('\n').length + 1);
    expect(entries.map((entry) => (entry.kind === 'unknown' ? entry.type : entry.kind))).toEqual([
      'unreadable line',
      'unreadable line',
      'untyped line',
      'user',
    ]);
  });
});
