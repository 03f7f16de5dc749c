import { describe, expect, it } from 'vitest';
import type { CommandFact, Handoff, Overview } from '../src/index.ts';
import { overviewText } from '../src/index.ts';

const stampOf = (n: number): string => `01M7T5${String(n).padStart(20, '0')}`;
const US = 1_000_000;

/** A run of a command in `/proj`, at a second. */
const ran = (command: string, ok: boolean, at: number, cwd = '/proj'): CommandFact => ({
  ...{ command, cwd, purpose: 'test', ok, exitCode: ok ? 0 : 1, detail: null },
  eventId: stampOf(at),
});
const session = (n: number, more: Partial<Handoff>, continues?: string): Overview['sessions'][number] => ({
  handoff: {
    ...{ session: stampOf(n), ref: `ref ${n}`, agent: 'claude', projectPath: '/proj', startedUs: n * US, lastUs: n * US, ended: 'end' },
    ...more,
  },
  isOpen: false,
  ...(continues !== undefined && { continues }),
});
const todo = { todos: [{ text: 'Test it', status: 'open' as const, eventId: stampOf(3) }] };
const image = { checkpoint: '01ABC', atMs: 50_000, count: 1, files: ['a.ts'] };
const text = (sessions: Overview['sessions'], more: { image?: typeof image; headMovedMs?: number | null } = {}): string =>
  overviewText({ place: '/proj', sessions, commits: [], learnt: [], image: more.image ?? null }, 'short', {
    ...{ agent: 'codex', ref: 'new', branch: 'main', command: 'piton', nowUs: 100 * US },
    ...(more.headMovedMs !== undefined && { headMovedMs: more.headMovedMs }),
  }) ?? '';

describe('what is no longer so is not said', () => {
  it('a test that failed, if it ended well since in another session', () => {
    const failed = session(1, { commands: [ran('npm test', false, 10)] });
    const passed = (at: number, ...cwd: string[]) => session(2, { commands: [ran('npm test', true, at, ...cwd)] });
    expect(text([failed])).toContain('- failed: "npm test"');
    expect(text([passed(20), failed])).toBe('');
    // Before it, or elsewhere, it shows nothing.
    expect(text([passed(5), failed])).toContain('- failed: "npm test"');
    expect(text([passed(20, '/proj/other'), failed])).toContain('- failed: "npm test"');
  });

  it('that a session is unfinished, if another has gone on with it', () => {
    const [left, going] = [session(1, todo), session(2, {}, stampOf(1))];
    expect(text([left])).toContain('Unfinished: claude session');
    expect(text([going, left])).toBe('');
    expect(text([session(2, {}, stampOf(9)), left])).toContain('Unfinished: claude session');
    // What that one leaves open counts.
    expect(text([session(2, todo, stampOf(1)), left]).match(/Unfinished/g)).toHaveLength(1);
  });

  it('that files are uncommitted, if HEAD has moved since they were seen', () => {
    expect(text([], { image, headMovedMs: 40_000 })).toContain('Uncommitted 0 min ago: "a.ts"');
    expect(text([], { image, headMovedMs: null })).toContain('Uncommitted 0 min ago: "a.ts"');
    expect(text([], { image, headMovedMs: 50_001 })).toBe('');
  });
});
