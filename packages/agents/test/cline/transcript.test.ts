import type { TranscriptEntry, TranscriptFormat } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { cline } from '../../src/cline/index.ts';
import { fixturesOf } from '../fixtures-of.ts';

const { read, locate } = cline.transcript as TranscriptFormat;
const session = fixturesOf('cline').text('transcripts/session.json');
const of = <Kind extends TranscriptEntry['kind']>(from: string, kind: Kind) =>
  read(from).entries.filter((entry): entry is Extract<TranscriptEntry, { kind: Kind }> => entry.kind === kind);

describe('a transcript', () => {
  it('tells who said what, which tools ran and which failed', () => {
    expect(of(session, 'prompt').map((entry) => entry.text)).toEqual(['Do the scripted work.']);
    expect(of(session, 'answer')).toMatchObject([{ text: 'Final.', model: 'mock' }]);
    expect(of(session, 'tool-call').map((entry) => entry.name)).toEqual([
      'run_commands',
      'editor',
      'editor',
      'read_files',
      'run_commands',
      'read_files',
      'mock__echo',
      'spawn_agent',
    ]);
    const failed = of(session, 'tool-result').filter((entry) => entry.failed);
    expect(failed.map((entry) => entry.useId)).toEqual(['call_m4_0', 'call_m5_0']);
    expect(of(session, 'usage')).toHaveLength(9);
    expect(of(session, 'usage')[0]).toMatchObject({ model: 'mock', input: 10, output: 5, cacheRead: 0, cacheWrite: 0 });
    expect(of(session, 'prompt')[0]?.at).toMatch(/^2026-11-15T22:/);
  });
  it('is read anew each time, since it is written anew', () => {
    expect(read(session).consumed).toBe(0);
    expect(read(session.slice(0, -10))).toEqual({ entries: [], consumed: 0 });
  });
  it('lies where the session says', () => {
    const where = (env: Record<string, string>) => locate?.({ sessionId: 's', cwd: '/w', home: '/home/dev', env });
    expect(where({})).toBe('.cline/data/sessions/s/s.messages.json');
    expect(where({ CLINE_DIR: '/c/' })).toBe('/c/data/sessions/s/s.messages.json');
    expect(where({ CLINE_DIR: '/c', CLINE_DATA_DIR: '/d' })).toBe('/d/sessions/s/s.messages.json');
    expect(where({ CLINE_SESSION_DATA_DIR: '/e' })).toBe('/e/s/s.messages.json');
    expect(locate?.({ sessionId: '', cwd: '/w', home: '/home/dev', env: {} })).toBeNull();
  });
  it('survives what makes no sense', () => {
    const messages = [
      null,
      7,
      {},
      { role: 'user', ts: 1e300, content: 'bare' },
      { role: 'assistant', content: [null, { type: 'tool_use' }] },
    ];
    expect(read(JSON.stringify({ messages })).entries.every((entry) => entry.kind === 'unknown')).toBe(true);
    for (const text of ['', 'null', '[]', '{"messages":{}}']) expect(read(text).entries).toEqual([]);
  });
});
