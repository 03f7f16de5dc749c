import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { homedir } from 'node:os';
import { resolve } from 'node:path';
import { findProgram } from '../run/find-program.ts';
import { bubblewrapped } from './bubblewrap.ts';
import type { Confinement, SandboxProfile } from './profile.ts';
import { seatbelted } from './seatbelt.ts';

export type Confined = { readonly argv: readonly string[] } | { readonly refused: string };

export interface Sandbox {
  /** The command line that keeps `argv` to its profile, or why that cannot be had: then it must not run at all. */
  confine(argv: readonly string[], where: Omit<Confinement, 'home'>): Confined;
  /** Why a profile cannot be enforced on this machine, or undefined. */
  problem(profile: SandboxProfile): string | undefined;
}

export interface SandboxOptions {
  readonly platform?: NodeJS.Platform;
  readonly path?: string | undefined;
  /** Where bubblewrap lies, asked again when it has gone; without it, the first on `path`. */
  readonly bwrap?: () => string | undefined;
  readonly home?: string;
}

const PROBE_MS = 10_000;
/** Somebody may be installing it just now. */
const ASK_AGAIN_MS = 10_000;

/** Finds out once what this machine can do, and asks again only while it cannot. */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { platform = process.platform, path = process.env.PATH, home = homedir() } = options;
  const wrap = platform === 'linux' ? bubblewrapped : platform === 'darwin' ? seatbelted : undefined;
  const name = platform === 'darwin' ? 'sandbox-exec' : 'bwrap';
  const find = (platform === 'linux' && options.bwrap) || (() => findProgram(name, path));
  let proven: string | undefined;
  let failed: { at: number; why: string } | undefined;

  function program(): string | { readonly refused: string } {
    if (proven !== undefined && existsSync(proven)) return proven;
    if (failed !== undefined && Date.now() - failed.at < ASK_AGAIN_MS) return { refused: failed.why };
    const found = wrap === undefined ? undefined : find();
    const why = found === undefined ? missing(platform) : tried(found);
    if (why !== undefined || found === undefined) {
      failed = { at: Date.now(), why: why ?? '' };
      return { refused: failed.why };
    }
    proven = found;
    return found;
  }

  /** Being there is not enough: the kernel, or a container around us, may forbid it. */
  function tried(found: string): string | undefined {
    const [command = '', ...args] = wrap?.(found, { profile: 'strict', cwd: '/', home, shown: [] }, ['/bin/sh', '-c', ':']) ?? [];
    const { status, stderr, error } = spawnSync(command, args, {
      encoding: 'utf8',
      timeout: PROBE_MS,
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    return status === 0
      ? undefined
      : `${name} is installed but does not work: ${(error?.message ?? stderr.trim()) || `it exited with ${status}`}`;
  }

  return {
    problem(profile) {
      const found = profile === 'none' ? '' : program();
      return typeof found === 'string' ? undefined : found.refused;
    },
    confine(argv, where) {
      if (where.profile === 'none') return { argv };
      if (where.profile === 'strict' && home === '/') return { refused: 'HOME is the root directory, so it cannot be hidden' };
      if (where.profile === 'strict' && !where.mayShowHome && [where.cwd, ...where.shown].some((path) => resolve(path) === resolve(home)))
        return { refused: 'it works in HOME itself, so it would see all of it' };
      const found = program();
      if (typeof found !== 'string' || wrap === undefined) return typeof found === 'string' ? { refused: missing(platform) } : found;
      return { argv: wrap(found, { ...where, home, shown: where.shown.filter((each) => existsSync(each)) }, argv) };
    },
  };
}

const missing = (platform: NodeJS.Platform): string =>
  platform === 'linux'
    ? 'bubblewrap is not installed (bwrap on PATH): apt install bubblewrap, dnf install bubblewrap'
    : platform === 'darwin'
      ? 'sandbox-exec is not installed'
      : `no sandbox is supported on ${platform}`;
