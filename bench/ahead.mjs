// On a machine that others use: what is measured runs before all else. PITON_BENCH_AHEAD=1 asks for it; see bench/peers.md.
import { execFileSync } from 'node:child_process';

const isAsked = Boolean(process.env.PITON_BENCH_AHEAD);

/** All threads of a process, and what it starts from then on. */
function schedule(pid, policy, priority) {
  execFileSync('chrt', ['--all-tasks', policy, '--pid', String(priority), String(pid)], { stdio: 'ignore' });
}

/** For as long as it lives. */
export function putAhead(pid) {
  if (isAsked) schedule(pid, '--fifo', 1);
}

/** This process runs ahead for as long as that takes, and no longer. */
export async function ahead(work) {
  if (!isAsked) return work();
  schedule(process.pid, '--fifo', 1);
  try {
    return await work();
  } finally {
    schedule(process.pid, '--other', 0);
  }
}
