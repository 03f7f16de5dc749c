import { homedir } from 'node:os';
import { join } from 'node:path';
import { AGENTS, agentFor, findAgent } from '@piton/agents';
import { watchRepositories } from '@piton/checkpoints/repositories';
import { adviceOn } from '@piton/context';
import { GIT_HOOK_MARK, GIT_HOOKS, monotonicUs } from '@piton/contracts';
import { commandOfHome } from '@piton/contracts/command';
import type { Places } from '@piton/contracts/places';
import { programFinder } from '@piton/contracts/programs';
import { headMovedMs, pathPorts, repositoryOf } from '@piton/contracts/repository';
import { builtInGuardOf, createModuleHosts, createRegistry, createSandbox, type GuardedMachine, statOf } from '@piton/hooks';
import { Duplicates, type LifecyclePorts, Runs, SessionMemory, sessionNotice, ToolCalls } from '@piton/lifecycle';
import { hookReading } from '@piton/lifecycle/reading';
import { parseSettings } from '@piton/lifecycle/settings-text';
import { createRedactor } from '@piton/redact';
import { localStore } from '@piton/store';
import { Canaries } from './canaries.ts';
import { CheckpointThread } from './checkpoints/thread.ts';
import { ContextHooks } from './context/context-hooks.ts';
import { readContextSettings } from './context/context-settings.ts';
import { Journal } from './journal/journal.ts';
import { LastResorts } from './last-resort.ts';
import { createBurstCache } from './process/burst-cache.ts';
import { callerOf } from './process/caller.ts';
import { crashPoints } from './process/crash-points.ts';
import { ProblemLog } from './process/problem-log.ts';
import { startTimeOf } from './process/processes.ts';
import { openPulse } from './process/pulse.ts';
import { keyForLogs } from './record/live-redactor.ts';
import { type Recorder, startRecorder } from './record/recorder.ts';
import { handleRecorderReport } from './recorder-reports.ts';
import { openSessionFile } from './session-file.ts';
import { createState } from './state.ts';
import { createEventPublisher } from './subscriptions/event-publisher.ts';
import { transcriptsForHooks } from './transcripts/for-hooks.ts';
import { FrameHandler } from './transport/frame-handler.ts';
import { LatencyWindow } from './transport/latency-window.ts';
import { AgentVersionWatch } from './versions/agent-versions.ts';

export interface ServerOptions {
  readonly places: Places;
  readonly version: string;
  /** The directory of this server's program. */
  readonly program: string;
  /** `PATH` as it came from whichever agent started this. What is started here is not found by it. */
  readonly agentPath: string;
  readonly ended: () => void;
}

export type Server = ReturnType<typeof compose>;

/** Builds all parts of the server. Nothing listens yet. */
export function compose(options: ServerOptions, retire: () => void) {
  const { places, program } = options;
  const state = createState();
  // A problem may quote a payload or the output of a hook, as JSON errors do.
  const logs = createRedactor({ key: keyForLogs(places.home) });
  const redact = (text: string) => logs.text(text);
  const problems = new ProblemLog(places.logs, redact);
  const reportProblem: LifecyclePorts['reportProblem'] = (what, remedy, kind) => problems.add(redact(what), redact(remedy), kind);
  const quarantine = join(places.environment, 'aside');

  const directory = join(places.journal, `${process.pid}-${startTimeOf(process.pid)}`);
  let recorder: Recorder | undefined;
  const journal: Journal = new Journal({
    directory,
    reportProblem,
    grown(segment, size, sealed) {
      state.drainedAt = undefined;
      recorder?.send({ kind: 'grown', segment, size, sealed });
    },
  });
  recorder = startRecorder({
    script: join(program, 'recorder.cjs'),
    data: {
      home: places.home,
      config: places.config,
      store: localStore(places),
      journal: directory,
      environment: places.environment,
      quarantine,
    },
    reportProblem,
    onMessage: (message) => handleRecorderReport({ state, journal, publisher, context, reportProblem, retire }, message),
  });

  const cache = createBurstCache();
  const stat = cache.prefetched(statOf);
  let onSlow = (): void => {};
  const gitHooks = { names: GIT_HOOKS, mark: GIT_HOOK_MARK };
  const machine: GuardedMachine = { places, agents: AGENTS, env: process.env, gitHooks, pids: [process.pid] };
  const registry = createRegistry({
    config: places.config,
    trustDir: places.trust,
    ...hookReading(AGENTS, parseSettings),
    onSlow: () => onSlow(),
    stat,
    builtInGuard: builtInGuardOf(machine, stat),
    path: options.agentPath,
  });
  const { home, config, trust: trustDir } = places;
  // An agent has the person's `PATH`, mostly. Where it has not, the path of the launcher is as good.
  const command = (): string => commandOfHome(home, { path: options.agentPath, userHome: homedir() });
  const lastResorts = new LastResorts({ home, config, trustDir, agents: AGENTS, registry, reportProblem });
  const canaries = new Canaries();
  const sandbox = createSandbox({ bwrap: programFinder(places.home, 'bwrap', process.env['PATH'] ?? '') });
  const modules = createModuleHosts({ program: join(program, 'module-host.mjs'), sandbox });
  const latencies = new LatencyWindow();
  const pulse = openPulse(places.environment);
  const sessions = new SessionMemory(openSessionFile(places.environment, logs));
  const duplicates = new Duplicates();
  const paths = pathPorts();
  const checkoutOf = cache.cached(repositoryOf);
  const forHooks = transcriptsForHooks({ announce: () => journal.announce(), recorder, repositoryOf: checkoutOf });
  const lifecycle: LifecyclePorts = {
    ...paths,
    transcripts: { ...paths.transcripts, forHooks },
    agentFor,
    hooksFor(event, frame) {
      const hooks = registry.hooksFor({ cwd: event.cwd, sessionRoot: sessions.rootOf(event) }, event.names);
      lastResorts.meet(hooks, event.names);
      const own = context.hooksFor(event, frame);
      return own.length === 0 ? hooks : [...own, ...hooks];
    },
    contextReady: (event, frame) => context.ready(event, frame),
    repositoryOf: checkoutOf,
    noticeFor: ({ cwd }) => sessionNotice(registry, cwd),
    sessions,
    duplicates,
    toolCalls: new ToolCalls(),
    runs: new Runs(),
    modules,
    sandbox,
    isCanary: (frame, nowUs) => canaries.accept(frame, nowUs),
    callerOf,
    command,
    reportProblem,
    nowUs: monotonicUs,
  };
  const context: ContextHooks = new ContextHooks({
    settingsFor: (root) => readContextSettings(places.config, root, parseSettings),
    placeOf(cwd) {
      const repository = lifecycle.repositoryOf(cwd);
      return { place: repository?.root ?? cwd, branch: repository?.branch ?? null };
    },
    headMovedMs,
    ask(request) {
      // What was answered a moment ago is in the journal, and the recorder may not know it yet.
      journal.announce();
      recorder?.send(request);
    },
    command,
    redact,
    hasHook: (event, name) =>
      registry
        .hooksFor({ cwd: event.cwd, sessionRoot: sessions.rootOf(event) }, event.names)
        .some((hook) => hook.name === name && hook.enabled && hook.status.kind !== 'not-trusted'),
    settingsFile: join(places.config, 'settings.json'),
    nowMs: Date.now,
  });
  const publisher = createEventPublisher({ lifecycle, registry, journal, places, program, redact });
  const checkpoints = new CheckpointThread({
    script: join(program, 'checkpointer.cjs'),
    data: { home: places.home, config: places.config },
    watched: watchRepositories(places.home, stat),
    rootOf: (directory) => lifecycle.repositoryOf(directory)?.root ?? null,
    problem: reportProblem,
    made: publisher.made,
    pushed: (push) => void journal.appendPush(push),
    noWayBack: (session, text) => handler.notify(session, text),
    allReceived: () => handler.allReceived(),
  });
  const handler: FrameHandler = new FrameHandler({
    lifecycle,
    journal,
    latencies,
    crash: crashPoints(places.environment),
    beat: pulse.beat,
    checkpoints: checkpoints.turns,
    publisher,
    versions: new AgentVersionWatch({
      home: places.home,
      findAgent,
      reportProblem,
      notify: (session, text) => handler.notify(session, text),
    }),
    findAgent,
    adviceOn({ event, agent }) {
      const advice = agent && event.sessionId !== '' ? adviceOn(event, agent.title) : undefined;
      return advice && redact(advice);
    },
    denyFor: (agent, nativeEvent) => lastResorts.denyFor(agent, nativeEvent),
  });
  onSlow = () => handler.onSlow();
  return {
    ...{ options, state, problems, reportProblem, quarantine, journal, recorder, cache, registry, lastResorts, canaries, modules },
    ...{ latencies, pulse, duplicates, publisher, checkpoints, context, handler },
  };
}

/** Resolves when everything journalled so far is stored and searchable. */
export function flush({ journal, recorder }: Pick<Server, 'journal' | 'recorder'>): Promise<number> {
  journal.announce();
  return recorder.flush();
}
