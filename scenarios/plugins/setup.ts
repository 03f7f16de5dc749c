import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { placesOf } from '@piton/contracts/places';
import { removeHome, runPitonSync, type TestHome } from '@piton/testing';
import { onTestFinished } from 'vitest';

const HOST = fileURLToPath(new URL('./host.mjs', import.meta.url));

export interface Stage extends TestHome {
  readonly plugin: string;
  piton(...args: readonly string[]): string;
  /** Plays the agent, and gives back what its handlers did. */
  play(calls: readonly object[], options?: { twice?: boolean }): Promise<Played>;
  /** The native events for which the forwarder was started. */
  starts(): string[];
  addHook(event: string, program: string): void;
}
export interface Played {
  readonly handlers: number;
  readonly results: readonly {
    readonly threw?: string;
    readonly output: { readonly args: Record<string, unknown>; readonly output: string };
  }[];
}

/** A home with Piton installed for OpenCode by `piton init`, and a counter before the forwarder. */
export function newStage(): Stage {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-plugin-')));
  const work = join(root, 'work');
  mkdirSync(work);
  const env = { PATH: process.env.PATH, HOME: root, TMPDIR: root };
  const piton = (...args: readonly string[]): string => {
    const { code, stdout, stderr } = runPitonSync(args, { cwd: work, env });
    if (code !== 0) throw new Error(`piton ${args.join(' ')} ended with ${code}\n${stderr}`);
    return stdout;
  };
  piton('init', '--agent', 'opencode', '--yes');
  const places = placesOf(join(root, '.local', 'state', 'piton'), join(root, '.config', 'piton'));
  const starts = join(root, 'starts');
  renameSync(places.forwarder, `${places.forwarder}-real`);
  writeFileSync(places.forwarder, `#!/bin/sh\necho "$2" >> '${starts}'\nexec "$(dirname "$0")/piton-forward-real" "$@"\n`);
  chmodSync(places.forwarder, 0o755);
  const stage: Stage = {
    root,
    places,
    work,
    plugin: join(root, '.config', 'opencode', 'plugins', 'piton.js'),
    piton,
    play: (calls, options = {}) => play({ file: stage.plugin, directory: work, calls, ...options }, env, work),
    starts: () => (existsSync(starts) ? readFileSync(starts, 'utf8').split('\n').filter(Boolean) : []),
    addHook(event, program) {
      const path = join(places.config, 'hooks', event, 'hook');
      mkdirSync(dirname(path), { recursive: true });
      writeFileSync(path, program);
      chmodSync(path, 0o755);
    },
  };
  onTestFinished(() => removeHome(stage));
  return stage;
}

function play(job: object, env: NodeJS.ProcessEnv, cwd: string): Promise<Played> {
  const child = spawn(process.execPath, [HOST], { env, cwd, stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    text += part;
  });
  child.stdin.end(JSON.stringify(job));
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => (code === 0 ? resolve(JSON.parse(text) as Played) : reject(new Error(`the host ended with ${code}`))));
  });
}

let calls = 0;
/** One tool call as OpenCode hands it to `tool.execute.before`. */
export const beginTool = (command: string) => ({
  hook: 'tool.execute.before',
  input: { tool: 'bash', sessionID: 'ses_1', callID: `call_${++calls}` },
  output: { args: { command, description: 'run' } },
});
export const endTool = (command: string, output: string) => ({
  hook: 'tool.execute.after',
  input: { tool: 'bash', sessionID: 'ses_1', callID: `call_${calls}`, args: { command } },
  output: { title: command, output, metadata: { exit: 0 } },
});
