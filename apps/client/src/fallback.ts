import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { agentFor } from '@piton/agents';
import { keepCall, noWayBackText } from '@piton/checkpoints/kept';
import { type Frame, monotonicUs, type NativeAnswer } from '@piton/contracts';
import { commandOfHome, nameCommand } from '@piton/contracts/command';
import type { Places } from '@piton/contracts/places';
import { isProgram, notedPrograms } from '@piton/contracts/programs';
import { pathPorts, repositoryOf } from '@piton/contracts/repository';
import { createModuleHosts, createSandbox, findProgram, runCommand, type Spawn } from '@piton/hooks';
import {
  decideFrame,
  type FrameDecision,
  type FrameOutcome,
  type LifecyclePorts,
  type PreparedFrame,
  receiveFrame,
  singleEvent,
  standInRecordText,
  withUserMessage,
} from '@piton/lifecycle';
import { here } from './home.ts';
import { readPolicies } from './policies.ts';

export interface FallbackRequest {
  readonly frame: Frame;
  readonly places: Places;
  readonly signal: AbortSignal;
  /** The frame as a file: what was decided is left beside it, for the server that will read both. Undefined where none could be written. */
  readonly journalFile: string | undefined;
}

/**
 * What a server would answer if only the built-in guard and `fail_closed` hooks were there: the same lifecycle and the same reading
 * of hooks, which run here. Undefined means that it cannot be told: then whoever asked prints the last resort.
 */
export async function fallback(request: FallbackRequest): Promise<NativeAnswer | undefined> {
  const { frame, places, signal, journalFile } = request;
  const policies = readPolicies(places, frame);
  if (policies === undefined) return undefined;
  const sandbox = createSandbox({ path: '', bwrap: () => bubblewrapOf(places.home) });
  const modules = createModuleHosts({ program: join(here(), 'module-host.mjs'), sandbox });
  const ports: LifecyclePorts = {
    ...singleEvent(),
    ...pathPorts(),
    ...{ agentFor, repositoryOf, sandbox, nowUs: monotonicUs },
    hooksFor: policies.hooksFor,
    command: () => commandOfHome(places.home, { path: process.env['PATH'], userHome: homedir() }),
    modules: { run: (asked) => modules.run(asked, signal) },
    // No server can say whether that run is open; a guard that calls an agent must not call itself for ever.
    runs: { nestingOf: ({ depth }) => ({ parent: null, depth }), open: () => () => {} },
  };
  try {
    const received = receiveFrame(ports, frame);
    await received.complete();
    const prepared = received.prepare();
    const { agent, unreadable, deciding } = prepared;
    // Of what cannot be read nobody can tell whose session it is, and so which policies are in force. The built-in guard always is.
    if (agent === undefined || (unreadable && policies.couldDeny)) return undefined;
    const decided = deciding.length === 0 ? null : await decideFrame(ports, prepared, runHere(signal));
    const isDenied = decided?.reduced.verdict === 'deny';
    const decision = isDenied ? decided : await withWayBack(ports, prepared, decided, places.home);
    if (decision === null) return agent.noop(frame.nativeEvent);
    const { answer } = decision.encoded;
    // What a forwarder passes on of us.
    if (answer.exitCode !== 0 && answer.exitCode !== 2) return undefined;
    if (journalFile !== undefined) leave(journalFile, decision.outcome());
    return answer;
  } finally {
    modules.close();
  }
}

/** Keeps what the call would change, or says once that it has no way back. Null: there is nothing to answer. */
async function withWayBack(
  ports: LifecyclePorts,
  prepared: PreparedFrame,
  decided: FrameDecision | null,
  home: string,
): Promise<FrameDecision | null> {
  const { event, frame } = prepared;
  const kept = keepCall({ home, stamp: frame.stamp, event, atMs: Number(frame.wallUs / 1000n) });
  if (kept?.noWayBack === undefined || !kept.isNews) return decided;
  const silent = decided ?? (await decideFrame(ports, prepared, noCommand));
  const telling = withUserMessage(prepared, silent, nameCommand(noWayBackText(event.tool?.name ?? 'tool', kept.noWayBack), ports.command));
  if (telling !== null) kept.told();
  return telling ?? decided;
}

const noCommand: Spawn = () => Promise.reject(new Error('nothing to run'));

/** `PATH` is the agent's: a bubblewrap that lies in the project would confine nothing, and could answer for the hook. */
function bubblewrapOf(home: string): string | undefined {
  const { bwrap } = notedPrograms(home);
  return bwrap !== undefined && isProgram(bwrap) ? bwrap : findProgram('bwrap', '');
}

/** A disk that is full costs the record of it, not the answer. */
function leave(journalFile: string, outcome: FrameOutcome): void {
  if (outcome.kind !== 'decided') return;
  try {
    writeFileSync(`${journalFile}.said`, standInRecordText(outcome), { mode: 0o600 });
  } catch {
    // then it is recorded as an event that nobody answered
  }
}

const runHere =
  (signal: AbortSignal): Spawn =>
  ({ argv, stdin, cwd, set, unset, timeoutMs, stdoutCap, stderrCap }) =>
    runCommand({ id: 0, argv, cwd, set, unset, timeoutMs, stdoutCap, stderrCap, stdin: Buffer.from(stdin) }, { signal });
