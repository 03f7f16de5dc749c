import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, normalize, relative } from 'node:path';
import { AGENTS, agentFor } from '@piton/agents';
import { type Agent, type Decision, monotonicUs } from '@piton/contracts';
import { pathPorts } from '@piton/contracts/repository';
import { createSandbox, type HookDefinition, type RunRequest, type RunResult } from '@piton/hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { decideFrame } from '../src/decide-frame.ts';
import type { LifecyclePorts } from '../src/ports.ts';
import { receiveFrame } from '../src/received-frame.ts';
import { Runs } from '../src/runs.ts';
import { singleEvent } from '../src/single-event.ts';
import { frame } from './frames.ts';
import { type Call, callsOf, type Fields, planted } from './strange-payloads.ts';

/** `home/repo` is where the agent works, `home/secret` what it must not touch. */
const home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-spellings-')));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const [repo, secret] = [join(home, 'repo'), join(home, 'secret')];
mkdirSync(join(repo, 'sub'), { recursive: true });
mkdirSync(join(secret, 'deep'), { recursive: true });
writeFileSync(join(secret, 'there.txt'), 'x');
writeFileSync(join(repo, 'inside.txt'), 'x');
symlinkSync(secret, join(repo, 'link'));
symlinkSync(join(secret, 'deep'), join(repo, 'sub', 'down'));
symlinkSync(join(secret, 'there.txt'), join(repo, 'file-link'));
symlinkSync(join(secret, 'not-yet.txt'), join(repo, 'dangling'));
symlinkSync(join(repo, 'sub'), join(home, 'elsewhere'));

/** Each names a file below `secret`. Written by hand: no code of ours has a say in it. */
const SPELLINGS: Readonly<Record<string, string>> = {
  absolute: join(secret, 'there.txt'),
  'not yet there': join(secret, 'new', 'x.txt'),
  relative: '../secret/there.txt',
  'relative, not yet there': '../secret/new.txt',
  'back and forth': './sub/../../secret/there.txt',
  'absolute with ..': `${repo}/../secret/there.txt`,
  'absolute with .': `${secret}/./there.txt`,
  'doubled slashes': `${home}//secret///there.txt`,
  'slashes in front': `//${secret.slice(1)}/there.txt`,
  home: '~/secret/there.txt',
  'home with ..': '~/repo/../secret/there.txt',
  variable: '$HOME/secret/there.txt',
  'variable in braces': ['$', '{HOME}/secret/there.txt'].join(''),
  'of the process': '/proc/self/cwd/../secret/there.txt',
  'root of the process': `/proc/self/root${secret}/there.txt`,
  'trailing slash and dot': `${secret}/there.txt/.`,
  url: `file://${secret}/there.txt`,
  'link to the folder': 'link/there.txt',
  'link in the middle': 'sub/down/x.txt',
  'link in the middle, not yet there': 'link/new/deeper/x.txt',
  'link to the file': 'file-link',
  'link to what is not there yet': 'dangling',
  'up after a link': 'sub/down/../there.txt',
  'up after a link from elsewhere': `${home}/elsewhere/../../secret/there.txt`,
};
const INNOCENT = ['inside.txt', './sub/new.txt', join(repo, 'inside.txt'), '~/repo/inside.txt', 'link/../inside.txt', '../repo/inside.txt'];

const hook = (over: Partial<HookDefinition>): HookDefinition => ({
  ...{ id: `user:${over.name}`, name: 'h', scope: 'user', event: 'pre_tool_use', source: '/h', argv: ['/h'], env: {}, matcher: '' },
  ...{ timeoutMs: 1000, enabled: true, observe: false, failClosed: false, injectOutput: undefined, may: ['allow', 'modify'], root: null },
  ...{ status: { kind: 'ready' }, ...over },
});
const ran = (said: Decision | undefined): RunResult => ({
  ...{ exitCode: 0, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: false, durationUs: 1n },
  ...{ stdout: Buffer.from(said ? JSON.stringify(said) : ''), stderr: Buffer.alloc(0) },
});

type Links = LifecyclePorts['links'];
type Said = (payload: {
  tool_input: Record<string, unknown>;
  piton: { tool: { files: string[]; resolved?: string[] } };
}) => Decision | undefined;

async function decided(
  registered: Agent,
  call: Call,
  path: string,
  hooks: readonly HookDefinition[],
  said: Said,
  links: Links = pathPorts().links,
) {
  const answer = async ({ stdin }: RunRequest) => ran(said(JSON.parse(stdin)));
  const ports: LifecyclePorts = {
    ...singleEvent(),
    home,
    ...{ links: { ...links, patienceMs: 100_000 }, transcripts: pathPorts().transcripts },
    ...{ agentFor, repositoryOf: () => null, runs: new Runs(), nowUs: monotonicUs, sandbox: createSandbox() },
    hooksFor: ({ names }) => names.flatMap((name) => hooks.filter(({ event }) => event === name)),
    modules: { run: answer },
  };
  const nativeEvent = registered.events.find(({ event }) => event === 'pre_tool_use')?.name ?? '';
  const payload = inside(planted(call, path)) as Fields;
  const received = receiveFrame(ports, frame(payload, { agent: registered.id, nativeEvent, cwd: repo, monotonicUs: monotonicUs() }));
  await received.complete();
  const prepared = received.prepare();
  return { event: prepared.event, ...(await decideFrame(ports, prepared, answer)) };
}

/** The recorded call as if it had been made in our repository. */
const inside = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(inside);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => {
      if (/^(?:cwd|workspace_?root|directory|working_dir)$/i.test(key) && typeof inner === 'string') return [key, repo];
      return [key, /^workspace_?roots$/i.test(key) ? [repo] : inside(inner)];
    }),
  );
};

const PATCH: Call = {
  ...{ agent: 'codex', does: 'edit' },
  payload: {
    ...{ session_id: 's', cwd: repo, hook_event_name: 'PreToolUse', tool_name: 'apply_patch', tool_use_id: 't', turn_id: 'u' },
    tool_input: { command: '*** Begin Patch\n*** Update File: a.txt\n@@\n-a\n+b\n*** End Patch' },
  },
};
const CALLS = new Map(
  AGENTS.map(({ id }) => [id, [...callsOf(id).filter(({ does }) => does === 'edit'), ...(id === 'codex' ? [PATCH] : [])]] as const),
);

it('has a call that edits of every agent', () => expect([...CALLS].filter(([, calls]) => calls.length === 0)).toEqual([]));

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('a file that %s names', (id, agent) => {
  const all = Object.entries(SPELLINGS).flatMap(([name, path]) => (CALLS.get(id) ?? []).map((call) => [name, path, call] as const));
  const places = [`${secret}/*`, `/^${secret}\\//`, '*/secret/*'];

  it.each(places)('meets a condition on %s however it is written', async (file) => {
    const passed: string[] = [];
    for (const [name, path, call] of all) {
      const { reduced } = await decided(agent, call, path, [hook({ when: { file } })], () => ({ decision: 'deny', reason: 'no' }));
      if (reduced.verdict !== 'deny') passed.push(`${name}: ${path}`);
    }
    expect(passed).toEqual([]);
  });

  it('does not meet it if it lies elsewhere', async () => {
    const stopped: string[] = [];
    for (const call of CALLS.get(id) ?? [])
      for (const path of INNOCENT) {
        const { reduced } = await decided(agent, call, path, [hook({ when: { file: `${secret}/*` } })], () => ({
          decision: 'deny',
          reason: 'no',
        }));
        if (reduced.verdict !== 'observe' && path !== 'link/../inside.txt') stopped.push(path);
      }
    expect(stopped).toEqual([]);
  });

  it('reaches a hook as an absolute path, with the place where it lies', async () => {
    const wrong: string[] = [];
    for (const [name, path, call] of all) {
      const seen: unknown[] = [];
      await decided(agent, call, path, [hook({})], ({ tool_input, piton }) => {
        seen.push(tool_input.file_path, ...piton.tool.files);
        const there = piton.tool.resolved?.[0] ?? '';
        const isSecret = there.startsWith(`${secret}/`) || /variable/.test(name);
        if (!isSecret) wrong.push(`${name}: resolved to ${there}`);
        return undefined;
      });
      for (const each of seen)
        if (typeof each !== 'string' || !each.startsWith('/') || /\/\.{0,2}(?:\/|$)/.test(each)) wrong.push(`${name}: ${each}`);
      if (seen.length === 0) wrong.push(`${name}: no hook ran`);
    }
    expect(wrong).toEqual([]);
  });

  it('is not approved by what its name says, where a link leads out', async () => {
    const approved: string[] = [];
    const allow: Said = () => ({ decision: 'allow', reason: 'inside' });
    for (const [name, path, call] of all.filter(([name]) => name.startsWith('link'))) {
      for (const when of [{}, { when: { file: `${repo}/*` } }]) {
        const { reduced } = await decided(agent, call, path, [hook(when)], allow);
        if (reduced.verdict === 'allow') approved.push(`${name}: ${path}`);
      }
    }
    expect(approved).toEqual([]);
    for (const call of CALLS.get(id) ?? []) {
      const { reduced } = await decided(agent, call, 'inside.txt', [hook({ when: { file: `${repo}/*` } })], allow);
      expect(reduced.verdict).toBe('allow');
    }
  });

  it('keeps the agent’s own spelling where a hook changes something else', async () => {
    for (const call of CALLS.get(id) ?? []) {
      const { encoded, reduced } = await decided(agent, call, './sub/new.txt', [hook({})], ({ tool_input }) => ({
        decision: 'modify',
        input: { ...tool_input, content: 'changed' },
      }));
      if (reduced.input === undefined || !encoded.delivered.some(({ decision, how }) => decision === 'modify' && how === 'now')) continue;
      expect(encoded.answer.stdout).toContain('./sub/new.txt');
    }
  });
});

/** One name, in the two forms that a keyboard, an editor or a file system of a Mac writes. */
const [COMPOSED, DECOMPOSED] = ['r\u00e9sum\u00e9', 're\u0301sume\u0301'];

/** As a file system answers that ignores case: with the name that is there. */
const ignoringCase: Links = {
  ...pathPorts().links,
  realpath: async (path) => {
    const folded = normalize(path).toLowerCase();
    const there = [home, repo, join(repo, 'sub'), secret, join(secret, 'deep'), join(secret, 'there.txt')];
    return there.find((one) => one.toLowerCase() === folded);
  },
};

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('a name that %s writes otherwise', (id, agent) => {
  const calls = CALLS.get(id) ?? [];
  const verdicts = async (paths: readonly string[], file: string, links?: Links): Promise<string[]> => {
    const passed: string[] = [];
    for (const call of calls)
      for (const path of paths) {
        const { reduced } = await decided(agent, call, path, [hook({ when: { file } })], () => ({ decision: 'deny', reason: 'no' }), links);
        if (reduced.verdict !== 'deny') passed.push(path);
      }
    return passed;
  };

  it.each([COMPOSED, DECOMPOSED])('with other code points meets a condition: %j', async (inCondition) => {
    const paths = [COMPOSED, DECOMPOSED].flatMap((name) => [
      `${secret}/${name}/x.txt`,
      `../secret/${name}/x.txt`,
      `~/secret/${name}/x.txt`,
    ]);
    expect(await verdicts(paths, `${secret}/${inCondition}/*`)).toEqual([]);
    expect(await verdicts([`${secret}/resume/x.txt`], `${secret}/${inCondition}/*`)).toHaveLength(calls.length);
  });

  it('in other case meets a condition where the file system ignores it, and nowhere else', async () => {
    const paths = [join(home, 'SECRET', 'there.txt'), '../Secret/not-yet.txt', '~/sECRET/new/deeper.txt', '../SECRET/deep/../THERE.TXT'];
    expect(await verdicts(paths, `${secret}/*`, ignoringCase)).toEqual([]);
    expect(await verdicts(paths, `${secret}/*`)).toHaveLength(paths.length * calls.length);
  });
});

const SHELL = new Map(AGENTS.map(({ id }) => [id, callsOf(id).filter(({ does }) => does === 'shell')] as const));

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('a redirection in a command of %s', (id, agent) => {
  const writes = (path: string): string[] => [
    `echo x > ${path}`,
    `cd sub && cat ../inside.txt >> ${path.startsWith('/') ? path : `../${path}`}`,
  ];
  const spellings = ['../secret/there.txt', '$HOME/secret/there.txt', '~/secret/new.txt', `${secret}/there.txt`, 'link/x.txt'];

  it('meets a condition on its file', async () => {
    const passed: string[] = [];
    for (const call of SHELL.get(id) ?? [])
      for (const command of spellings.flatMap((path) => (/^[~$]/.test(path) ? [`echo x > ${path}`] : writes(path)))) {
        const { reduced } = await decided(agent, call, command, [hook({ when: { file: `${secret}/*` } })], () => ({
          decision: 'deny',
          reason: 'no',
        }));
        if (reduced.verdict !== 'deny') passed.push(command);
      }
    expect(passed).toEqual([]);
  });

  it('leaves other commands alone', async () => {
    for (const call of SHELL.get(id) ?? [])
      for (const command of ['echo x > inside.txt', 'ls 2>/dev/null', 'make 2>&1 | tail', `cat ${secret}/there.txt`]) {
        const { reduced } = await decided(agent, call, command, [hook({ when: { file: `${secret}/*` } })], () => ({
          decision: 'deny',
          reason: 'no',
        }));
        expect([command, reduced.verdict]).toEqual([command, 'observe']);
      }
  });
});

it('what hangs is taken for what must not be touched, and is approved by nobody', async () => {
  const [call] = CALLS.get('claude') ?? [];
  const agent = AGENTS.find(({ id }) => id === 'claude');
  if (!call || !agent) throw new Error('no call');
  const never = { patienceMs: 20, realpath: () => new Promise<string>(() => {}), readlink: () => new Promise<string>(() => {}) };
  const verdictOf = async (said: Decision) => {
    const answer = async () => ran(said);
    const ports: LifecyclePorts = {
      ...{ ...singleEvent(), ...pathPorts(), home, links: never },
      ...{ agentFor, repositoryOf: () => null, runs: new Runs(), nowUs: monotonicUs, sandbox: createSandbox(), modules: { run: answer } },
      hooksFor: () => [hook({ when: { file: `${secret}/*` } })],
    };
    const received = receiveFrame(
      ports,
      frame(planted(call, join(repo, 'a.txt')), { nativeEvent: 'PreToolUse', monotonicUs: monotonicUs() }),
    );
    await received.complete();
    return (await decideFrame(ports, received.prepare(), answer)).reduced.verdict;
  };
  expect(await verdictOf({ decision: 'deny', reason: 'no' })).toBe('deny');
  expect(await verdictOf({ decision: 'allow', reason: 'yes' })).toBe('observe');
});

it('the corpus says what it means', () => {
  for (const [name, path] of Object.entries(SPELLINGS)) {
    const plain = path
      .replace(/^~|^\$\{?HOME\}?/, home)
      .replace('file://', '')
      .replace('/proc/self/cwd', repo)
      .replace('/proc/self/root', '');
    const full = plain.startsWith('/') ? plain : `${repo}/${plain}`;
    let folder = full;
    while (true) {
      try {
        folder = realpathSync.native(folder);
        break;
      } catch {
        folder = dirname(folder);
      }
    }
    if (basename(full) !== 'dangling') expect([name, relative(secret, folder).startsWith('..')]).toEqual([name, false]);
  }
});
