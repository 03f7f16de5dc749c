import { join } from 'node:path';
import { cleanEnvironment, createModuleHosts, type HookDefinition, type ModuleHosts, runCommand, type Sandbox } from '@piton/hooks';
import type { RehearsalPorts } from '@piton/lifecycle';
import type { Context } from '../context.ts';
import { sandboxHere } from '../programs.ts';
import { REHEARSAL_CONTEXT } from './rehearsal-context.ts';

export interface RunnerOptions {
  readonly sandbox?: Sandbox;
  /** The directory for a hook whose own does not exist, or must not be touched. */
  readonly cwdFor?: (cwd: string) => string;
  /** Variables that the agent would have set, on top of our environment. */
  readonly variables?: Readonly<Record<string, string>>;
  /** The variables of another home. */
  readonly home?: Readonly<Record<string, string>> | undefined;
  readonly signal?: AbortSignal;
  /** Hosts of modules that outlive the runner. Without these it has its own. */
  readonly modules?: ModuleHosts;
}

export interface Runner extends RehearsalPorts {
  close(): void;
}

type HostOptions = Pick<RunnerOptions, 'sandbox' | 'cwdFor' | 'home'>;

/** The warm processes of modules, as the server has them. */
export function openModules(context: Context, options: HostOptions): ModuleHosts {
  const { home } = options;
  return createModuleHosts({
    program: join(context.distribution, 'module-host.mjs'),
    sandbox: sandboxOf(context, options),
    ...(home && { env: { ...cleanEnvironment(), ...home } }),
  });
}

function sandboxOf(context: Context, { sandbox, cwdFor = (cwd) => cwd }: HostOptions): Sandbox {
  const inner = sandbox ?? sandboxHere(context);
  return { ...inner, confine: (argv, where) => inner.confine(argv, { ...where, cwd: cwdFor(where.cwd) }) };
}

/** Runs hooks here, as the forwarder would in the agent's place. */
export function openRunner(context: Context, options: RunnerOptions = {}): Runner {
  const { cwdFor = (cwd) => cwd, signal, variables, home } = options;
  const modules = options.modules ?? openModules(context, options);
  return {
    ...REHEARSAL_CONTEXT,
    sandbox: sandboxOf(context, options),
    modules: { ...modules, run: (request) => modules.run(request, signal) },
    close: () => {
      if (options.modules === undefined) modules.close();
    },
    spawn: ({ argv, cwd, set, unset, timeoutMs, stdoutCap, stderrCap, stdin }) =>
      runCommand(
        { id: 0, argv, cwd: cwdFor(cwd), set, unset, timeoutMs, stdoutCap, stderrCap, stdin: Buffer.from(stdin) },
        { ...(signal && { signal }), environment: { ...context.env, ...home, ...variables } },
      ),
  };
}

/** Read-only: nothing outside a private /tmp can be written, and there is no network. A profile that hides HOME still does. */
export function strictSandbox(inner: Sandbox, home: string): Sandbox {
  return {
    problem: () => inner.problem('strict'),
    confine(argv, { profile, cwd, shown }) {
      if (profile === 'strict') return inner.confine(argv, { profile, cwd, shown });
      return inner.confine(argv, { profile: 'strict', cwd, shown: [...shown, home, ...argv.slice(0, 1)], mayShowHome: true });
    },
  };
}

/** A hook without a sandbox profile would not be confined at all: it gets one, which `strictSandbox` tightens. */
export const confined = (hook: HookDefinition): HookDefinition => ({ ...hook, sandbox: hook.sandbox ?? 'read-only' });
