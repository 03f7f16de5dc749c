import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';

/** Carried by everything that a command starts, so that what left its session and its parents is still found. */
export const MARK = 'PITON_EXEC';

interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly group: number;
  readonly session: number;
  readonly start: number;
}

const ROUNDS = 40;

/**
 * Kills a command with everything it started. A process may fork while we look, so we look until nothing is left.
 * The C forwarder adopts orphans (PR_SET_CHILD_SUBREAPER) and needs no mark; Node cannot.
 */
export async function killTree(root: number, mark: string): Promise<void> {
  if (process.platform !== 'linux') return kill(-root);
  const since = processOf(root)?.start ?? 0;
  for (let round = 0; round < ROUNDS; round++) {
    // Looked up before the first is killed: an orphan no longer says whose it was.
    const found = members(root, mark, since);
    kill(-root);
    for (const pid of found) kill(pid);
    if (found.length === 0) return;
    await sleep(5);
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // gone already, or no longer ours
  }
}

function members(root: number, mark: string, since: number): number[] {
  const all = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map((name) => processOf(Number(name)));
  const living = all.filter((one) => one !== undefined);
  const found = new Set<number>();
  for (const one of living) {
    if (one.pid === root || one.group === root || one.session === root || (one.start >= since && isMarked(one.pid, mark)))
      found.add(one.pid);
  }
  for (let before = -1; before !== found.size; ) {
    before = found.size;
    for (const one of living) if (found.has(one.parent)) found.add(one.pid);
  }
  return [...found];
}

/** Undefined for what is gone and for zombies, which only wait for their parent. */
function processOf(pid: number): Process | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name stands in parentheses and may hold anything, parentheses included.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (fields[0] === 'Z' || fields[0] === 'X') return undefined;
    const [parent, group, session] = fields.slice(1, 4).map(Number) as [number, number, number];
    return { pid, parent, group, session, start: Number(fields[19]) };
  } catch {
    return undefined;
  }
}

function isMarked(pid: number, mark: string): boolean {
  try {
    return `\0${readFileSync(`/proc/${pid}/environ`, 'latin1')}`.includes(`\0${MARK}=${mark}\0`);
  } catch {
    return false; // another user's
  }
}
