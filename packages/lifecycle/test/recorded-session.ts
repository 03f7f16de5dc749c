import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentFor } from '@piton/agents';
import { monotonicUs } from '@piton/contracts';
import { pathPorts } from '@piton/contracts/repository';
import { createSandbox, type HookDefinition, type RunRequest, type RunResult } from '@piton/hooks';
import { decideFrame } from '../src/decide-frame.ts';
import type { LifecyclePorts } from '../src/ports.ts';
import { receiveFrame } from '../src/received-frame.ts';
import { Runs } from '../src/runs.ts';
import { SessionMemory } from '../src/session/memory.ts';
import { singleEvent } from '../src/single-event.ts';
import { frame } from './frames.ts';

export interface NativeEventOf {
  readonly event: string;
  readonly stdin: string;
}

/** The events of a recorded session, in order, as the agent sent them. */
export function recordedSession(agent: string, folder: string): NativeEventOf[] {
  const directory = join(import.meta.dirname, '../../agents/src', agent, 'fixtures/recorded', folder);
  return readdirSync(directory)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => {
      const { event, stdin } = JSON.parse(readFileSync(join(directory, file), 'utf8')) as { event: string; stdin: unknown };
      return { event, stdin: JSON.stringify(stdin) };
    });
}

export type Payload = Record<string, unknown> & { hook_event_name: string; piton: { event: string; native: unknown } };

const SILENT: RunResult = {
  ...{ exitCode: 0, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: false, durationUs: 1n },
  ...{ stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) },
};

/** What hooks on these events read while a session passes by, and the text of their stdin. */
export async function hooksRead(agent: string, session: readonly NativeEventOf[], on: readonly HookDefinition['event'][]) {
  const texts: string[] = [];
  const answer = async ({ stdin }: RunRequest): Promise<RunResult> => {
    texts.push(stdin);
    return SILENT;
  };
  const hooks = on.map(
    (event): HookDefinition => ({
      ...{ id: `user:${event}`, name: 'h', scope: 'user', event, source: '/h', argv: ['/h'], env: {}, matcher: '' },
      ...{ timeoutMs: 1000, enabled: true, observe: false, failClosed: false, injectOutput: undefined, may: [], root: null },
      status: { kind: 'ready' },
    }),
  );
  const ports: LifecyclePorts = {
    ...singleEvent(),
    ...pathPorts(),
    // No test may need an idle machine.
    transcripts: { ...pathPorts().transcripts, patienceMs: 60_000 },
    sessions: new SessionMemory({ read: () => [], append: () => {} }),
    ...{ agentFor, repositoryOf: () => null, runs: new Runs(), nowUs: monotonicUs, sandbox: createSandbox() },
    hooksFor: ({ names }) => names.flatMap((name) => hooks.filter(({ event }) => event === name)),
    modules: { run: answer },
  };
  for (const { event: nativeEvent, stdin } of session) {
    const received = receiveFrame(ports, frame(stdin, { agent, nativeEvent, cwd: '/', monotonicUs: monotonicUs() }));
    await received.complete();
    const decided = await decideFrame(ports, received.prepare(), answer);
    await decided.afterwards?.(answer);
  }
  return { texts, payloads: texts.map((text) => JSON.parse(text) as Payload) };
}
