import { dirname } from 'node:path';
import type { RunResult } from '../answer.ts';
import type { HookDefinition, HookEvent } from '../definition.ts';
import type { RunRequest } from '../hook-run.ts';
import { cleanEnvironment } from '../run/clean-environment.ts';
import type { Confined, Sandbox } from '../sandbox/sandbox.ts';
import { folderStamp } from './folder-stamp.ts';
import { Host } from './host.ts';

export interface ModuleHostsOptions {
  /** Where `module-host.mjs` lies. */
  readonly program: string;
  /** All that modules find in their environment: no credentials, and nothing of the agent's. */
  readonly env?: Readonly<Record<string, string>>;
  readonly memoryMb?: number;
  readonly idleMs?: number;
  /** Without one a module that asks to be confined does not run. */
  readonly sandbox?: Sandbox;
}

export interface ModuleHosts {
  /** Never rejects: what goes wrong is in the result. */
  run(request: RunRequest<HookEvent>, signal?: AbortSignal): Promise<RunResult>;
  close(): void;
}

interface Warm {
  readonly host: Host;
  /** Modules that were loaded there, and how their folders looked then. */
  readonly stamps: Map<string, string>;
  /** Begins anew with the end of each run. */
  readonly idle: NodeJS.Timeout;
}

const MEMORY_MB = 128;
const IDLE_MS = 10 * 60_000;
/** A module that ends its host at once must not be started over and over within one run. */
const MOST_MOVES = 3;

/** Modules of one scope and place share a warm process; those of another have their own. */
export function createModuleHosts(options: ModuleHostsOptions): ModuleHosts {
  const warm = new Map<string, Warm>();
  const make = (key: string, hook: HookDefinition<HookEvent>): Warm => {
    const confined = hostArgv(hook, options);
    if ('refused' in confined) throw new Error(`sandbox ${hook.sandbox} is not available: ${confined.refused}`);
    const retired = (host: Host): void => {
      if (warm.get(key)?.host !== host) return;
      clearTimeout(warm.get(key)?.idle);
      warm.delete(key);
    };
    const host = new Host({ argv: confined.argv, env: options.env ?? cleanEnvironment(), retired });
    const rested = (): void => {
      if (host.busy) idle.refresh();
      // A run that ended after its host was retired has wound the clock once more.
      else if (warm.get(key)?.host === host) host.retire();
    };
    const idle = setTimeout(rested, options.idleMs ?? IDLE_MS).unref();
    const made: Warm = { host, stamps: new Map(), idle };
    warm.set(key, made);
    return made;
  };
  /** What Node has imported it cannot forget: a module that changed needs a new process. */
  const fresh = (hook: HookDefinition<HookEvent>): Warm => {
    const { module = '' } = hook;
    const key = keyOf(hook);
    const stamp = folderStamp(module);
    const known = warm.get(key);
    const seen = known?.stamps.get(module);
    if (seen === stamp) return known as Warm;
    if (seen !== undefined) known?.host.retire();
    const one = warm.get(key) ?? make(key, hook);
    one.stamps.set(module, stamp);
    return one;
  };
  let closed = false;
  const run = (request: RunRequest<HookEvent>, signal: AbortSignal | undefined, moves: number): Promise<RunResult> => {
    if (closed) return notStarted('hooks no longer run');
    if (moves > MOST_MOVES) return notStarted('its host process did not start');
    const began = performance.now();
    let one: Warm;
    try {
      one = fresh(request.hook);
    } catch (error) {
      // No descriptors or no processes left: Node throws then.
      return notStarted((error as Error).message);
    }
    return new Promise((resolve) => {
      const moved = (): void => {
        // What it has waited counts.
        const timeoutMs = Math.max(1, request.timeoutMs - (performance.now() - began));
        void run({ ...request, timeoutMs }, signal, moves + 1).then(resolve);
      };
      one.host.run(request, signal, moved, (result) => {
        one.idle.refresh();
        resolve(result);
      });
    });
  };
  return {
    run: (request, signal) => run(request, signal, 0),
    close() {
      closed = true;
      for (const { host, idle } of warm.values()) {
        clearTimeout(idle);
        host.kill();
      }
      warm.clear();
    },
  };
}

/** A confined module is confined to its own folder: no other hook is in there with it. */
const keyOf = ({ scope, root, sandbox = 'none', folder }: HookDefinition<HookEvent>): string =>
  [scope, root ?? '', ...(sandbox === 'none' ? [] : [sandbox, folder ?? ''])].join('\0');

function hostArgv(hook: HookDefinition<HookEvent>, { program, memoryMb = MEMORY_MB, sandbox }: ModuleHostsOptions): Confined {
  const { sandbox: profile = 'none', folder, module = '', root } = hook;
  const argv = [process.execPath, `--max-old-space-size=${memoryMb}`, program];
  if (profile === 'none') return { argv: [...argv, String(process.pid)] };
  if (sandbox === undefined) return { refused: 'no sandbox is available' };
  const shown = [dirname(process.execPath), dirname(program), folder ?? dirname(module), ...(root === null ? [] : [root])];
  return sandbox.confine(argv, { profile, cwd: '/', shown });
}

const notStarted = async (why: string): Promise<RunResult> => ({
  exitCode: 126,
  timedOut: false,
  stdoutCut: false,
  stderrCut: false,
  notStarted: true,
  durationUs: 0n,
  stdout: Buffer.alloc(0),
  stderr: Buffer.from(why),
});
