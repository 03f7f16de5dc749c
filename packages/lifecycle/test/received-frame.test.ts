import { findAgent } from '@piton/agents';
import { type Agent, monotonicUs } from '@piton/contracts';
import { pathPorts } from '@piton/contracts/repository';
import { createSandbox, type HookDefinition, type RunResult } from '@piton/hooks';
import { expect, it } from 'vitest';
import { decideFrame } from '../src/decide-frame.ts';
import type { LifecyclePorts } from '../src/ports.ts';
import { receiveFrame } from '../src/received-frame.ts';
import { Runs } from '../src/runs.ts';
import { singleEvent } from '../src/single-event.ts';
import { frame } from './frames.ts';

const claude = findAgent('claude') as Agent;
const hook = (over: Partial<HookDefinition> = {}): HookDefinition => ({
  ...{ id: 'user:h', name: 'h', scope: 'user', event: 'pre_tool_use', source: '/h', argv: ['/h'], env: {}, matcher: '' },
  ...{ timeoutMs: 1000, enabled: true, observe: false, failClosed: false, injectOutput: undefined, may: [], root: null },
  status: { kind: 'ready' },
  ...over,
});
const REFUSES: RunResult = {
  ...{ exitCode: 2, timedOut: false, stdoutCut: false, stderrCut: false, notStarted: false, durationUs: 1n },
  ...{ stdout: Buffer.alloc(0), stderr: Buffer.from('no') },
};
const CALL = {
  hook_event_name: 'PreToolUse',
  session_id: 's',
  tool_name: 'Bash',
  tool_input: { command: 'ls' },
  tool_use_id: 't',
  cwd: '/',
};
const call = () => frame(CALL, { nativeEvent: 'PreToolUse', monotonicUs: monotonicUs() });

/** Ports with an agent that counts how often it decodes. */
function counting(hooks: readonly HookDefinition[], faults = 0): { ports: LifecyclePorts; decoded: () => number } {
  let decoded = 0;
  const agent: Agent = {
    ...claude,
    decode(payload, native) {
      decoded += 1;
      if (decoded <= faults) throw new Error('a fault of ours');
      return claude.decode(payload, native);
    },
  };
  const ports: LifecyclePorts = {
    ...singleEvent(),
    ...pathPorts(),
    ...{ agentFor: () => agent, hooksFor: () => hooks, repositoryOf: () => null, runs: new Runs(), nowUs: monotonicUs },
    ...{ sandbox: createSandbox(), modules: { run: async () => REFUSES } },
  };
  return { ports, decoded: () => decoded };
}

it.each<[string, readonly HookDefinition[]]>([
  ['no hook', []],
  ['a command', [hook()]],
  ['a module and one that watches', [hook({ module: '/h.mjs', argv: [] }), hook({ id: 'user:w', observe: true })]],
])('a payload is decoded once from the frame to the answer, with %s', async (_what, hooks) => {
  const { ports, decoded } = counting(hooks);
  const received = receiveFrame(ports, call());
  received.wantsCommand(); // as a plugin's frame is asked
  const decision = await decideFrame(ports, received.prepare(), async () => REFUSES);
  await decision.afterwards?.(async () => REFUSES);
  decision.outcome();
  expect(decision.reduced.decision).toBe(hooks.length > 0 ? 'deny' : 'observe');
  expect(decoded()).toBe(1);
});

it('a frame is decoded on first use: it is journalled first', () => {
  const { ports, decoded } = counting([]);
  receiveFrame(ports, call());
  expect(decoded()).toBe(0);
});

it('decoding is tried again after an error, so that the error is handled where it can be answered', () => {
  const { ports } = counting([], 1);
  const received = receiveFrame(ports, call());
  expect(() => received.wantsCommand()).toThrow('a fault of ours');
  expect(received.prepare().event.event).toBe('pre_tool_use');
});

it('knows which frames need a forwarder', () => {
  const wants = (hooks: readonly HookDefinition[]) => receiveFrame(counting(hooks).ports, call()).wantsCommand();
  expect(wants([])).toBe(false);
  expect(wants([hook()])).toBe(true);
  expect(wants([hook({ observe: true })])).toBe(true);
  expect(wants([hook({ module: '/h.mjs', argv: [] })])).toBe(false);
  expect(wants([hook({ matcher: 'Write' })])).toBe(false);
});
