import { agentFor } from '@piton/agents';
import { monotonicUs } from '@piton/contracts';
import { pathPorts } from '@piton/contracts/repository';
import { createSandbox, type HookDefinition, type RunRequest, type RunResult } from '@piton/hooks';
import type { LifecyclePorts } from '../src/ports.ts';
import { Runs } from '../src/runs.ts';
import { singleEvent } from '../src/single-event.ts';

const PATHS = pathPorts();

/** For one frame in no repository, with these hooks, all of which `answer` stands for. */
export const decidingPorts = (hooks: readonly HookDefinition[], answer: (request: RunRequest) => Promise<RunResult>): LifecyclePorts => ({
  ...singleEvent(),
  ...PATHS,
  // No test may need an idle machine.
  transcripts: { ...PATHS.transcripts, patienceMs: 60_000 },
  ...{ agentFor, repositoryOf: () => null, runs: new Runs(), nowUs: monotonicUs, sandbox: createSandbox() },
  hooksFor: ({ names }) => names.flatMap((name) => hooks.filter(({ event }) => event === name)),
  modules: { run: answer },
});
