import { join } from 'node:path';
import { createModuleHosts, createSandbox, type HookDefinition, runCommand, type Sandbox } from '@piton/hooks';
import type { RehearsalPorts } from '@piton/lifecycle';
import type { Context } from '../context.ts';
import { REHEARSAL_CONTEXT } from './rehearsal-context.ts';

export interface RunnerOptions {
  readonly sandbox?: Sandbox;
  /** Where a hook stands whose own directory is not there, or not to be touched. */
  readonly cwdFor?: (cwd: string) => string;
  /** What the agent would have set, over our own environment. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly signal?: AbortSignal;
}

export interface Runner extends RehearsalPorts {
  close(): void;
}

/** What runs hooks here, as the forwarder would in the agent's place. */
export function openRunner(context: Context, options: RunnerOptions = {}): Runner {
  const { cwdFor = (cwd) => cwd, signal, variables } = options;
  const inner = options.sandbox ?? createSandbox({ path: context.env.PATH, ...(context.env.HOME && { home: context.env.HOME }) });
  const sandbox: Sandbox = { ...inner, confine: (argv, where) => inner.confine(argv, { ...where, cwd: cwdFor(where.cwd) }) };
  const modules = createModuleHosts({ program: join(context.distribution, 'module-host.mjs'), sandbox });
  return {
    ...REHEARSAL_CONTEXT,
    sandbox,
    modules: { ...modules, run: (request) => modules.run(request, signal) },
    close: modules.close,
    spawn: ({ argv, cwd, set, unset, timeoutMs, stdoutCap, stderrCap, stdin }) =>
      runCommand(
        { id: 0, argv, cwd: cwdFor(cwd), set, unset, timeoutMs, stdoutCap, stderrCap, stdin: Buffer.from(stdin) },
        { ...(signal && { signal }), environment: { ...context.env, ...variables } },
      ),
  };
}

/** Confined to reading: nothing outside a private /tmp can be written, and nobody reached. What hid HOME hides it still. */
export function strictSandbox(inner: Sandbox, home: string): Sandbox {
  return {
    problem: () => inner.problem('strict'),
    confine(argv, { profile, cwd, shown }) {
      const seen = profile === 'strict' ? [] : [home, ...argv.slice(0, 1)];
      return inner.confine(argv, { profile: 'strict', cwd, shown: [...shown, ...seen] });
    },
  };
}

/** A hook without a profile of its own is not confined at all: here it gets one, for `strictSandbox` to tighten. */
export const confined = (hook: HookDefinition): HookDefinition => ({ ...hook, sandbox: hook.sandbox ?? 'read-only' });
