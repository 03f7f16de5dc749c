import { spawn } from 'node:child_process';
import type { ReadinessProbe } from '@piton/contracts';

type Environment = Readonly<Record<string, string | undefined>>;

const LIMIT_MS = 10_000;
/** Stdin is closed after this long without output, unless the probe says when it is done. */
const IDLE_MS = 1500;
const MAX_OUTPUT = 4 * 1024 * 1024;

/** The output of a program of the agent, or null if it cannot run or does not answer in time. */
export function runProbe(probe: ReadinessProbe, cwd: string, env: Environment, limitMs: number = LIMIT_MS): Promise<string | null> {
  const [program = '', ...args] = probe.argv;
  return new Promise((resolve) => {
    // In its own process group: what it starts must not outlive the probe.
    const child = spawn(program, args, { cwd, env: { ...env }, stdio: ['pipe', 'pipe', 'ignore'], detached: true });
    let output = '';
    const kill = (): void => {
      try {
        if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
      } catch {
        // already gone
      }
    };
    const finish = (answer: string | null): void => {
      clearTimeout(limit);
      clearTimeout(idle);
      kill();
      resolve(answer);
    };
    const limit = setTimeout(() => finish(null), limitMs);
    const close = (): void => void child.stdin.end();
    const idle = setTimeout(close, IDLE_MS);
    child.stdout.setEncoding('utf8');
    child.stdout.on('data', (chunk: string) => {
      output += chunk;
      if (output.length > MAX_OUTPUT) return finish(null);
      if (probe.until?.test(output)) return finish(output);
      if (!probe.until) idle.refresh();
    });
    child.stdin.on('error', () => {}); // it need not read all of it
    child.on('error', () => finish(null));
    child.on('close', (code) => finish(code === 0 || output !== '' ? output : null));
    child.stdin.write(probe.stdin);
    if (probe.until) clearTimeout(idle);
  });
}
