import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import type { HookDefinition } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { sandboxHere } from '../programs.ts';
import { confined, openRunner, type Runner, strictSandbox } from './runner.ts';

export interface SafeRunner extends Runner {
  /** The hook with the sandbox profile that it needs here. */
  readonly restrict: (hook: HookDefinition) => HookDefinition;
}

export interface SafeRunnerOptions {
  readonly unsandboxed: boolean;
  readonly signal: AbortSignal;
  /** The command to repeat with `--unsandboxed`. */
  readonly command: string;
}

/** For events that already happened: a hook can read, but not write or use the network. */
export function openSafeRunner(context: Context, { unsandboxed, signal, command }: SafeRunnerOptions): SafeRunner {
  const home = context.env.HOME || homedir();
  const inner = sandboxHere(context, home);
  const problem = unsandboxed ? undefined : inner.problem('strict');
  if (problem !== undefined)
    throw new Failure(`no sandbox is available: ${problem}`, {
      remedy: `install it, or run without a sandbox: ${command} --unsandboxed`,
    });
  const emptyDirectory = realpathSync(mkdtempSync(join(tmpdir(), 'piton-spare-')));
  const runner = openRunner(context, {
    signal,
    ...(!unsandboxed && { sandbox: strictSandbox(inner, home) }),
    // The project may be gone by now.
    cwdFor: (cwd) => (existsSync(cwd) ? cwd : emptyDirectory),
  });
  return {
    ...runner,
    restrict: unsandboxed ? (hook) => hook : confined,
    close() {
      runner.close();
      rmSync(emptyDirectory, { recursive: true, force: true });
    },
  };
}
