import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { createTestHome, eventually, killServers, removeHome, runForwarder, runPitonSync, serverPids, type TestHome } from '@piton/testing';

/** A watched repository in which agents work, as their hooks tell of it. One for each test. */
let home: TestHome;
let calls = 0;

export function openTree(files: Readonly<Record<string, string>>): TestHome {
  home = createTestHome();
  git('init', '-q', '-b', 'main');
  for (const [name, text] of Object.entries(files)) write(name, text);
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  // What `piton init` notes for a repository.
  writeFileSync(join(home.places.home, 'repositories'), `${home.work}\n`);
  return home;
}

export const closeTree = (): Promise<void> => removeHome(home);

const environment = () => ({
  ...{ PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root, GIT_CONFIG_NOSYSTEM: '1', NO_COLOR: '1' },
});

export const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=T', '-c', 'user.email=t@example.com', ...args], {
    ...{ cwd: home.work, env: environment(), encoding: 'utf8' },
  });

export const piton = (...args: string[]) => {
  const { status, stdout, stderr } = runPitonSync(args, { cwd: home.work, env: { ...environment(), PITON_ALLOW_UNDER_AGENT: '1' } });
  return { status, stdout, stderr };
};

export const file = (name: string): string => join(home.work, name);
export const read = (name: string): string | null => (existsSync(file(name)) ? readFileSync(file(name), 'utf8') : null);
export function write(name: string, content: string): void {
  mkdirSync(dirname(file(name)), { recursive: true });
  writeFileSync(file(name), content);
}
export const inShell = (line: string): void => void execFileSync('sh', ['-c', line], { cwd: home.work, env: environment() });

export const event = (session: string, name: string, more: object) =>
  runForwarder(home, name, { session_id: session, hook_event_name: name, cwd: home.work, ...more });

/** A call that was announced, and not ended yet. */
export interface OpenCall {
  readonly said: string;
  /** What the answer to its end says. */
  end(): Promise<string>;
}

export const agent = (session: string) => {
  const begin = async (tool_name: string, tool_input: object): Promise<OpenCall> => {
    const call = { tool_name, tool_input, tool_use_id: `call-${++calls}` };
    const { stdout } = await event(session, 'PreToolUse', call);
    return { said: stdout, end: async () => (await event(session, 'PostToolUse', { ...call, tool_response: {} })).stdout };
  };
  const around = async (tool_name: string, tool_input: object, act: () => void): Promise<string> => {
    const call = await begin(tool_name, tool_input);
    act();
    await call.end();
    return call.said;
  };
  return {
    begin,
    beginWrite: (name: string, content: string) => begin('Write', { file_path: file(name), content }),
    prompt: (prompt: string) => event(session, 'UserPromptSubmit', { prompt }),
    stop: () => event(session, 'Stop', { stop_hook_active: false }),
    shell: (command: string) => around('Bash', { command }, () => inShell(command)),
    write: (name: string, content: string) => around('Write', { file_path: file(name), content }, () => write(name, content)),
  };
};

export interface ListedCall {
  readonly id: string;
  readonly number: number | null;
  readonly tool: string;
  readonly what: string;
  readonly wayBack: 'image' | 'files' | 'none';
  readonly why?: string;
}
export const listedCalls = (): ListedCall[] => JSON.parse(piton('rewind', '--calls', '--json').stdout) as ListedCall[];

export interface ListedCheckpoint {
  readonly id: string;
  readonly kind: string;
  readonly by: string;
  readonly name: string;
  readonly session: string | null;
  readonly agent: string | null;
  readonly turn: string | null;
  readonly files: readonly string[] | null;
}
export const checkpoints = (): ListedCheckpoint[] => JSON.parse(piton('checkpoints', 'list', '--json').stdout) as ListedCheckpoint[];

/** Who wrote each line: a session, `human` or `shared`. */
export function authors(name: string): [string, string][] {
  const { stdout, stderr } = piton('blame', name, '--json');
  if (stdout === '') throw new Error(stderr);
  const lines = JSON.parse(stdout) as { by: string; session: string | null; text: string }[];
  return lines.map(({ by, session, text }) => [by === 'agent' ? (session ?? by) : by, text]);
}

const serverPid = (): number => {
  const [pid] = serverPids(home);
  if (pid === undefined) throw new Error('no server');
  return pid;
};

/** The server stands still from now on. */
export function freeze(): { readonly silent: () => Promise<void>; readonly thaw: () => void } {
  const pid = serverPid();
  process.kill(pid, 'SIGSTOP');
  return {
    /** Until no forwarder waits for it any longer. */
    silent: async () => void (await eventually(() => Date.now() - statSync(join(home.places.environment, 'pulse')).mtimeMs > 1100)),
    thaw: () => void process.kill(pid, 'SIGCONT'),
  };
}

/** The server stands still meanwhile, and its pulse is old. */
export async function stalled(act: () => Promise<void>): Promise<void> {
  const { silent, thaw } = freeze();
  try {
    await silent();
    await act();
  } finally {
    thaw();
  }
}

/** No server can be started meanwhile. */
export async function dead(act: () => Promise<void>): Promise<void> {
  const program = join(home.places.runtime, 'test', 'server.cjs');
  const works = readFileSync(program);
  killServers(home);
  writeFileSync(program, 'process.exit(1);');
  try {
    await act();
  } finally {
    writeFileSync(program, works);
    for (const name of readdirSync(home.places.environment)) if (name.startsWith('backoff')) rmSync(join(home.places.environment, name));
  }
}

/** Servers that start from now on have a git that stands still while it is held. */
export function slowGit(): { readonly hold: () => void; readonly reached: () => Promise<void>; readonly release: () => void } {
  const [program, gate, mark] = ['slow-git', 'slow-git.held', 'slow-git.reached'].map((name) => join(home.root, name)) as [
    string,
    string,
    string,
  ];
  const lines = [`[ -e '${gate}' ] && touch '${mark}'`, `while [ -e '${gate}' ]; do sleep 0.05; done`, 'exec git "$@"'];
  writeFileSync(program, `#!/bin/sh\n${lines.join('\n')}\n`, { mode: 0o755 });
  const place = join(home.places.home, 'place.json');
  writeFileSync(place, JSON.stringify({ ...JSON.parse(readFileSync(place, 'utf8')), git: program }));
  return {
    hold: () => {
      rmSync(mark, { force: true });
      writeFileSync(gate, '');
    },
    reached: async () => void (await eventually(() => existsSync(mark))),
    release: () => rmSync(gate, { force: true }),
  };
}
