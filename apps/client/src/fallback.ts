import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { agentFor } from '@piton/agents';
import { type CanonicalEvent, type Frame, monotonicUs } from '@piton/contracts';
import { repositoryOf } from '@piton/contracts/repository';
import {
  createBuiltInGuard,
  createBuiltIns,
  createModuleHosts,
  createSandbox,
  type HookDefinition,
  machineDisk,
  runCommand,
  type Spawn,
} from '@piton/hooks';
import {
  decideFrame,
  type FrameOutcome,
  type GuardSnapshot,
  type LifecyclePorts,
  readGuardSnapshot,
  receiveFrame,
  singleEvent,
  standInRecordText,
} from '@piton/lifecycle';
import { here } from './home.ts';
import { isWithin, sessionRootOf } from './session-root.ts';

export interface FallbackRequest {
  readonly frame: Frame;
  /** Of this environment: where the server leaves its snapshot. */
  readonly environment: string;
  readonly signal: AbortSignal;
  /** The frame as a file: what was decided is left beside it, for the server that will read both. */
  readonly journalFile: string;
}

/**
 * What a server would answer if only its `fail_closed` hooks were there: the same lifecycle, with hooks from the server's
 * snapshot and run here. Undefined means that it cannot be told, which is a deny for whoever asked.
 */
export async function fallback(request: FallbackRequest): Promise<string | undefined> {
  const { frame, environment, signal, journalFile } = request;
  const snapshot = readGuardSnapshot(readFileSync(join(environment, 'registry.json'), 'utf8'));
  if (snapshot === undefined) return undefined;
  const sandbox = createSandbox();
  const modules = createModuleHosts({ program: join(here(), 'module-host.mjs'), sandbox });
  const ports: LifecyclePorts = {
    ...singleEvent(),
    ...{ agentFor, repositoryOf, sandbox, nowUs: monotonicUs },
    hooksFor: (event) => [...builtIn(snapshot, event), ...inForce(snapshot.hooks, event, request)],
    modules: { run: (asked) => modules.run(asked, signal) },
    // No server can say whether that run is open; a guard that calls an agent must not call itself for ever.
    runs: { nestingOf: ({ depth }) => ({ parent: null, depth }), open: () => () => {} },
  };
  try {
    const prepared = receiveFrame(ports, frame).prepare();
    const { agent, unreadable, deciding } = prepared;
    // Of what cannot be read nobody can tell whose session it is, and so which guards are in force.
    if (agent === undefined || unreadable) return undefined;
    if (deciding.length === 0) return agent.noop(frame.nativeEvent).stdout;
    const decision = await decideFrame(ports, prepared, runHere(signal));
    const { answer } = decision.encoded;
    // A forwarder prints only stdout of us, and only after exit 0.
    if (answer.exitCode !== 0) return undefined;
    leave(journalFile, decision.outcome());
    return answer.stdout;
  } finally {
    modules.close();
  }
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

/** Piton's own files are kept while nobody else is there to do it, too. */
const builtIn = ({ guard }: GuardSnapshot, { names }: CanonicalEvent): readonly HookDefinition[] =>
  guard === undefined ? [] : createBuiltIns(createBuiltInGuard(guard.places, machineDisk), '')(guard.mode, names);

/**
 * Those of the user, and those of a project that holds one of: where the agent says it is, where we were started, where the
 * session began. `cd` never removes a guard; where nobody can say where the session began, each might be in force.
 */
function inForce(hooks: readonly HookDefinition[], event: CanonicalEvent, request: FallbackRequest): HookDefinition[] {
  const guards = hooks.filter((hook) => hook.failClosed && event.names.includes(hook.event));
  if (guards.every(({ root }) => root === null)) return guards;
  const began = sessionRootOf(request.environment, event);
  if (began === 'unsure') return guards;
  const places = [event.cwd, request.frame.cwd, ...(began === null ? [] : [began])];
  return guards.filter(({ root }) => root === null || places.some((place) => isWithin(place, root)));
}

const runHere =
  (signal: AbortSignal): Spawn =>
  ({ argv, stdin, cwd, set, unset, timeoutMs, stdoutCap, stderrCap }) =>
    runCommand({ id: 0, argv, cwd, set, unset, timeoutMs, stdoutCap, stderrCap, stdin: Buffer.from(stdin) }, { signal });
