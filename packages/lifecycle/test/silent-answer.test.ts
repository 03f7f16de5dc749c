import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { agentFor, findAgent } from '@piton/agents';
import { type Agent, monotonicUs, type NativeAnswer } from '@piton/contracts';
import { pathPorts } from '@piton/contracts/repository';
import { createModuleHosts, createSandbox, type HookDefinition, type RunResult, type Spawn } from '@piton/hooks';
import { afterAll, afterEach, beforeEach, expect, it } from 'vitest';
import { decideFrame } from '../src/decide-frame.ts';
import { Duplicates } from '../src/duplicates.ts';
import type { LifecyclePorts } from '../src/ports.ts';
import { receiveFrame } from '../src/received-frame.ts';
import { Runs } from '../src/runs.ts';
import { SessionMemory } from '../src/session/memory.ts';
import { ToolCalls } from '../src/tool-calls.ts';
import { frame } from './frames.ts';

let directory: string;
let sessions: SessionMemory;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'piton-silent-'));
  sessions = new SessionMemory({ read: () => [], append: () => {} });
});
afterEach(() => rmSync(directory, { recursive: true, force: true }));

const HOST = fileURLToPath(new URL('../../../packages/hooks/src/module/module-host.mjs', import.meta.url));
const modules = createModuleHosts({ program: HOST });
afterAll(() => modules.close());

const hook = (over: Partial<HookDefinition> = {}): HookDefinition => ({
  ...{ id: 'user:h', name: 'h', scope: 'user', event: 'user_prompt_submit', source: '/h', argv: ['/h'], env: {}, matcher: '' },
  ...{ timeoutMs: 1000, enabled: true, observe: false, failClosed: false, injectOutput: undefined, may: [], root: null },
  status: { kind: 'ready' },
  ...over,
});
const SILENT: RunResult = {
  ...{ exitCode: 0, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: false, durationUs: 1n },
  ...{ stdout: Buffer.alloc(0), stderr: Buffer.alloc(0) },
};

function lifecycleOf(hooks: readonly HookDefinition[]): LifecyclePorts {
  const sandbox = createSandbox();
  return {
    ...{ agentFor, sessions, sandbox, modules, repositoryOf: () => null, reportProblem: () => {}, nowUs: monotonicUs },
    ...{ hooksFor: () => hooks, noticeFor: () => undefined, command: () => 'piton', isCanary: () => false, callerOf: () => undefined },
    ...{ duplicates: new Duplicates(), toolCalls: new ToolCalls(), runs: new Runs() },
    ...pathPorts(),
  };
}

const frameOf = (event: object) => frame({ session_id: 's', ...event }, { monotonicUs: monotonicUs() });

/** The requests that were sent, the answer given at once, and the final answer. */
async function asked(hooks: readonly HookDefinition[], event: object, { mayAnswer = true, run = SILENT, meanwhile = () => {} } = {}) {
  const lifecycle = lifecycleOf(hooks);
  const prepared = receiveFrame(lifecycle, frameOf(event)).prepare();
  const offered: (NativeAnswer | undefined)[] = [];
  const spawn: Spawn = async (request) => {
    offered.push(request.ifSilent as NativeAnswer | undefined);
    meanwhile();
    return run;
  };
  const told: NativeAnswer[] = [];
  const decided = await decideFrame(lifecycle, prepared, spawn, mayAnswer ? (answer) => told.push(answer) : undefined);
  return { offered, told, decided };
}
const PROMPT = { hook_event_name: 'UserPromptSubmit', prompt: 'hello' };
const NOOP = { stdout: '{}', stderr: '', exitCode: 0 };

it('comes with the command of an event’s only hook, and equals the final answer', async () => {
  const { offered, decided } = await asked([hook()], PROMPT);
  expect(offered).toEqual([NOOP]);
  expect(decided.encoded.answer).toEqual(NOOP);
  expect(decided.answered).toBeUndefined();
});

it('was given if the forwarder reports it', async () => {
  const { decided } = await asked([hook()], PROMPT, { run: { ...SILENT, answered: true } });
  expect(decided).toMatchObject({ answered: true, reduced: { decision: 'observe' } });
});

it.each<[string, readonly HookDefinition[], object]>([
  ['there are two hooks', [hook(), hook({ id: 'user:i', name: 'i' })], PROMPT],
  ['another one watches', [hook(), hook({ id: 'user:i', name: 'i', observe: true })], PROMPT],
  [
    'a built-in one denies',
    [hook({ builtIn: () => ({ decision: 'deny', reason: 'no' }), event: 'pre_tool_use' }), hook({ event: 'pre_tool_use' })],
    { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' },
  ],
  ['a session starts, which may have something to say', [hook({ event: 'session_start' })], { hook_event_name: 'SessionStart' }],
])('does not come where %s', async (_what, hooks, event) => {
  const { offered } = await asked(hooks, event);
  expect(offered.length).toBeGreaterThan(0);
  expect(offered.every((each) => each === undefined)).toBe(true);
});

it('is not sent if a checkpoint must be saved before the agent continues', async () => {
  expect((await asked([hook()], PROMPT, { mayAnswer: false })).offered).toEqual([undefined]);
});

it('is not sent if something was deferred to this event', async () => {
  const { event } = receiveFrame(lifecycleOf([]), frameOf(PROMPT)).prepare();
  sessions.defer(event, 'kept for later');
  const { offered, decided } = await asked([hook()], PROMPT);
  expect(offered).toEqual([undefined]);
  expect(decided.reduced.content).toBe('kept for later');
});

it('leaves what was deferred while the hook ran to the next event', async () => {
  const { event } = receiveFrame(lifecycleOf([]), frameOf(PROMPT)).prepare();
  const meanwhile = (): void => sessions.defer(event, 'said meanwhile');
  const { decided } = await asked([hook()], PROMPT, { run: { ...SILENT, answered: true }, meanwhile });
  expect(decided.reduced.content).toBeUndefined();
  expect(sessions.takeDeferred(event)).toBe('said meanwhile');
});

const moduleHook = (answer: string, over: Partial<HookDefinition> = {}): HookDefinition => {
  const module = join(directory, 'hook.mjs');
  writeFileSync(module, `export default () => (${answer});`);
  return hook({ module, argv: [], timeoutMs: 10_000, ...over });
};
const DENIES = '{ decision: "block", reason: "no" }';

it('is given at once for a module, which no forwarder runs', async () => {
  const { offered, told, decided } = await asked([moduleHook('undefined')], PROMPT);
  expect(offered).toEqual([]);
  expect(told).toEqual([NOOP]);
  expect(decided).toMatchObject({ answered: true, reduced: { decision: 'observe' } });
});

it.each<[string, () => readonly HookDefinition[], boolean]>([
  ['says something', () => [moduleHook(DENIES)], true],
  ['is one of two', () => [moduleHook('undefined'), moduleHook('undefined', { id: 'user:i', name: 'i' })], true],
  ['is beside a command', () => [moduleHook('undefined'), hook({ id: 'user:i', name: 'i' })], true],
  ['runs before something must be seen to', () => [moduleHook('undefined')], false],
])('is not given at once where a module %s', async (_what, hooks, mayAnswer) => {
  const { told, decided } = await asked(hooks(), PROMPT, { mayAnswer });
  expect(told).toEqual([]);
  expect(decided.answered).toBeUndefined();
});

it('is not given at once if a policy that is a module has failed', async () => {
  const failing = moduleHook('undefined.x', { event: 'pre_tool_use', failClosed: true });
  const call = { hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_input: { command: 'ls' }, tool_use_id: 't' };
  const { told, decided } = await asked([failing], call);
  expect(told).toEqual([]);
  expect(decided.reduced.verdict).toBe('deny');
});

/** Throws the first time. */
const faultyOnce = <Said extends readonly unknown[], Answer>(does: (...said: Said) => Answer): ((...said: Said) => Answer) => {
  let faults = 1;
  return (...said) => {
    if (faults-- > 0) throw new Error('a fault of ours');
    return does(...said);
  };
};

it.each<[string, readonly HookDefinition[], object, (lifecycle: LifecyclePorts) => LifecyclePorts]>([
  [
    'its answer to silence could not be made',
    [hook()],
    PROMPT,
    (lifecycle) => {
      const claude = findAgent('claude') as Agent;
      const faulty = { ...claude, encode: faultyOnce(claude.encode) };
      return { ...lifecycle, agentFor: () => faulty };
    },
  ],
  [
    'what to tell a session could not be made',
    [],
    { hook_event_name: 'SessionStart' },
    (lifecycle) => ({ ...lifecycle, noticeFor: faultyOnce(lifecycle.noticeFor) }),
  ],
  [
    'what to tell a session could not be made after its hook',
    [hook({ event: 'session_start' })],
    { hook_event_name: 'SessionStart' },
    (lifecycle) => ({ ...lifecycle, noticeFor: faultyOnce(lifecycle.noticeFor) }),
  ],
])('a duplicate does not wait for a first that was lost because %s', async (_what, hooks, event, faulty) => {
  const lifecycle = faulty(lifecycleOf(hooks));
  const ask = async (scope: string) => {
    const prepared = receiveFrame(lifecycle, frame({ session_id: 's', ...event }, { monotonicUs: monotonicUs(), scope })).prepare();
    return decideFrame(
      lifecycle,
      prepared,
      async () => SILENT,
      () => {},
    );
  };
  await expect(ask('user')).rejects.toThrow('a fault of ours');
  expect((await ask('project')).encoded.answer).toEqual(NOOP);
});
