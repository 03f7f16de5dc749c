import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ForwarderRun, TestHome } from '@piton/testing';

const AGENTS = join(import.meta.dirname, '..', '..', 'packages', 'agents', 'src');

export interface Recorded {
  readonly event: string;
  readonly payload: Record<string, unknown>;
}

/** Payloads that the real agent sent, in their order, as if it had worked in this home. */
export function recorded(home: TestHome, agent: string, path: string): Recorded[] {
  const folder = join(AGENTS, agent, 'fixtures', 'recorded', path);
  return readdirSync(folder)
    .sort()
    .map((name) => {
      const text = readFileSync(join(folder, name), 'utf8').replaceAll('$REPO', home.work).replaceAll('$HOME', home.root);
      const { event, stdin } = JSON.parse(text) as { event: string; stdin: Record<string, unknown> };
      return { event, payload: stdin };
    });
}

/** One event through one registration. */
export function fireAs(
  home: TestHome,
  agent: string,
  nativeEvent: string,
  payload: object,
  { scope = 'user', env = {} }: { scope?: 'user' | 'project'; env?: Record<string, string> } = {},
): Promise<ForwarderRun> {
  const child = spawn(home.places.forwarder, [agent, nativeEvent, scope, '60000', '-'], {
    cwd: home.work,
    env: { PATH: process.env.PATH ?? '/usr/bin:/bin', HOME: home.root, ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (out.stdout += data));
  child.stderr.on('data', (data) => (out.stderr += data));
  child.stdin.end(JSON.stringify(payload));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out }));
  });
}
