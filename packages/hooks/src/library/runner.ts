import type { RunResult } from '../answer.ts';
import type { HookDefinition } from '../definition.ts';
import type { RunRequest, Spawn } from '../hook-run.ts';
import { runFunction } from './function-run.ts';
import type { HookFunction } from './hook.ts';

export interface RunnerOptions {
  readonly functions: ReadonlyMap<HookDefinition, HookFunction>;
  readonly signal?: AbortSignal | undefined;
  /** Variables that commands must not see; a trailing `*` is a prefix. */
  readonly unset?: readonly string[] | undefined;
}

/** Runs what a hook is made of, in this process or as its child. */
export function createRunner({ functions, signal, unset = [] }: RunnerOptions): Spawn {
  return async (request) => {
    signal?.throwIfAborted();
    const result = await started(request, functions.get(request.hook), signal, unset);
    if (result.timedOut && signal?.aborted) signal.throwIfAborted();
    return result;
  };
}

async function started(
  request: RunRequest,
  fn: HookFunction | undefined,
  signal: AbortSignal | undefined,
  unset: readonly string[],
): Promise<RunResult> {
  if (fn !== undefined) return runFunction(fn, request, signal);
  if (request.hook.module !== undefined) {
    // Loaded when the first module is met: most loops have none.
    const { sharedHosts } = await import('../module/shared-host.ts');
    return sharedHosts().run(request, signal);
  }
  // Starting processes is most of what there is to load; functions need none of it.
  const { runCommand } = await import('../run/index.ts');
  const { hook: _, stdin, ...rest } = request;
  return runCommand(
    { ...rest, unset: [...request.unset, ...unset], id: 0, stdin: Buffer.from(stdin) },
    signal === undefined ? {} : { signal },
  );
}
