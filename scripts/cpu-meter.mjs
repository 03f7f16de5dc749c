// Loaded into every test file when `scripts/test-cpu.mjs` measures: appends what the file cost to a report. Where there are control
// groups, the file and all that it starts have one of their own, which counts on when servers outlive their parents.
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { afterAll } from 'vitest';

/** Clock ticks of this worker and of the children that it has waited for. In a thread only its own: children are the process's. */
function ticks() {
  const stat = readFileSync(isMainThread ? '/proc/self/stat' : '/proc/thread-self/stat', 'utf8');
  // The name in brackets may hold blanks. After it come the state (3) and, from field 14, utime, stime, cutime, cstime.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [user, system, childUser, childSystem] = fields.slice(11, 15).map(Number);
  return { self: user + system, children: isMainThread ? childUser + childSystem : 0 };
}

const { PITON_TEST_CPU: report, PITON_TEST_CPU_GROUPS: groups } = process.env;
const file = globalThis.__vitest_worker__?.filepath;
/** A thread cannot leave its process's group. */
const group = groups && isMainThread ? `${groups}/${encodeURIComponent(file)}` : undefined;
if (group) {
  mkdirSync(group, { recursive: true });
  writeFileSync(`${group}/cgroup.procs`, String(process.pid));
}
const before = ticks();

afterAll(() => {
  const after = ticks();
  const line = { file, group, self: after.self - before.self, children: after.children - before.children };
  appendFileSync(report, `${JSON.stringify(line)}\n`);
});
