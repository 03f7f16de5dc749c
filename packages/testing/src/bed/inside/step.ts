import { spawn } from 'node:child_process';
import type { BedStep, StepResult } from '../job.ts';

const STEP_LIMIT_MS = 60_000;
const HELD_AFTER_MS = 2_000;

/** Runs a command in its own session, and kills its group at the limit. */
export function runStep(step: BedStep, cwd: string, env: Readonly<Record<string, string>>): Promise<StepResult> {
  const started = Date.now();
  const [command, ...args] = step.argv;
  const child = spawn(command, args, {
    cwd: step.cwd ?? cwd,
    env: { ...env, ...step.env },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text;
    });
  }
  child.stdin.on('error', () => {}); // it may end without reading
  child.stdin.end(step.input ?? '');

  return new Promise((resolve) => {
    let timedOut = false;
    const limit = setTimeout(() => {
      timedOut = true;
      if (child.pid) process.kill(-child.pid, 'SIGKILL');
    }, step.limitMs ?? STEP_LIMIT_MS);
    const end = (exit: number | string, outputHeld: boolean): void => {
      clearTimeout(limit);
      resolve({ name: step.name, exit, timedOut, outputHeld, ...output, wallMs: Date.now() - started });
    };
    child.once('error', (error) => end(`not started: ${error.message}`, false));
    child.once('exit', (code, signal) => {
      const held = setTimeout(() => end(code ?? signal ?? 'unknown', true), HELD_AFTER_MS);
      child.once('close', () => {
        clearTimeout(held);
        end(code ?? signal ?? 'unknown', false);
      });
    });
  });
}
