import { describe, expect, it } from 'vitest';
import type { LedgerEntry, Sums } from '../../src/index.ts';
import { BASE_MS, DENIED, event, redactor } from '../records.ts';
import type { Bench } from './bench.ts';

const QUARTER_MS = 900_000;
const files = (...paths: string[]) => redactor.value<readonly LedgerEntry[]>(paths.map((path) => ({ kind: 'file', path, tool: 'Write' })));
const at = (n: number, ms: number) => ({ wallUs: BigInt(BASE_MS + ms) * 1000n, monotonicUs: BigInt(n) * 1000n });

export const sums = (bench: Bench) =>
  describe('sums', () => {
    const all = (): Promise<Sums> => bench.store.sums({ sinceUs: 0 });
    const inOrder = ({ events }: Sums) =>
      [...events].sort((one, other) => one.fromUs - other.fromUs || one.agent.localeCompare(other.agent));
    const refresh = async (): Promise<void> => {
      while ((await bench.store.refreshSums(1)) > 0);
    };

    const day = () => [
      event(1, { event: 'user_prompt_submit', prompt: 'go', repo: '/r', ...at(1, 0) }),
      event(2, { event: 'pre_tool_use', tool: { command: 'rm' }, outcome: DENIED, repo: '/r', ...at(2, 1000) }),
      event(3, { event: 'pre_tool_use', tool: { command: 'ls' }, repo: '/r', ...at(3, 2000) }),
      event(4, { event: 'post_tool_use', tool: {}, repo: '/r', ledger: files('/r/a', '/r/b'), ...at(4, 3000) }),
      event(5, { event: 'post_tool_use_failure', tool: {}, derived: true, repo: '/r', ...at(5, 4000) }),
      event(6, { event: 'post_tool_use_failure', tool: {}, repo: '/r', ...at(6, QUARTER_MS) }),
      event(7, { event: 'pre_tool_use', tool: {}, canary: true, repo: '/r', ...at(7, QUARTER_MS) }),
      event(8, { event: 'pre_tool_use', agent: 'codex', session: 'ref-2', tool: {}, ...at(8, QUARTER_MS) }),
    ];
    const COUNTED = [
      { fromUs: BASE_MS * 1000, agent: 'claude', repo: '/r', turns: 1, tools: 2, denials: 1, failures: 0, files: 2 },
      { fromUs: (BASE_MS + QUARTER_MS) * 1000, agent: 'claude', repo: '/r', turns: 0, tools: 0, denials: 0, failures: 1, files: 0 },
      { fromUs: (BASE_MS + QUARTER_MS) * 1000, agent: 'codex', repo: null, turns: 0, tools: 1, denials: 0, failures: 0, files: 0 },
    ];

    it('are the same before they are kept, while they are, and after', async () => {
      await bench.record(...day());
      expect(inOrder(await all())).toEqual(COUNTED);
      await bench.store.refreshSums(1);
      expect(inOrder(await all())).toEqual(COUNTED);
      await refresh();
      const kept = await all();
      expect(inOrder(kept)).toEqual(COUNTED);
      expect(kept.counting).toBe(false);
      expect(kept.sessions.map(({ agent, sessions }) => [agent, sessions]).sort()).toEqual([
        ['claude', 1],
        ['codex', 1],
      ]);
    });

    it('follow events that come late, and those that replace others', async () => {
      await bench.record(...day());
      await refresh();
      await bench.record(event(9, { event: 'pre_tool_use', tool: {}, repo: '/r', ...at(9, 5000) }));
      expect(inOrder(await all())[0]).toMatchObject({ tools: 3, denials: 1 });
      await bench.record(event(10, { event: 'pre_tool_use', tool: {}, late: true, repo: '/r', ...at(10, 6000) }));
      await refresh();
      await bench.record(event(10, { event: 'pre_tool_use', tool: {}, outcome: DENIED, repo: '/r', ...at(10, 6000) }));
      expect(inOrder(await all())[0]).toMatchObject({ tools: 4, denials: 2 });
      await refresh();
      expect(inOrder(await all())[0]).toMatchObject({ tools: 4, denials: 2 });
    });

    it('are of a time, and of a repository', async () => {
      await bench.record(...day());
      await refresh();
      const later = await bench.store.sums({ sinceUs: (BASE_MS + QUARTER_MS) * 1000 });
      expect(later.events.map(({ agent }) => agent).sort()).toEqual(['claude', 'codex']);
      expect((await bench.store.sums({ sinceUs: 0, repo: '/r' })).events.every(({ repo }) => repo === '/r')).toBe(true);
    });
  });
