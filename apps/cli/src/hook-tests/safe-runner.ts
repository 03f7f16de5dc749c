import { existsSync, mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { createSandbox, type HookDefinition } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { confined, openRunner, type Runner, strictSandbox } from './runner.ts';

export interface SafeRunner extends Runner {
  /** The hook as it may run here. */
  readonly restrict: (hook: HookDefinition) => HookDefinition;
}

export interface SafeRunnerOptions {
  readonly unsandboxed: boolean;
  readonly signal: AbortSignal;
  /** To be typed again with `--unsandboxed`. */
  readonly command: string;
}

/** For what once happened and shall not happen again: a hook reads, and can write nothing and reach nobody. */
export function openSafeRunner(context: Context, { unsandboxed, signal, command }: SafeRunnerOptions): SafeRunner {
  const home = context.env.HOME || homedir();
  const inner = createSandbox({ path: context.env.PATH, home });
  const problem = unsandboxed ? undefined : inner.problem('strict');
  if (problem !== undefined)
    throw new Failure(`no sandbox is available: ${problem}`, {
      remedy: `install it, or run without a sandbox: ${command} --unsandboxed`,
    });
  const emptyDirectory = realpathSync(mkdtempSync(join(tmpdir(), 'piton-spare-')));
  const runner = openRunner(context, {
    signal,
    ...(!unsandboxed && { sandbox: strictSandbox(inner, home) }),
    // A project that is gone by now.
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
