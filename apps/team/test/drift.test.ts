import type { TeamInventory } from '@piton/contracts/team';
import { expect, it } from 'vitest';
import { driftOf, usualDigests } from '../src/drift.ts';

const now = new Date('2026-11-19T12:00:00Z');
const before = (hours: number): Date => new Date(now.getTime() - hours * 3_600_000);
const [ours, others] = [`sha256:${'a'.repeat(64)}`, `sha256:${'b'.repeat(64)}`];

const inventory = (more: Partial<TeamInventory> = {}): TeamInventory => ({
  ...{ at: now.toISOString(), piton: '0.1.0', platform: 'linux x64', mcpServers: [], guard: { builtIn: 'deny', lifted: false } },
  agents: [{ agent: 'codex', versions: [], registrations: [{ scope: 'user', repository: null, state: 'there' }], canaryAt: null }],
  hooks: [hook(ours)],
  ...more,
});
const hook = (digest: string | null, mode: 'enforce' | 'off' = 'enforce'): TeamInventory['hooks'][number] => ({
  ...{ hook: 'user:pre-tool-use/10-guard', scope: 'user', repository: null, event: 'pre_tool_use', mode, digest },
});
const machine = { lastSeenAt: before(0), lastEventAt: before(1), joinedAt: before(999), clockOffUs: 0 };
const usual = usualDigests([inventory(), inventory(), inventory({ hooks: [hook(others)] })]);
const kinds = (more: object, of: TeamInventory | null = inventory(), lastCommitAt: Date | null = null): string[] =>
  driftOf({ machine: { ...machine, ...more }, inventory: of, usual, lastCommitAt }, { silentHours: 24, now }).map(({ kind }) => kind);

it('a machine on which everything is as it was set up has none', () => expect(kinds({})).toEqual([]));

it('names a registration that is gone, a guard that is off or lifted, and a hook that differs from what most have', () => {
  const [agent] = inventory().agents;
  const gone = { ...agent, registrations: [{ scope: 'user' as const, repository: null, state: 'gone' as const }] } as typeof agent & object;
  expect(kinds({}, inventory({ agents: [gone] }))).toEqual(['registration']);
  expect(kinds({}, inventory({ guard: { builtIn: 'off', lifted: true } }))).toEqual(['guard', 'guard']);
  expect(kinds({}, inventory({ hooks: [hook(others)] }))).toEqual(['hook']);
  expect(kinds({}, inventory({ hooks: [hook(null)] }))).toEqual(['hook']);
  expect(kinds({}, inventory({ hooks: [hook(others, 'off')] }))).toEqual([]);
});

it('calls a machine silent only while commits appear', () => {
  expect(kinds({ lastEventAt: before(30) }, inventory(), before(1))).toEqual(['silent']);
  expect(kinds({ lastEventAt: before(30) }, inventory(), before(29))).toEqual([]);
  expect(kinds({ lastEventAt: before(30) }, inventory(), null)).toEqual([]);
  expect(kinds({ lastEventAt: null, joinedAt: before(30) }, inventory(), before(1))).toEqual(['silent']);
});

it('names a machine that nobody has seen, and a clock that is wrong', () => {
  expect(kinds({ lastSeenAt: before(25) }, null)).toEqual(['unseen']);
  expect(kinds({ clockOffUs: -3_600_000_000 })).toEqual(['clock']);
});

it('two machines that differ are no majority', () => {
  expect(usualDigests([inventory(), inventory({ hooks: [hook(others)] })]).size).toBe(0);
});
