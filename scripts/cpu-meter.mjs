// Loaded into every test file when `scripts/test-cpu.mjs` measures: appends what the file cost to a report.
import { appendFileSync, readFileSync } from 'node:fs';
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

const before = ticks();
const file = globalThis.__vitest_worker__?.filepath;

afterAll(() => {
  const after = ticks();
  const line = { file, self: after.self - before.self, children: after.children - before.children };
  appendFileSync(process.env.PITON_TEST_CPU, `${JSON.stringify(line)}\n`);
});
