import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AGENTS, agentFor } from '@piton/agents';
import { type Agent, GIT_HOOK_MARK, GIT_HOOKS, monotonicUs, UNKNOWN_AGENT } from '@piton/contracts';
import { builtInGuardOf, createBuiltIns, type HookDefinition, type RunRequest, type RunResult } from '@piton/hooks';
import { afterAll, describe, expect, it } from 'vitest';
import { decideFrame } from '../src/decide-frame.ts';
import { receiveFrame } from '../src/received-frame.ts';
import { decidingPorts } from './deciding-ports.ts';
import { frame } from './frames.ts';
import { callsOf, type Fields, fixturesOf, planted, strangeCalls } from './strange-payloads.ts';

/** Who was seen, or is documented, to run the hooks of whom. Written by hand: the list in the code is what is tested. */
const READERS: Readonly<Record<string, readonly string[]>> = {
  claude: ['copilot', 'cursor', 'vscode', 'grok'],
  cursor: ['grok'],
  copilot: ['vscode'],
  vscode: ['copilot'],
};
/** The same plugin, the same fields. */
const ALIKE: Readonly<Record<string, string>> = { kilo: 'opencode', opencode: 'kilo' };
/** Whose hooks may refuse by exit code 2, by their vendors' words. Copilot CLI loses the reason, Cline reads no code, plugins have none. */
const BY_CODE = ['auggie', 'claude', 'codex', 'cursor', 'droid', 'gemini', 'grok', 'kimi', 'qwen', 'vscode'];

const home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-unknown-')));
afterAll(() => rmSync(home, { recursive: true, force: true }));
const STATE = join(home, 'state');
const FORBIDDEN = { shell: `rm -rf ${STATE}`, edit: join(STATE, 'trust/x') };
const HARMLESS = { shell: 'ls', edit: '/code/a.txt' };

const builtIns = createBuiltIns(
  builtInGuardOf({
    places: { home: STATE, config: join(home, 'config'), sockets: join(home, 'sockets') },
    ...{ agents: AGENTS, env: { HOME: home }, gitHooks: { names: GIT_HOOKS, mark: GIT_HOOK_MARK } },
  }),
  join(home, 'config/settings.json'),
);

const hook = (over: Partial<HookDefinition>): HookDefinition => ({
  ...{ id: `user:${over.name}`, name: 'h', scope: 'user', event: 'pre_tool_use', source: '/h', argv: ['/h'], env: {}, matcher: '' },
  ...{ timeoutMs: 1000, enabled: true, observe: false, failClosed: false, injectOutput: undefined, may: [], root: null },
  ...{ status: { kind: 'ready' }, ...over },
});

/** A guard of the user's, as a script would be: it reads the payload, and refuses what names the forbidden place. */
const answer = async ({ stdin }: RunRequest): Promise<RunResult> => {
  const { tool_input } = JSON.parse(stdin) as { tool_input?: { command?: string; file_path?: string } };
  const refuses = [tool_input?.command, tool_input?.file_path].some((text) => text?.includes(STATE));
  return {
    ...{ exitCode: refuses ? 2 : 0, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: false, durationUs: 1n },
    ...{ stdout: Buffer.alloc(0), stderr: Buffer.from(refuses ? 'refused by a guard' : '') },
  };
};

const GUARDS: Readonly<Record<string, readonly HookDefinition[]>> = {
  'the built-in guard': builtIns('deny', ['pre_tool_use']),
  'policies by name': [
    hook({ name: 'bash', matcher: 'Bash', failClosed: true }),
    hook({ name: 'files', matcher: 'Edit|Write|MultiEdit', failClosed: true }),
  ],
  'policies by kind': [
    hook({ name: 'shell', event: 'pre_shell_execution', failClosed: true }),
    hook({ name: 'edits', event: 'pre_file_edit', failClosed: true }),
  ],
};

async function decided(registered: Agent, payload: Fields, hooks: readonly HookDefinition[]) {
  const ports = decidingPorts(hooks, answer);
  const nativeEvent = registered.events.find(({ event }) => event === 'pre_tool_use')?.name ?? '';
  const received = receiveFrame(ports, frame(payload, { agent: registered.id, nativeEvent, monotonicUs: monotonicUs() }));
  const prepared = received.prepare();
  const decision = await decideFrame(ports, prepared, answer);
  return { agent: prepared.agent?.id, ...decision };
}

const camel = (key: string): string => key.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
const snake = (key: string): string => key.replaceAll(/([a-z])([A-Z])/g, (_, a: string, b: string) => `${a}_${b.toLowerCase()}`);
const spelled = (how: (key: string) => string, value: unknown): unknown => {
  if (Array.isArray(value)) return value.map((inner) => spelled(how, inner));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [how(key), spelled(how, inner)]));
};
const renaming =
  (names: Readonly<Record<string, string>>) =>
  (payload: Fields): Fields =>
    spelled((key) => names[key] ?? key, payload) as Fields;

/** How a payload may differ from what is known of its sender. */
const MUTATIONS: readonly (readonly [string, (payload: Fields) => Fields])[] = [
  ['as it is', (payload) => payload],
  ['in camelCase', (payload) => spelled(camel, payload) as Fields],
  ['in snake_case', (payload) => spelled(snake, payload) as Fields],
  ['tool and args', renaming({ tool_name: 'tool', toolName: 'tool', tool_input: 'args', toolInput: 'args', toolArgs: 'args' })],
  ['params', renaming({ tool_input: 'params', toolInput: 'params', toolArgs: 'params', input: 'params' })],
  ['arguments', renaming({ tool_input: 'arguments', toolInput: 'arguments', toolArgs: 'arguments' })],
  ['cmd', renaming({ command: 'cmd', file_path: 'filePath', path: 'target_file' })],
  ['commandLine', renaming({ command: 'commandLine', file_path: 'path' })],
  ['input as text', (payload) => ({ ...payload, ...('tool_input' in payload && { tool_input: JSON.stringify(payload.tool_input) }) })],
];
const withoutEach = (payload: Fields): (readonly [string, Fields])[] =>
  Object.keys(payload).map((key) => {
    const { [key]: _, ...rest } = payload;
    return [`without ${key}`, rest];
  });
const variantsOf = (payload: Fields): (readonly [string, Fields])[] => [
  ...MUTATIONS.map(([name, mutate]) => [name, mutate(payload)] as const),
  ...withoutEach(payload),
];

const CALLS = [...AGENTS.flatMap(({ id }) => callsOf(id)), ...strangeCalls()];
const FIELDS = new Map(AGENTS.map(({ id }) => [id, new Set(fixturesOf(id).flatMap((payload) => Object.keys(payload)))]));

/** Why this agent cannot have sent it: a field that it was never seen with. */
const strangeTo = (agent: string, payload: Fields): string | undefined => Object.keys(payload).find((key) => !FIELDS.get(agent)?.has(key));

it('has calls of every agent to go by', () => {
  const kinds = (id: string) => new Set(CALLS.filter(({ agent }) => agent === id).map(({ does }) => does));
  expect(AGENTS.filter(({ id }) => kinds(id).size === 0).map(({ id }) => id)).toEqual([]);
  expect(CALLS.length).toBeGreaterThan(50);
});

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('through the hooks of %s', (id, registered) => {
  const readers = [id, ...(READERS[id] ?? [])];
  const others = (sender: string, payload: Fields): (readonly [string, Fields])[] =>
    variantsOf(payload).map(([name, variant]) => [`${sender} ${name}`, variant]);

  it('those that run them stay who they are, and nobody else is taken for one of them', () => {
    const wrong = CALLS.flatMap((call) =>
      others(call.agent, call.payload).flatMap(([name, payload]) => {
        const found = agentFor(id, payload, { nativeEvent: 'PreToolUse', cwd: '/', variables: {} })?.id ?? '';
        if (found === UNKNOWN_AGENT) return readers.includes(call.agent) && name.endsWith('as it is') ? [`${name}: unknown`] : [];
        if (ALIKE[found] === call.agent) return [];
        if (found === call.agent && readers.includes(found)) return [];
        const strange = strangeTo(found, payload);
        return readers.includes(found) && strange === undefined ? [] : [`${name}: ${found}, though it has ${strange}`];
      }),
    );
    expect(wrong).toEqual([]);
  });

  it.each(Object.entries(GUARDS))('%s are never bypassed', async (_name, hooks) => {
    const passed: string[] = [];
    for (const call of CALLS)
      for (const [name, payload] of others(call.agent, planted(call, FORBIDDEN[call.does]))) {
        const { agent, reduced, encoded } = await decided(registered, payload, hooks);
        const isRefused = reduced.verdict === 'deny' || reduced.verdict === 'ask';
        if (!isRefused) passed.push(`${name} (${call.does}): ${agent} ${reduced.verdict} ${JSON.stringify(payload).slice(0, 300)}`);
        else if (encoded.answer.exitCode !== (agent === UNKNOWN_AGENT && BY_CODE.includes(id) ? 2 : 0))
          passed.push(`${name}: exit ${encoded.answer.exitCode}`);
      }
    expect(passed).toEqual([]);
  });

  it.each(Object.entries(GUARDS))('%s refuse nothing harmless, but what they cannot read', async (_name, hooks) => {
    const refused: string[] = [];
    for (const call of CALLS)
      for (const [name, payload] of others(call.agent, planted(call, HARMLESS[call.does]))) {
        const { agent, reduced } = await decided(registered, payload, hooks);
        if (reduced.verdict !== 'observe' && !/could not be read/.test(reduced.reason ?? ''))
          refused.push(`${name}: ${agent} ${reduced.verdict} ${reduced.reason}`);
      }
    expect(refused).toEqual([]);
  });
});
