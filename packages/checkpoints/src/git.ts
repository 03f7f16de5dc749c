import { spawn } from 'node:child_process';
import { once } from 'node:events';

export interface GitOptions {
  readonly cwd: string;
  readonly input?: Uint8Array | AsyncIterable<Uint8Array>;
  /** Set on top of the scrubbed environment; the only way a `GIT_*` variable gets in. */
  readonly environment?: Readonly<Record<string, string>>;
}

export interface GitResult {
  readonly code: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** The port: runs git with these arguments. A git that cannot be started, or takes too long, has code -1. */
export type Git = (args: readonly string[], options: GitOptions) => Promise<GitResult>;

export class GitError extends Error {
  constructor(args: readonly string[], result: GitResult) {
    super(`git ${args[0] ?? ''} failed (${result.code}): ${result.stderr.trim().slice(0, 500)}`);
    this.name = 'GitError';
  }
}

/** No hooks, no prompts, no network, no maintenance, no daemons: whatever the user has configured, we only read and write objects. */
const SETTINGS = [
  'core.hooksPath=/dev/null',
  // From 2.54 on hooks also stand in the configuration; these are the events that plumbing fires.
  'hook.reference-transaction.enabled=false',
  'hook.post-index-change.enabled=false',
  'core.fsmonitor=false',
  'gc.auto=0',
  'maintenance.auto=false',
  'protocol.allow=never',
  'core.quotePath=false',
].flatMap((setting) => ['-c', setting]);

const FIXED = {
  GIT_OPTIONAL_LOCKS: '0',
  GIT_TERMINAL_PROMPT: '0',
  GIT_ASKPASS: 'true',
  GIT_NO_LAZY_FETCH: '1',
  GIT_LITERAL_PATHSPECS: '1',
  GIT_NO_REPLACE_OBJECTS: '1',
  GIT_PAGER: 'cat',
  LC_ALL: 'C',
};

function scrubbed(environment: Readonly<Record<string, string | undefined>>): Record<string, string> {
  const kept: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value !== undefined && !name.startsWith('GIT_') && name !== 'SSH_ASKPASS') kept[name] = value;
  }
  return { ...kept, ...FIXED };
}

export interface GitPlace {
  readonly program?: string;
  /** The caller's environment; its `GIT_*` variables are left out, since a git hook gets those of the operation that runs it. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly timeoutMs?: number;
}

export function createGit({ program = 'git', environment, timeoutMs = 120_000 }: GitPlace): Git {
  const base = scrubbed(environment);
  return async (args, options) => {
    const child = spawn(program, [...SETTINGS, ...args], {
      cwd: options.cwd,
      env: { ...base, ...options.environment },
      stdio: ['pipe', 'pipe', 'pipe'],
      windowsHide: true,
    });
    const stdout: Buffer[] = [];
    const stderr: Buffer[] = [];
    child.stdout.on('data', (part: Buffer) => stdout.push(part));
    child.stderr.on('data', (part: Buffer) => stderr.push(part));
    // A git that has read enough closes its end; what it thought of that is in its exit code.
    child.stdin.on('error', () => {});
    // Not spawn's own: where there is no git, that one keeps the process for as long as git would have had.
    const limit = setTimeout(() => child.kill(), timeoutMs);
    const ended = new Promise<number>((resolve) => {
      child.on('error', (error) => {
        stderr.push(Buffer.from(String(error)));
        resolve(-1);
      });
      child.on('close', (code) => resolve(code ?? -1));
    }).finally(() => clearTimeout(limit));
    try {
      await feed(child.stdin, options.input);
    } catch (error) {
      child.kill();
      await ended;
      throw error;
    }
    return { code: await ended, stdout: Buffer.concat(stdout), stderr: Buffer.concat(stderr).toString() };
  };
}

async function feed(stdin: NodeJS.WritableStream & { destroyed?: boolean }, input: GitOptions['input']): Promise<void> {
  if (input instanceof Uint8Array) stdin.end(input);
  else if (input === undefined) stdin.end();
  else {
    for await (const part of input) {
      if (stdin.destroyed) return;
      if (!stdin.write(part)) await Promise.race([once(stdin, 'drain'), once(stdin, 'close')]);
    }
    stdin.end();
  }
}

/** The output of a git that must succeed. */
export async function gitOutput(git: Git, args: readonly string[], options: GitOptions): Promise<Buffer> {
  const result = await git(args, options);
  if (result.code !== 0) throw new GitError(args, result);
  return result.stdout;
}
