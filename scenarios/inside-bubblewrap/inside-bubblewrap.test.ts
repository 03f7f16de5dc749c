import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { createInterface } from 'node:readline';
import { encodeFrame, type Frame, MAGIC, MESSAGE, message, ulid } from '@piton/contracts';
import { placesOf } from '@piton/contracts/places';
import { describeConfined, seededRandom } from '@piton/testing';
import { Canaries, configText } from '@piton/testing/git-attack';
import { expect, it } from 'vitest';
import { Stage } from '../repository-setup.ts';
import { WAYS } from './ways.mjs';

/** `npm test` goes every way once; with `MINUTES=2` it goes on, in another order each round. */
const MINUTES = Number(process.env.MINUTES ?? 0);
const SEED = Number(process.env.SEED ?? 20_261_118);
const GROUPS = 8;

const ARTIFACT = `---
type: hook
version: 1.0.0
name: trusted
hook_event: pre_tool_use
module: hook.mjs
---
`;
/** Built-ins only: a hook that asks for a program by its name gets the agent's PATH, as docs/trust.md says. */
const QUIET = '#!/bin/sh\nwhile read -r _; do :; done\nexit 0\n';

/** What a person runs outside meanwhile. */
const COMMANDS: readonly (readonly string[])[] = [
  ['status', '--all'],
  ['doctor'],
  ['hooks'],
  ['hooks', 'test'],
  ['lint'],
  ['trust', '--list'],
  ['import', '--dry-run'],
  ['checkpoints'],
  ['checkpoints', 'show', '@'],
  ['checkpoints', 'diff', '@'],
  ['checkpoints', 'repair'],
  ['explain', 'HEAD'],
  ['blame', 'a.txt'],
  ['export', 'HEAD'],
  ['rewind', '--list'],
  ['rewind', '--calls'],
  ['rewind', '--yes'],
  ['rewind', '--undo', '--yes'],
  ['resume', 'HEAD'],
  ['clean', '--dry-run', '--older-than', '0d'],
  ['settings'],
  ['init', '--agent', 'claude', '--dry-run'],
  ['init', '--project', '--dry-run'],
  ['materialize', 'trusted', '--agent', 'claude', '--dry-run'],
];

type Order = 'plant' | 'undo' | 'attack' | 'canWrite';

describeConfined('an agent inside bubblewrap, with only the project writable', (path) => {
  it('gets nothing to run outside, in any of the ways there are', { timeout: 600_000 + MINUTES * 120_000 }, async () => {
    const stage = new Stage();
    const before = process.env.PATH;
    const payload = join(stage.work, '.payload');
    const outside = join(stage.root, 'outside');
    mkdirSync(join(outside, 'person'), { recursive: true });
    writeFileSync(join(outside, 'person', 'profile'), 'mine\n');
    mkdirSync(payload);
    const canaries = new Canaries(payload, join(outside, 'ran'));
    writeFileSync(join(payload, 'git-config'), configText([...canaries.settings(), ...canaries.attributes().settings]));
    for (const name of 'filter url submodule gpg lfs setting git line script envrc make name branch x fsmonitor'.split(' '))
      canaries.program(name);
    mkdirSync(join(payload, 'other/runtime/current'), { recursive: true });
    canaries.program('other home', join(payload, 'other/runtime/current/piton-forward'));
    trustSomething(stage);
    const { hookSocket, cliSocket, forwarder } = placesOf(stage.home, join(stage.root, 'piton', 'config'));
    const given = { project: stage.work, payload, canary: canaries.log, forwarder, hookSocket, cliSocket };
    const agent = startAgent(path, stage, given);
    try {
      // The oracle works: outside a canary is seen, inside it cannot even be written.
      canaries.program('control');
      stage.git('-c', `alias.control=!${join(payload, 'control')}`, 'control');
      expect(canaries.ran()).toEqual(['control']);
      expect(await agent.order('canWrite', canaries.log)).toBe(false);
      expect(await agent.order('canWrite', join(stage.work, 'b.txt'))).toBe(true);
      process.env.PATH = [join(stage.work, 'node_modules/.bin'), join(stage.work, 'bin'), '', before].join(delimiter);

      const random = seededRandom(SEED);
      const tried = new Set<string>();
      const until = Date.now() + MINUTES * 60_000;
      let commands = 0;
      let rounds = 0;
      do {
        for (const group of groupsOf(rounds, random)) {
          const planted = (await agent.order('plant', group)) as (true | string)[];
          expect(planted.filter((each) => each !== true)).toEqual([]);
          for (const name of group) tried.add(name);
          stage.fire('SessionStart', 's1', { source: 'startup' }); // so that there is a server
          const attack = { send: writeFrames(stage, payload, random), post: envelopes(stage), fire: hostileEvents(stage) };
          const inside = agent.order('attack', attack);
          turnOutside(stage, rounds);
          for (let count = 0; count < Math.ceil(COMMANDS.length / GROUPS); count++)
            stage.piton(...(COMMANDS[commands++ % COMMANDS.length] ?? []));
          const heard = (await inside) as number[];
          // Else nothing was tried: the server outside heard the forged frames.
          expect(Math.max(...heard)).toBeGreaterThan(0);
          stage.piton('server', 'stop'); // what it had begun, it finishes
          expect([group, canaries.ran()]).toEqual([group, []]);
          await agent.order('undo', [...group].reverse());
        }
        rounds += 1;
      } while (Date.now() < until);
      expect([...tried].sort()).toEqual(WAYS.map(({ name }) => name).sort());
      expect(commands).toBeGreaterThanOrEqual(COMMANDS.length);
      expect(readdirSync(outside)).toEqual(['person']);
      expect([readdirSync(join(outside, 'person')), readFileSync(join(outside, 'person', 'profile'), 'utf8')]).toEqual([
        ['profile'],
        'mine\n',
      ]);
      console.log(`${WAYS.length} ways, ${rounds} rounds, ${commands} commands: nothing ran outside`);
    } finally {
      process.env.PATH = before;
      agent.end();
      stage.end();
    }
  });
});

/** Hooks of the project that a person has reviewed: these run, as they were. */
function trustSomething(stage: Stage): void {
  for (const [name, text] of [
    ['hooks/pre-tool-use/10-trusted', QUIET],
    ['hooks/checkpoint-created/10-trusted', QUIET],
    ['artifacts/trusted/ARTIFACT.md', ARTIFACT],
    ['artifacts/trusted/hook.mjs', "import { answer } from './lib.mjs';\nexport default () => answer;\n"],
    ['artifacts/trusted/lib.mjs', 'export const answer = undefined;\n'],
  ] as const) {
    const file = join(stage.work, '.piton', name);
    mkdirSync(join(file, '..'), { recursive: true });
    writeFileSync(file, text, { mode: 0o755 });
  }
  for (const args of [
    ['init', '--agent', 'claude', '--yes'],
    ['trust', '--all', '--yes'],
  ]) {
    const { status, stderr } = stage.piton(...args);
    expect([args[0], status, stderr]).toEqual([args[0], 0, expect.anything()]);
  }
}

/** Everything is read-only there, but the project. */
function startAgent(path: string, stage: Stage, given: object) {
  const bwrap =
    path
      .split(delimiter)
      .map((place) => join(place, 'bwrap'))
      .find((file) => existsSync(file)) ?? 'bwrap';
  const args = [
    '--ro-bind',
    '/',
    '/',
    '--dev-bind',
    '/dev',
    '/dev',
    '--bind',
    stage.work,
    stage.work,
    '--unshare-user',
    '--die-with-parent',
  ];
  const script = join(import.meta.dirname, 'agent.mjs');
  const child = spawn(bwrap, [...args, process.execPath, script, JSON.stringify(given)], {
    cwd: stage.work,
    env: { ...stage.environment, PATH: process.env.PATH },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async order(order: Order, what: unknown): Promise<unknown> {
      child.stdin.write(`${JSON.stringify([order, what])}\n`);
      const { value, done } = await answers.next();
      if (done) throw new Error(`the agent ended at ${order}`);
      return JSON.parse(value);
    },
    end: () => child.kill('SIGKILL'),
  };
}

/** All ways, so that two which put something else into one place are never in one group. */
function groupsOf(round: number, random: ReturnType<typeof seededRandom>): string[][] {
  const start = round === 0 ? 0 : random.below(WAYS.length);
  const ways = [...WAYS.slice(start), ...WAYS.slice(0, start)];
  return Array.from({ length: GROUPS }, (_, group) =>
    ways
      .filter((_way, at) => at % GROUPS === group)
      .sort((one, other) => Number(one.last) - Number(other.last))
      .map(({ name }) => name),
  );
}

/** A turn of an agent that nobody confined, in the same project, with the same server. */
function turnOutside(stage: Stage, round: number): void {
  const file = join(stage.work, 'b.txt');
  const write = { tool_name: 'Write', tool_use_id: `w${round}`, tool_input: { file_path: file, content: `${round}\n` } };
  const run = { tool_name: 'Bash', tool_use_id: `r${round}`, tool_input: { command: 'npm test -- x' } };
  stage.fire('UserPromptSubmit', 's1', { prompt: `Turn ${round}` });
  stage.fire('PreToolUse', 's1', write);
  writeFileSync(file, `${round} ${Math.random()}\n`);
  stage.fire('PostToolUse', 's1', { ...write, tool_response: {} });
  stage.fire('PreToolUse', 's1', run);
  stage.fire('PostToolUse', 's1', { ...run, tool_response: {} });
  stage.fire('Stop', 's1', { stop_hook_active: false, transcript_path: join(stage.work, 'pipe') });
}

const ODD = ['$(touch x)', ';touch x;', '`touch x`', '--upload-pack=touch x', 'a\nb', "'; touch x; '", '../../..', ''];

/** Frames that no forwarder of ours sent, as files that the agent can send as they are: events, git's hooks, attachments, noise. */
function writeFrames(stage: Stage, payload: string, random: ReturnType<typeof seededRandom>): string[] {
  const run = join(payload, 'line');
  const variables = {
    PATH: payload,
    HOME: payload,
    PITON_HOME: payload,
    GIT_DIR: payload,
    GIT_SSH_COMMAND: run,
    GIT_EXTERNAL_DIFF: run,
    LD_PRELOAD: run,
  };
  const more = { NODE_OPTIONS: `--require=${run}`, BASH_ENV: run, ENV: run, EDITOR: run, PAGER: run, PITON_AMEND: '1' };
  const frameOf = (agent: string, nativeEvent: string, body: object, about: Partial<Frame> = {}): Buffer => {
    const bytes = Buffer.from(JSON.stringify({ hook_event_name: nativeEvent, session_id: 'forged', cwd: stage.work, ...body }));
    const now = BigInt(Date.now()) * 1000n;
    return encodeFrame({
      ...{ agent, nativeEvent, scope: 'user', timeoutMs: 5000, args: [], stamp: ulid(Date.now(), randomBytes(10)), bootId: 'x' },
      ...{
        wallUs: now,
        monotonicUs: now,
        pid: 1,
        ppid: 1,
        cwd: stage.work,
        depth: 0,
        run: '',
        terminal: false,
        truncated: false,
        resent: false,
      },
      ...{ variables: { ...variables, ...more }, sender: 'forwarder/0.1.0', canary: '', payloadSize: bytes.length, payload: bytes },
      ...about,
    });
  };
  const odd = ODD[random.below(ODD.length)] ?? '';
  const tool = { tool_name: odd, tool_use_id: odd, tool_input: { command: odd, file_path: odd } };
  const frames = [
    frameOf('claude', 'PreToolUse', tool),
    frameOf('claude', 'Stop', { transcript_path: join(stage.work, 'transcript.sh') }),
    frameOf('claude', 'Stop', { transcript_path: '/dev/zero', session_id: odd }),
    frameOf(
      'claude',
      'UserPromptSubmit',
      { prompt: odd, cwd: join(stage.work, 'docs/fixture') },
      { cwd: join(stage.work, 'docs/fixture') },
    ),
    frameOf('claude', 'PreToolUse', { ...tool, cwd: payload }, { cwd: payload, scope: 'project' }),
    ...['post-commit', 'prepare-commit-msg', 'commit-msg', 'post-rewrite', 'pre-push', 'post-checkout'].map((event) =>
      frameOf('git', event, {}, { args: [odd, run], cwd: stage.work }),
    ),
    frameOf(odd, odd, {}, { scope: odd, run: odd, args: [odd], sender: 'plugin/0.1.0' }),
  ];
  const opened = (body: Buffer): Buffer => Buffer.concat([MAGIC, body]);
  const wholes = [
    ...frames.map((frame) => opened(message(MESSAGE.frame, frame))),
    ...[...Array(4)].map(() => opened(message(MESSAGE.attach, Buffer.from(ulid(Date.now(), randomBytes(10)))))),
    opened(message(MESSAGE.exec, Buffer.from(run))),
    opened(
      Buffer.concat([
        message(MESSAGE.frame, frames[0] as Buffer),
        message(MESSAGE.result, Buffer.alloc(40, 1)),
        message(MESSAGE.branch, Buffer.from('0'.repeat(26))),
      ]),
    ),
    randomBytes(64),
  ];
  return wholes.map((bytes, at) => {
    const file = join(payload, `frame-${at}`);
    writeFileSync(file, bytes);
    return file;
  });
}

/** What the command's socket takes, as the agent would like it. */
function envelopes(stage: Stage): [string, object][] {
  const payload = { session_id: 'forged', hook_event_name: 'PreToolUse', cwd: stage.work, tool_name: 'Bash', tool_input: { command: 'x' } };
  return [
    [
      '/v1/envelopes',
      { schema: 1, provider: 'claude', event: 'PreToolUse', cwd: stage.work, payload, transcript_path: join(stage.work, 'transcript.sh') },
    ],
    ['/v1/envelopes', { provider: '$(touch x)', payload }],
    ['/v1/settle', { root: join(stage.work, 'docs/fixture') }],
    ['/v1/rewound', { root: stage.work, checkpoint: '$(touch x)', files: ['$(touch x)'], repository: stage.work }],
    ['/v1/relinked', { root: stage.work, commits: ['--exec=x'], repository: stage.work }],
    ['/v1/reload', {}],
  ];
}

/** Fired inside, where no server answers. */
function hostileEvents(stage: Stage): [string, object][] {
  const event = (name: string, more: object): [string, object] => [
    name,
    { session_id: 'inside', hook_event_name: name, cwd: stage.work, ...more },
  ];
  return [
    event('UserPromptSubmit', { prompt: 'inside' }),
    event('PreToolUse', { tool_name: 'Bash', tool_use_id: 'i1', tool_input: { command: 'ls' } }),
  ];
}
