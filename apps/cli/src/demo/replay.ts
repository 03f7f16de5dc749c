import { spawn } from 'node:child_process';
import { findAgent } from '@piton/agents';
import type { Installed } from '@piton/contracts';
import { findProgram } from '@piton/hooks';
import { Failure } from '../failure.ts';
import { applyAgent, installedAt, planAgent } from '../install/agent-plan.ts';
import { configPlaces } from '../install/config-place.ts';
import { installTarget } from '../install/edit.ts';
import type { DemoEnvironment } from './environment.ts';
import type { DemoSession } from './sessions/index.ts';

export interface SentEvent {
  readonly agent: string;
  readonly event: string;
  readonly roundTripMs: number;
  readonly answer: string;
  readonly exitCode: number | null;
  /** The time to spawn `true` the same way just before: what a process costs right now. */
  readonly baselineMs: number;
}

/** Sends a session's events one by one through the command lines that `init` writes, as the agent would. */
export async function replaySession(demo: DemoEnvironment, session: DemoSession, stop: AbortSignal): Promise<SentEvent[]> {
  const lines = register(demo, session.agent);
  const sent: SentEvent[] = [];
  const program = findProgram('true', '');
  const smallest = program ? [program] : ['/bin/sh', '-c', 'true']; // some systems have a shell alone
  for (const { event, payload } of session.steps) {
    const line = lines.find(({ registration }) => registration.nativeEvent === event);
    if (!line) throw new Failure(`${session.agent} has no registration for ${event}`);
    const baseline = await start(demo, smallest, '', stop);
    const run = await start(demo, argvOf(line), fillVariables(JSON.stringify(payload), demo), stop);
    sent.push({ agent: session.agent, event, roundTripMs: run.ms, answer: run.stdout, exitCode: run.exitCode, baselineMs: baseline.ms });
  }
  return sent;
}

function register(demo: DemoEnvironment, id: string): readonly Installed[] {
  const agent = findAgent(id);
  if (!agent) throw new Failure(`the demo has a session of an unknown agent: ${id}`);
  const files = configPlaces(agent, 'user', demo.home, demo.context.env);
  const target = installTarget(demo.places.forwarder, 'user', demo.home);
  applyAgent(demo.places, planAgent(files, target));
  return installedAt(files, target);
}

/** A recording uses variables for the paths of its run. Some agents turn a path into a name. */
const fillVariables = (text: string, { repository, home }: DemoEnvironment): string =>
  text
    .replaceAll('$NAME_OF_REPO', nameOf(repository))
    .replaceAll('$NAME_OF_HOME', nameOf(home))
    .replaceAll('$REPO', repository)
    .replaceAll('$HOME', home);
const nameOf = (path: string): string => path.replace(/[^A-Za-z0-9]/g, '-');

const argvOf = ({ command }: Installed): readonly string[] => ('argv' in command ? command.argv : ['/bin/sh', '-c', command.shell]);

interface Run {
  readonly ms: number;
  readonly stdout: string;
  readonly exitCode: number | null;
}

function start(demo: DemoEnvironment, [program = '', ...args]: readonly string[], input: string, stop: AbortSignal): Promise<Run> {
  stop.throwIfAborted();
  return new Promise((resolve, reject) => {
    const started = performance.now();
    const child = spawn(program, args, {
      cwd: demo.repository,
      env: { ...demo.context.env },
      stdio: ['pipe', 'pipe', 'ignore'],
      signal: stop,
    });
    let stdout = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString('utf8');
    });
    child.stdin.on('error', () => {});
    child.on('error', (error) => {
      if (!stop.aborted) reject(new Failure(`cannot run a program: ${error.message}`, { where: program }));
    });
    // Wait for the exit even when it was aborted.
    child.on('close', (exitCode) =>
      stop.aborted ? reject(new Failure('stopped')) : resolve({ ms: performance.now() - started, stdout, exitCode }),
    );
    child.stdin.end(input);
  });
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  return sorted.length % 2 === 1 ? (sorted[middle] ?? 0) : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}
