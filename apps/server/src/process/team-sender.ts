import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import { STDERR_CAP } from '@piton/hooks';
import { runEnvironment } from '../subscriptions/environment.ts';
import { createRunner } from '../subscriptions/runner.ts';

/** Nobody waits for it: not at a start, where an agent does. */
const FIRST_MS = 3000;
const AGAIN_MS = 30 * 60_000;
const LIMIT_MS = 20_000;

/** On a machine of a team: starts the process that sends, unless it runs. It is started from another thread, and never waited for. */
export function keepTeamSender(places: Places, program: string): () => void {
  const look = (): void => {
    if (!existsSync(join(places.home, 'team', 'membership.json'))) return;
    const { run } = createRunner(join(program, 'subscriber.cjs'), runEnvironment(places));
    const argv = [process.execPath, join(program, 'cli.mjs'), 'team-sender', '--detach'];
    const request = { argv, stdin: '', cwd: '/', set: {}, unset: [], timeoutMs: LIMIT_MS, stdoutCap: 1024, stderrCap: STDERR_CAP };
    // Whether it runs shows `piton team status`.
    run(request).catch(() => {});
  };
  const timers = [setTimeout(look, FIRST_MS), setInterval(look, AGAIN_MS)];
  for (const timer of timers) timer.unref();
  return () => {
    for (const timer of timers) clearTimeout(timer);
  };
}
