import { describe, expect, it } from 'vitest';
import type { LedgerEntry, LedgerRow } from '../../src/index.ts';
import { BASE_MS, event, redactor, stampOf } from '../records.ts';
import type { Bench } from './bench.ts';

const DAY = 86_400_000;
const facts = (...entries: LedgerEntry[]) => redactor.value<readonly LedgerEntry[]>(entries);
const file = (path: string): LedgerEntry => ({ kind: 'file', path, tool: 'Write' });
const command = (text: string, ok: boolean | null, exitCode: number | null): Extract<LedgerEntry, { kind: 'command' }> => ({
  ...{ kind: 'command', command: text, cwd: '/home/me/x', purpose: null, ok, exitCode, detail: null },
});
const pathsOf = (rows: readonly LedgerRow[]) => rows.map((row) => (row.kind === 'file' ? row.path : row.kind));

export const ledger = (bench: Bench) =>
  describe('the ledger', () => {
    it('has the facts of a session with their events, newest first', async () => {
      await bench.record(
        event(1, { event: 'post_tool_use', ledger: facts(file('/a'), file('/b')) }),
        event(2, { event: 'post_tool_use', ledger: facts(command('npm test', false, 1)) }),
        event(3, { event: 'post_tool_use', session: 'ref-2', ledger: facts(file('/c')) }),
      );
      const session = (await bench.session()).id;
      expect(await bench.store.ledger({ session })).toMatchObject([
        { kind: 'command', command: 'npm test', ok: false, exitCode: 1, eventId: stampOf(2), session, agent: 'claude' },
        { kind: 'file', path: '/b', eventId: stampOf(1) },
        { kind: 'file', path: '/a', eventId: stampOf(1), wallUs: (BASE_MS + 1) * 1000 },
      ]);
      expect(pathsOf(await bench.store.ledger({ session, kinds: ['file'], limit: 1 }))).toEqual(['/b']);
      expect(pathsOf(await bench.store.ledger({ since: (BASE_MS + 3) * 1000 }))).toEqual(['/c']);
    });

    it('finds what sessions did in a repository or below a directory', async () => {
      await bench.record(
        event(1, { cwd: '/r/deep', repo: '/r', ledger: facts(file('/r/deep/a')) }),
        event(2, { cwd: '/rest', session: 'ref-2', ledger: facts(file('/rest/b')) }),
      );
      expect(pathsOf(await bench.store.ledger({ path: '/r' }))).toEqual(['/r/deep/a']);
      expect(pathsOf(await bench.store.ledger({ path: '/rest' }))).toEqual(['/rest/b']);
    });

    it('stays when bodies are dropped by age', async () => {
      bench.setNow(BASE_MS);
      await bench.record(event(1, { ledger: facts(file('/a')) }));
      await bench.store.expire({ now: BASE_MS + 31 * DAY, days: 30, maxBytes: 2 ** 31 });
      expect(pathsOf(await bench.store.ledger({}))).toEqual(['/a']);
    });

    it('has one row for an event that is replayed, and the new facts of one that is superseded', async () => {
      await bench.record(event(1, { late: true, ledger: facts(file('/late')) }));
      await bench.record(event(1, { late: true, ledger: facts(file('/late')) }));
      expect(pathsOf(await bench.store.ledger({}))).toEqual(['/late']);
      await bench.record(event(1, { ledger: facts(file('/live')) }));
      expect(pathsOf(await bench.store.ledger({}))).toEqual(['/live']);
    });

    it('learns from the transcript how a command ended', async () => {
      const use = (useId: string) => ({ tool: { useId }, event: 'post_tool_use' as const });
      await bench.record(
        event(1, { ...use('one'), ledger: facts(command('true', null, null)) }),
        event(2, { ...use('two'), ledger: facts(command('false', null, null)) }),
        event(3, { ...use('three'), ledger: facts(command('exit 3', false, 3)) }),
        event(4, { ...use('six'), ledger: facts({ ...command('serve &', null, null), background: true }) }),
      );
      const session = (await bench.session()).id;
      const result = (useId: string, failed: boolean, n: number) => ({
        key: Buffer.from([n]),
        entry: redactor.value({
          ...{ kind: 'tool-result' as const, at: null, text: null, cut: 0, model: null, name: null, useId, failed, tokens: null },
        }),
      });
      await bench.store.addTranscript({
        ...{ session, path: redactor.text('/t'), agentId: null, format: 'f', notes: redactor.value([]), redaction: redactor.version },
        mark: { file: '1', size: 1, modifiedMs: 1, consumed: 1, tail: '', reader: 1, memory: '' },
        entries: [
          ...[result('one', false, 1), result('two', true, 2), result('three', false, 3), result('four', true, 4), result('five', true, 5)],
          result('six', false, 6),
        ],
      });
      // The transcript was there before these.
      await bench.record(
        event(5, { ...use('four'), ledger: facts(command('late', null, null)) }),
        event(6, { ...use('five'), ledger: facts({ ...command('serve on &', null, null), background: true }) }),
      );
      expect(await bench.store.ledger({ session })).toMatchObject([
        // That it was begun is all that the transcript has of it.
        { command: 'serve on &', ok: null, exitCode: null },
        { command: 'late', ok: false, exitCode: null },
        { command: 'serve &', ok: null, exitCode: null },
        { command: 'exit 3', ok: false, exitCode: 3 },
        { command: 'false', ok: false, exitCode: null },
        { command: 'true', ok: true, exitCode: 0 },
      ]);
    });

    it('has a commit once, with its whole name, whether git or Piton reported it first', async () => {
      const sha = '0123456789abcdef0123456789abcdef01234567';
      await bench.record(event(1, { ledger: facts({ kind: 'commit', sha: sha.slice(0, 7), subject: 'from git' }) }));
      const linked = (n: number, commit: string) => ({
        event: redactor.value({
          ...{ event: 'commit-linked' as const, id: stampOf(n), time: new Date(BASE_MS + n).toISOString(), commit_sha: commit },
          ...{ checkpoint_id: 'c', session_id: 'ref-1', agent: 'claude', branch: 'main', repo: '/r', kind: 'commit', base_sha: null },
          name: 'from Piton',
        }),
        projectPath: '/r',
        redaction: redactor.version,
      });
      await bench.store.recordPitonEvents([linked(2, sha), linked(3, 'f'.repeat(40))]);
      await bench.store.recordPitonEvents([linked(3, 'f'.repeat(40))]);
      expect(await bench.store.ledger({ kinds: ['commit'] })).toMatchObject([
        { sha: 'f'.repeat(40), subject: 'from Piton', eventId: stampOf(3) },
        { sha, subject: 'from git', eventId: stampOf(1) },
      ]);
      expect((await bench.session()).commits).toBe(2);
    });

    it('has each commit in the turn in which it was made', async () => {
      const commit = (sha: string) => ({ ledger: facts({ kind: 'commit', sha: sha.repeat(40), subject: null }) });
      await bench.record(
        event(1, commit('a')),
        ...[event(2, { event: 'user_prompt_submit', prompt: 'one' }), event(3, commit('b')), event(4, commit('c'))],
        ...[event(5, { event: 'user_prompt_submit', prompt: 'two' }), event(6, { event: 'user_prompt_submit', prompt: 'three' })],
        event(7, commit('d')),
      );
      const { commits, turnList } = await bench.session();
      expect([commits, turnList.map((turn) => turn.commits)]).toEqual([4, [3, 0, 1]]);
    });

    it('is redacted again like everything else', async () => {
      await bench.record(event(1, { ledger: facts(command('echo hunter2', true, 0)) }));
      const [stored] = await bench.store.bodies({ of: 'ledger', afterSeq: 0, limit: 10 });
      if (stored?.of !== 'ledger') throw new Error('no ledger row');
      const body = redactor.value({ ...stored.body, command: 'echo [gone]' } as LedgerEntry);
      await bench.store.rewriteBodies([{ of: 'ledger', seq: stored.seq, redaction: 'new', body }]);
      expect(await bench.store.ledger({})).toMatchObject([{ command: 'echo [gone]', ok: true, exitCode: 0 }]);
    });
  });

export const observations = (bench: Bench) =>
  describe('observations about a session', () => {
    const observed = async (n: number, at: number, more: { expiresUs?: bigint } = {}) => ({
      ...{ id: stampOf(n), session: (await bench.session()).id, kind: 'works' as const, redaction: redactor.version },
      ...{ wallUs: BigInt(BASE_MS + at) * 1000n, body: redactor.value({ at }), ...more },
    });
    const bodies = async () => (await bench.store.observations({ kinds: ['works'] })).map(({ body }) => body);

    it('change nothing in it, and the newer of the same id replaces the older', async () => {
      await bench.record(event(1, { cwd: '/r', repo: '/r' }));
      const { observations: _, ...before } = await bench.session();
      await bench.store.observe(await observed(9, 50));
      await bench.store.observe(await observed(9, 60));
      await bench.store.observe(await observed(9, 55));
      expect(await bench.store.observations({ path: '/r', kinds: ['works'] })).toMatchObject([{ body: { at: 60 }, agent: 'claude' }]);
      expect(await bench.store.observations({ path: '/elsewhere' })).toEqual([]);
      const { observations: __, ...after } = await bench.session();
      expect(after).toEqual(before);
    });

    it('are gone when they are deleted, and do not come back', async () => {
      await bench.record(event(1));
      await bench.store.observe(await observed(9, 50));
      await bench.store.deleteObservation(stampOf(9));
      await bench.store.observe(await observed(9, 60));
      expect(await bodies()).toEqual([]);
      expect((await bench.session()).observations).toMatchObject([{ body: null }]);
    });

    it('are found by a prefix that only one has, and no longer once they are gone', async () => {
      bench.setNow(BASE_MS);
      await bench.record(event(1));
      for (const n of [8, 9]) await bench.store.observe(await observed(n, 50, { expiresUs: BigInt(BASE_MS + n * DAY) * 1000n }));
      const [short] = await bench.store.shortIds('observation', [stampOf(9)]);
      expect(stampOf(9).startsWith(short ?? 'x')).toBe(true);
      expect(await bench.store.observation(short ?? '')).toMatchObject({ found: 'one', value: { id: stampOf(9) } });
      expect(await bench.store.observation(stampOf(9).slice(0, 9))).toEqual({ found: 'many', ids: [stampOf(8), stampOf(9)] });
      for (const ref of ['', '%', '_', `${stampOf(9)}0`]) expect(await bench.store.observation(ref)).toEqual({ found: 'none' });
      await bench.store.deleteObservation(stampOf(9));
      expect(await bench.store.observation(stampOf(9))).toEqual({ found: 'none' });
      bench.setNow(BASE_MS + 10 * DAY);
      expect(await bench.store.observation(stampOf(8))).toEqual({ found: 'none' });
    });

    it('are gone when they expire, and may be made again', async () => {
      bench.setNow(BASE_MS);
      await bench.record(event(1));
      await bench.store.observe(await observed(9, 50, { expiresUs: BigInt(BASE_MS + DAY) * 1000n }));
      expect(await bodies()).toEqual([{ at: 50 }]);
      bench.setNow(BASE_MS + 2 * DAY);
      expect(await bodies()).toEqual([]);
      await bench.store.expire({ now: BASE_MS + 2 * DAY, days: 30, maxBytes: 2 ** 31 });
      expect((await bench.session()).observations).toMatchObject([{ body: null }]);
      await bench.store.observe(await observed(9, 2 * DAY, { expiresUs: BigInt(BASE_MS + 9 * DAY) * 1000n }));
      expect(await bodies()).toEqual([{ at: 2 * DAY }]);
    });
  });
