import { spawn } from 'node:child_process';
import { type Line, leftMs } from './call.ts';
import type { PluginEvent } from './send-event.ts';

/** A forwarder gives up by itself; this is for one that cannot. */
const GRACE_MS = 200;

const argsOf = ({ agent, nativeEvent, scope, timeoutMs, variables }: Line): string[] => [
  agent,
  nativeEvent,
  scope,
  String(timeoutMs),
  variables.join(',') || '-',
];

/** It goes on by itself: only one of all that are started at once stays. */
export function startServer(forwarder: string): void {
  spawn(forwarder, ['--serve'], { stdio: 'ignore' }).on('error', () => undefined);
}

/** The event by a process, as agents without plugins send it. Undefined: it did not start, or did not end in time. */
export function runForwarder(event: PluginEvent, deadline: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn(event.forwarder, argsOf(event.registration), { cwd: event.cwd, stdio: ['pipe', 'pipe', 'ignore'] });
    const timer = setTimeout(() => {
      child.kill('SIGKILL');
      resolve(undefined);
    }, leftMs(deadline) + GRACE_MS);
    const parts: Buffer[] = [];
    const end = (text: string | undefined): void => {
      clearTimeout(timer);
      resolve(text);
    };
    child.on('error', () => end(undefined));
    child.stdout.on('data', (part: Buffer) => parts.push(part));
    child.on('close', (code) => end(code === 0 ? Buffer.concat(parts).toString('utf8') : undefined));
    child.stdin.on('error', () => undefined); // it may end without reading
    child.stdin.end(event.payload);
  });
}
