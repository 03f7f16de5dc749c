import { statSync } from 'node:fs';
import { homedir } from 'node:os';
import type { SkipReason, SubscriptionEntry } from '@piton/contracts';
import { type RunRequest, type RunResult, type Sandbox, STDERR_CAP, type Subscription } from '@piton/hooks';
import { subscriptionEnvironment } from './environment.ts';
import type { Fired } from './fired.ts';

export type SubscriptionRequest = RunRequest<Subscription['event']>;

export interface RunPorts {
  /** A command or a module, in a clean environment. */
  readonly spawn: (request: SubscriptionRequest) => Promise<RunResult>;
  readonly sandbox: Sandbox;
}

/** Nothing reads the stdout of a subscription. The last line of its stderr says why it failed. */
const STDOUT_CAP = 64 * 1024;

/** Why it does not run, or undefined if it does. */
export function skipReason(subscription: Subscription, { event }: Fired): [SkipReason, string?] | undefined {
  const { enabled, targets, status } = subscription;
  if (!enabled) return ['disabled'];
  if (targets !== undefined && event.agent !== null && !targets.includes(event.agent)) return ['agent-not-targeted'];
  return status.kind === 'ready' || status.kind === 'changed' ? undefined : [status.kind, status.note];
}

export async function runSubscription(subscription: Subscription, fired: Fired, ports: RunPorts): Promise<SubscriptionEntry> {
  const { id: hook, scope, event } = subscription;
  const skip = skipReason(subscription, fired);
  if (skip !== undefined) {
    const [why, note] = skip;
    return { hook, scope, event, did: 'skipped', why, ...(note !== undefined && { note }) };
  }
  const startedUs = Math.max(0, (Date.now() - Date.parse(fired.event.time)) * 1000);
  const cwd = [fired.event.repo, fired.cwd].find((path) => path !== null && isDirectory(path)) ?? homedir();
  const argv = argvOf(subscription, cwd, ports.sandbox);
  if ('refused' in argv)
    return entryOf(subscription, startedUs, notStarted(`sandbox ${subscription.sandbox} is not available: ${argv.refused}`));
  try {
    return entryOf(subscription, startedUs, await ports.spawn(requestOf(subscription, fired, argv.argv, cwd)));
  } catch (error) {
    return { ...entryOf(subscription, startedUs, notStarted((error as Error).message)), did: 'ran', failed: 'lost' } as SubscriptionEntry;
  }
}

/** A module is confined with its host. */
function argvOf({ sandbox: profile = 'none', argv, module, folder }: Subscription, cwd: string, sandbox: Sandbox) {
  if (profile === 'none' || module !== undefined) return { argv };
  return sandbox.confine(argv, { profile, cwd, shown: [cwd, ...(folder === undefined ? [] : [folder])] });
}

function requestOf(hook: Subscription, { event }: Fired, argv: readonly string[], cwd: string): SubscriptionRequest {
  return {
    hook,
    argv,
    stdin: `${JSON.stringify(event)}\n`,
    cwd,
    // An agent that it starts is a child of this run. Its events reach no subscription, so this cannot loop.
    set: { ...subscriptionEnvironment(event), PITON_DEPTH: '1', PITON_RUN: event.id, ...hook.env },
    unset: [],
    timeoutMs: hook.timeoutMs,
    stdoutCap: STDOUT_CAP,
    stderrCap: STDERR_CAP,
  };
}

/** Only the exit code counts. */
function entryOf({ id: hook, scope, event }: Subscription, startedUs: number, result: RunResult): SubscriptionEntry {
  const { exitCode, timedOut, notStarted: unstarted, durationUs } = result;
  const [stdout, stderr] = [result.stdout, result.stderr].map((bytes) => Buffer.from(bytes).toString('utf8')) as [string, string];
  const last = stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  const withStderr = (text: string): string => (last === '' ? text : `${text}: ${last}`);
  const durationMs = Number(durationUs) / 1000;
  const ran = { hook, scope, event, did: 'ran', exitCode, startedUs, durationMs, said: { decision: 'observe' } } as const;
  const base = { ...ran, stdout, stderr };
  if (unstarted) return { ...base, failed: 'spawn', note: last || 'it could not be started' };
  if (timedOut) return { ...base, failed: 'timeout', timedOut: 'hook', note: withStderr('it timed out') };
  if (exitCode > 128) return { ...base, failed: 'crash', note: withStderr(`it was killed by signal ${exitCode - 128}`) };
  return exitCode === 0 ? base : { ...base, failed: 'exit', note: withStderr(`it exited with code ${exitCode}`) };
}

const notStarted = (why: string): RunResult => ({
  ...{ exitCode: 126, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: true, durationUs: 0n },
  ...{ stdout: Buffer.alloc(0), stderr: Buffer.from(why) },
});

const isDirectory = (path: string): boolean => {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
};
