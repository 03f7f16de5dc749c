import { agentFor } from '@piton/agents';
import { monotonicUs } from '@piton/contracts';
import { pathPorts } from '@piton/contracts/repository';
import { createSandbox, type HookDefinition, type RunRequest, type RunResult } from '@piton/hooks';
import type { LifecyclePorts } from '../src/ports.ts';
import { Runs } from '../src/runs.ts';
import { singleEvent } from '../src/single-event.ts';

/** For one frame in no repository, with these hooks, all of which `answer` stands for. */
export const decidingPorts = (hooks: readonly HookDefinition[], answer: (request: RunRequest) => Promise<RunResult>): LifecyclePorts => ({
  ...singleEvent(),
  ...pathPorts(),
  ...{ agentFor, repositoryOf: () => null, runs: new Runs(), nowUs: monotonicUs, sandbox: createSandbox() },
  hooksFor: ({ names }) => names.flatMap((name) => hooks.filter(({ event }) => event === name)),
  modules: { run: answer },
});
