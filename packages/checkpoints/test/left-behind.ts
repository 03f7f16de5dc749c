import { readdirSync, readFileSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';

/** Until nothing lives any more of what a process left behind that led a group of its own: a git that it had started works on without it. */
export async function groupEnded(leader: number | undefined): Promise<void> {
  while (readdirSync('/proc').some((name) => /^\d+$/.test(name) && livesIn(leader, name))) await wait(20);
}

function livesIn(group: number | undefined, pid: string): boolean {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const [state, , theirs] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return Number(theirs) === group && state !== 'Z';
  } catch {
    return false;
  }
}
