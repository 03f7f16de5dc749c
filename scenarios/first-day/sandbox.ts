import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { COMMAND, removeHome, runPiton } from '@piton/testing';

export const CLI = COMMAND;

export interface Said {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Given {
  readonly cwd?: string;
  readonly env?: Readonly<Record<string, string | undefined>>;
  readonly input?: string;
}

/** An empty HOME and an empty directory of their own, and the built command running in them. */
export interface Sandbox {
  readonly home: string;
  readonly settings: string;
  readonly state: string;
  readonly config: string;
  readonly env: NodeJS.ProcessEnv;
  piton(args: readonly string[], given?: Given): Promise<Said>;
  /** As JSON, whatever the exit code. */
  json<T>(args: readonly string[], given?: Given): Promise<T>;
  start(args: readonly string[], given?: Given): ChildProcess;
  write(path: string, text: string, mode?: number): string;
  read(path: string): string;
  repository(name?: string): string;
  end(): Promise<void>;
}

export function sandbox(): Sandbox {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-first-day-')));
  const state = join(home, '.local', 'state', 'piton');
  const config = join(home, '.config', 'piton');
  const env: NodeJS.ProcessEnv = {
    // No agent of this machine's is on it: only Node, git and the shell.
    PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    LANG: 'C.UTF-8',
    PITON_ALLOW_UNDER_AGENT: '1',
  };
  const environmentOf = (given: Given): NodeJS.ProcessEnv => ({ ...env, ...given.env });

  const start = (args: readonly string[], given: Given = {}): ChildProcess =>
    spawn(process.execPath, [CLI, ...args], { cwd: given.cwd ?? home, env: environmentOf(given) });

  const piton = async (args: readonly string[], given: Given = {}): Promise<Said> => {
    const { cwd = home, input } = given;
    const { code, stdout, stderr } = await runPiton(args, { cwd, env: environmentOf(given), ...(input !== undefined && { input }) });
    return { code, stdout, stderr };
  };

  return {
    home,
    settings: join(home, '.claude', 'settings.json'),
    state,
    config,
    env,
    start,
    piton,
    async json<T>(args: readonly string[], given: Given = {}): Promise<T> {
      const said = await piton([...args, '--json'], given);
      try {
        return JSON.parse(said.stdout) as T;
      } catch {
        throw new Error(`no JSON from ${args.join(' ')} (exit ${said.code}):\n${said.stdout}\n${said.stderr}`);
      }
    },
    write(path, text, mode = 0o644) {
      const file = resolve(home, path);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, text, { mode });
      return file;
    },
    read: (path) => readFileSync(resolve(home, path), 'utf8'),
    repository(name = 'work') {
      const path = join(home, name);
      mkdirSync(path, { recursive: true });
      execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: path, env });
      return path;
    },
    async end() {
      const remove = async (): Promise<void> => {
        if (existsSync(state)) await removeHome({ root: home, places: placesOf(state, config) });
        else rmSync(home, { recursive: true, force: true });
      };
      await remove().catch(() => {
        // A test has taken away the right to look into a folder.
        execFileSync('chmod', ['-R', 'u+rwX', home]);
        return remove();
      });
    },
  };
}
