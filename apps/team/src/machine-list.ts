import type { TeamInventory } from '@piton/contracts/team';
import type { Machine, TenantStore, Viewer } from '@piton/store/team';
import { type Drift, driftOf, usualDigests } from './drift.ts';

/** A machine as an admin sees it. */
export interface MachineLine {
  readonly machine: string;
  readonly name: string;
  readonly os: string;
  readonly piton: string;
  readonly joinedAt: string;
  readonly leftAt: string | null;
  readonly lastSeenAt: string | null;
  readonly lastEventAt: string | null;
  /** Its clock minus the server's. */
  readonly clockOffMs: number;
  readonly gaps: number;
  readonly agents: readonly { readonly agent: string; readonly versions: readonly string[]; readonly canaryAt: string | null }[];
  readonly hooks: number;
  readonly drift: readonly Drift[];
}

export interface DriftOptions {
  readonly silentHours: number;
  readonly now: Date;
}

export async function describeMachines(tenant: TenantStore, viewer: Viewer, options: DriftOptions): Promise<readonly MachineLine[]> {
  const machines = await tenant.machines(viewer);
  const usual = usualDigests(machines.filter(({ leftAt }) => leftAt === null).map(inventoryOf));
  const lines: MachineLine[] = [];
  for (const machine of machines) {
    const inventory = inventoryOf(machine);
    const [commit] =
      machine.leftAt === null ? await tenant.events({ machine: machine.id, kinds: ['push', 'piton-event'], limit: 1 }, viewer) : [];
    lines.push({
      ...{ machine: machine.id, name: machine.name, os: machine.os, piton: machine.pitonVersion, joinedAt: machine.joinedAt.toISOString() },
      ...{ leftAt: at(machine.leftAt), lastSeenAt: at(machine.lastSeenAt), lastEventAt: at(machine.lastEventAt) },
      ...{ clockOffMs: Math.round(machine.clockOffUs / 1000), gaps: machine.gaps },
      agents: (inventory?.agents ?? []).map(({ agent, versions, canaryAt }) => ({ agent, versions, canaryAt })),
      hooks: inventory?.hooks.length ?? 0,
      drift: machine.leftAt === null ? driftOf({ machine, inventory, usual, lastCommitAt: commit?.at ?? null }, options) : [],
    });
  }
  return lines;
}

/** What it sent was checked against its schema when it came. */
const inventoryOf = ({ inventory }: Machine): TeamInventory | null => inventory as TeamInventory | null;
const at = (date: Date | null): string | null => date?.toISOString() ?? null;
