import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { PitonEvent } from '@piton/contracts';
import { eventually, removeHomeNow, runPitonSync } from '@piton/testing';

/** A person's machine: a home, a repository with Piton in it, and an agent that fires its events through the real forwarder. */
export interface Stage {
  readonly root: string;
  readonly work: string;
  readonly config: string;
  /** Where scripts leave what they heard. */
  readonly heard: string;
  git(...args: string[]): { readonly code: number | null; readonly stdout: string; readonly stderr: string };
  piton(...args: string[]): { readonly status: number | null; readonly stdout: string; readonly stderr: string };
  json<T>(...args: string[]): T;
  fire(event: string, more?: object, env?: Readonly<Record<string, string>>): string;
  agentWrites(name: string, text: string, session?: string): Promise<void>;
  /** In the project unless `user`; trusted by the caller. */
  script(event: string, name: string, body: string, where?: 'project' | 'user'): string;
  /** Notes each event that it reads as one line of JSON. */
  listener(event: string, where?: 'project' | 'user'): void;
  events(event?: string): PitonEvent[];
  /** All that there is to tell has been told: a server that is told to go does that first. The next event starts another. */
  settle(): void;
  serverPid(): number;
  end(): void;
}

export function createStage(): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-subscriptions-')));
  const work = join(root, 'work');
  const config = join(root, 'piton', 'config');
  const heard = join(root, 'heard');
  const env = (): NodeJS.ProcessEnv => ({
    ...{ PATH: process.env.PATH, HOME: root, PITON_HOME: join(root, 'piton'), NO_COLOR: '1', PITON_ALLOW_UNDER_AGENT: '1' },
    ...{ GIT_CONFIG_NOSYSTEM: '1', GIT_AUTHOR_NAME: 'T', GIT_AUTHOR_EMAIL: 't@e', GIT_COMMITTER_NAME: 'T', GIT_COMMITTER_EMAIL: 't@e' },
  });
  const git: Stage['git'] = (...args) => {
    const { status, stdout, stderr } = spawnSync('git', args, { cwd: work, env: env(), encoding: 'utf8' });
    return { code: status, stdout, stderr };
  };
  const piton: Stage['piton'] = (...args) => runPitonSync(args, { cwd: work, env: env() });
  const json = <T>(...args: string[]): T => JSON.parse(piton(...args, '--json').stdout) as T;
  const forwarder = join(root, 'piton', 'state', 'runtime', 'current', 'piton-forward');
  const fire: Stage['fire'] = (event, more = {}, variables = {}) =>
    execFileSync(forwarder, ['claude', event, 'user', '60000', '-'], {
      cwd: work,
      env: { ...env(), ...variables },
      input: JSON.stringify({ session_id: 's1', hook_event_name: event, cwd: work, ...more }),
      encoding: 'utf8',
    });
  const script: Stage['script'] = (event, name, body, where = 'project') => {
    const path = join(where === 'user' ? config : join(work, '.piton'), 'hooks', event, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${body}\n`);
    chmodSync(path, 0o755);
    return path;
  };

  mkdirSync(work);
  spawnSync('git', ['init', '-q', '-b', 'main', work], { env: env() });
  writeFileSync(join(work, 'a.txt'), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  const { status, stderr } = piton('init', '--agent', 'claude', '--yes');
  if (status !== 0) throw new Error(stderr);

  return {
    ...{ root, work, config, heard, git, piton, json, fire, script },
    async agentWrites(name, text, session_id = 's1') {
      const input = { tool_name: 'Write', tool_use_id: 't1', session_id, tool_input: { file_path: join(work, name), content: text } };
      fire('UserPromptSubmit', { session_id, prompt: `write ${name}` });
      fire('PreToolUse', input);
      writeFileSync(join(work, name), text);
      fire('PostToolUse', { ...input, tool_response: {} });
      fire('Stop', { session_id, stop_hook_active: false });
      await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes(`"name": "write ${name}"`));
    },
    // One write, so that two lines never mix.
    listener: (event, where) => void script(event, '10-note', `line=$(cat); printf '%s\\n' "$line" >> '${heard}'`, where),
    events(event) {
      const lines = existsSync(heard) ? readFileSync(heard, 'utf8').split('\n').filter(Boolean) : [];
      const all = lines.map((line) => JSON.parse(line) as PitonEvent);
      return event === undefined ? all : all.filter((one) => one.event === event);
    },
    settle() {
      if (piton('server', 'stop').status !== 0) throw new Error('the server did not stop');
    },
    serverPid: () => json<{ pid: number }>('server', 'status').pid,
    end() {
      removeHomeNow(root, join(root, 'piton', 'state'), config);
    },
  };
}
