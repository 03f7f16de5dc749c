import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { speakerOf } from '@piton/agents';
import { budgetOf, type CanonicalEvent, capabilityOf, type Frame, type Outcome } from '@piton/contracts';
import { repositoryOf } from '@piton/contracts/repository';
import {
  createBuiltIns,
  createModuleHosts,
  createOwnGuard,
  createSandbox,
  decide,
  type GuardMode,
  type HookDefinition,
  type ModuleHosts,
  machineDisk,
  type OwnPlaces,
  plan,
  type RunRequest,
  type RunResult,
  runCommand,
} from '@piton/hooks';
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
 * What a server would answer if only its `fail_closed` hooks were there: it runs them here and encodes the decision.
 * Undefined means that it cannot be told, which is a deny for whoever asked.
 */
export async function fallback(request: FallbackRequest): Promise<string | undefined> {
  const { frame, environment, signal } = request;
  const snapshot = readSnapshot(environment);
  if (snapshot === undefined || frame.truncated) return undefined;
  const payload: unknown = JSON.parse(frame.payload.toString('utf8'));
  const hearing = { nativeEvent: frame.nativeEvent, cwd: frame.cwd, variables: frame.variables };
  const agent = speakerOf(frame.agent, payload, hearing);
  if (agent === undefined) return undefined;
  const event = agent.decode(payload, hearing);
  const { deciding } = plan(event, [...builtIn(snapshot, event), ...inForce(snapshot.hooks, event, request)]);
  if (deciding.length === 0) return agent.noop(frame.nativeEvent).stdout;
  const repository = repositoryOf(event.cwd);
  const sandbox = createSandbox();
  const modules = createModuleHosts({ program: join(here(), 'module-host.mjs'), sandbox });
  const { reduced, trace } = await decide({
    event,
    hooks: deciding,
    context: {
      eventId: frame.stamp,
      repo: repository?.root ?? null,
      branch: repository?.branch ?? null,
      transcriptFormat: agent.transcript?.name ?? null,
    },
    budgetMs: remaining(frame),
    secrets: agent.secrets,
    // No server can say whether that run is open; a guard that calls an agent must not call itself for ever.
    depth: frame.depth,
    run: frame.stamp,
    spawn: (asked) => run(asked, signal, modules),
    now: () => performance.now(),
    deniable: capabilityOf(agent.capabilities, event.event, 'deny').how === 'now',
    projectDir: repository?.root ?? event.cwd,
    sandbox,
  }).finally(() => modules.close());
  const { answer, delivered } = agent.encode(event, reduced, { attended: agent.attended(frame.variables, frame.terminal) });
  // A forwarder prints only stdout of us, and only after exit 0.
  if (answer.exitCode !== 0) return undefined;
  leave(request.journalFile, {
    outcome: { decision: reduced, trace, delivered },
    repo: repository?.root ?? null,
    branch: repository?.branch ?? null,
  });
  return answer.stdout;
}

/** A disk that is full costs the record of it, not the answer. */
function leave(journalFile: string, said: { outcome: Outcome; repo: string | null; branch: string | null }): void {
  try {
    writeFileSync(`${journalFile}.said`, JSON.stringify({ version: 1, ...said }), { mode: 0o600 });
  } catch {
    // then it is recorded as an event that nobody answered
  }
}

interface Snapshot {
  readonly hooks: readonly HookDefinition[];
  /** Left out by a server that did not know it yet. */
  readonly guard?: { readonly mode: GuardMode; readonly places: OwnPlaces };
}

function readSnapshot(environment: string): Snapshot | undefined {
  const read = JSON.parse(readFileSync(join(environment, 'registry.json'), 'utf8')) as Partial<Snapshot> & { version?: unknown };
  return read.version === 1 && Array.isArray(read.hooks) ? (read as Snapshot) : undefined;
}

/** Piton's own files are kept while nobody else is there to do it, too. */
const builtIn = ({ guard }: Snapshot, { names }: CanonicalEvent): readonly HookDefinition[] =>
  guard === undefined ? [] : createBuiltIns(createOwnGuard(guard.places, machineDisk), '')(guard.mode, names);

/**
 * Those of the user, and those of a project that holds one of: where the agent says it is, where we were started, where the
 * session began. `cd` never removes a guard; where nobody can say where the session began, each might be in force.
 */
function inForce(hooks: readonly HookDefinition[], event: CanonicalEvent, request: FallbackRequest): HookDefinition[] {
  const heard = hooks.filter((hook) => hook.failClosed && event.names.includes(hook.event));
  if (heard.every(({ root }) => root === null)) return heard;
  const began = sessionRootOf(request.environment, event);
  if (began === 'unsure') return heard;
  const places = [event.cwd, request.frame.cwd, ...(began === null ? [] : [began])];
  return heard.filter(({ root }) => root === null || places.some((place) => isWithin(place, root)));
}

function run(request: RunRequest, signal: AbortSignal, modules: ModuleHosts): Promise<RunResult> {
  const { hook, argv, stdin, cwd, set, unset, timeoutMs, stdoutCap, stderrCap } = request;
  if (hook.module !== undefined) return modules.run(request, signal);
  return runCommand({ id: 0, argv, cwd, set, unset, timeoutMs, stdoutCap, stderrCap, stdin: Buffer.from(stdin) }, { signal });
}

/** The event's budget less what has passed since the agent fired it, on the machine's monotonic clock. */
function remaining(frame: Frame): number {
  const passed = Number(process.hrtime.bigint() / 1000n - frame.monotonicUs) / 1000;
  return Math.max(0, budgetOf(frame.timeoutMs) - Math.max(0, passed));
}
