import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { shell } from '../grounds.ts';
import { type Row, rowsOf, type Side } from './rows.ts';
import { type World, worldAt } from './world.ts';

/** How many rows there are of a class, and how many the guard stopped. */
export interface Count {
  readonly class: string;
  readonly rows: number;
  readonly stopped: number;
  /** Of those that were written after the rules. */
  readonly later: { readonly rows: number; readonly stopped: number };
}

export const isStopped = ({ guard, project }: World, { command }: Row): boolean => guard(shell(command, project)) !== undefined;

export function countsOf(side: Side, world: World): Count[] {
  const rows = rowsOf(side).map((row) => ({ ...row, stopped: isStopped(world, row) }));
  return [...new Set(rows.map((row) => row.class))].map((name) => {
    const own = rows.filter((row) => row.class === name);
    const later = own.filter(({ isLater }) => isLater);
    return { class: name, ...sizeOf(own), later: sizeOf(later) };
  });
}

const sizeOf = (rows: readonly { readonly stopped: boolean }[]): { rows: number; stopped: number } => ({
  rows: rows.length,
  stopped: rows.filter(({ stopped }) => stopped).length,
});

/** Both sides, for the page. */
export function corpusCounts(): { readonly attacks: Count[]; readonly harmless: Count[] } {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-counts-')));
  try {
    const world = worldAt(base);
    return { attacks: countsOf('attacks', world), harmless: countsOf('harmless', world) };
  } finally {
    rmSync(base, { recursive: true, force: true });
  }
}
