import type { TeamInventory } from '@piton/contracts/team';
import type { Machine } from '@piton/store/team';

/** Something that is not as it should be on a machine. */
export interface Drift {
  readonly kind: 'registration' | 'guard' | 'hook' | 'silent' | 'unseen' | 'clock';
  readonly what: string;
}

export interface DriftInput {
  readonly machine: Pick<Machine, 'lastSeenAt' | 'lastEventAt' | 'joinedAt' | 'clockOffUs'>;
  readonly inventory: TeamInventory | null;
  readonly usual: UsualDigests;
  /** Its last commit, checkpoint or push. */
  readonly lastCommitAt: Date | null;
}

const HOUR_MS = 3_600_000;
const CLOCK_US = 5 * 60_000_000;

export function driftOf(input: DriftInput, { silentHours, now }: { readonly silentHours: number; readonly now: Date }): Drift[] {
  const { machine, inventory, lastCommitAt } = input;
  const found: Drift[] = [];
  const add = (kind: Drift['kind'], what: string): void => void found.push({ kind, what });
  for (const { agent, registrations } of inventory?.agents ?? []) {
    for (const { scope, repository, state } of registrations) {
      if (state === 'there') continue;
      const where = repository === null ? `for the ${scope}` : `in ${repository.id}`;
      add('registration', `the registration of ${agent} ${where} is ${state}`);
    }
  }
  if (inventory !== null && inventory.guard.builtIn !== 'deny') add('guard', `the built-in guard is set to ${inventory.guard.builtIn}`);
  if (inventory?.guard.lifted) add('guard', 'agents may confirm for the person: a variable lifts the question');
  for (const { hook, digest, mode, repository } of inventory?.hooks ?? []) {
    const usual = input.usual.get(hookKey(hook, repository?.id));
    if (usual !== undefined && digest !== usual && mode !== 'off') add('hook', `${hook} is not what most machines have`);
  }
  const since = machine.lastEventAt ?? machine.joinedAt;
  const limit = silentHours * HOUR_MS;
  if (lastCommitAt !== null && lastCommitAt.getTime() - since.getTime() > limit)
    add('silent', `no event of an agent since ${since.toISOString()}, and commits until ${lastCommitAt.toISOString()}`);
  const seen = machine.lastSeenAt ?? machine.joinedAt;
  if (now.getTime() - seen.getTime() > limit) add('unseen', `nothing at all since ${seen.toISOString()}`);
  if (Math.abs(machine.clockOffUs) > CLOCK_US) add('clock', `its clock is off by ${Math.round(machine.clockOffUs / 1_000_000)} s`);
  return found;
}

/** By hook, the digest that more than half of the machines with it have. */
export type UsualDigests = ReadonlyMap<string, string>;

const hookKey = (hook: string, repository: string | undefined): string => `${repository ?? ''}\0${hook}`;

export function usualDigests(inventories: readonly (TeamInventory | null)[]): UsualDigests {
  const counts = new Map<string, Map<string, number>>();
  for (const inventory of inventories) {
    for (const { hook, digest, repository } of inventory?.hooks ?? []) {
      const key = hookKey(hook, repository?.id);
      const of = counts.get(key) ?? new Map<string, number>();
      counts.set(key, of.set(digest ?? '', (of.get(digest ?? '') ?? 0) + 1));
    }
  }
  return new Map(
    [...counts].flatMap(([key, of]) => {
      const all = [...of.values()].reduce((sum, count) => sum + count, 0);
      const [most] = [...of].filter(([digest, count]) => digest !== '' && count * 2 > all && all > 1);
      return most === undefined ? [] : [[key, most[0]] as const];
    }),
  );
}
