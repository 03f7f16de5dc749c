import { randomBytes } from 'node:crypto';
import { mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { agentFor, findAgent } from '@piton/agents';
import { monotonicUs, ulid } from '@piton/contracts';
import { pathPorts, repositoryOf } from '@piton/contracts/repository';
import { createModuleHosts, createSandbox, type HookDefinition, type ModuleHosts, runCommand } from '@piton/hooks';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Occasion, type RehearsalPorts, rehearse } from '../src/rehearsal.ts';

let work: string;
let ports: RehearsalPorts;
let modules: ModuleHosts;
beforeEach(() => {
  work = realpathSync(mkdtempSync(join(tmpdir(), 'piton-rehearsal-')));
  const program = join(import.meta.dirname, '..', '..', '..', 'packages', 'hooks', 'src', 'module', 'module-host.mjs');
  modules = createModuleHosts({ program });
  ports = {
    ...{ findAgent, agentFor, repositoryOf, nowUs: monotonicUs, newStamp: () => ulid(Date.now(), randomBytes(10)) },
    ...pathPorts(),
    sandbox: createSandbox(),
    modules,
    spawn: ({ stdin, hook: _, ...rest }) => runCommand({ id: 0, ...rest, stdin: Buffer.from(stdin) }),
  };
});
afterEach(() => {
  modules.close();
  rmSync(work, { recursive: true, force: true });
});

const hook = (command: string, more: Partial<HookDefinition> = {}): HookDefinition => ({
  ...{ id: 'user:settings/one', name: 'one', scope: 'user', event: 'pre_tool_use', source: '/settings.json', env: {}, matcher: '' },
  ...{ argv: ['/bin/sh', '-c', command], timeoutMs: 5000, enabled: true, observe: false, failClosed: false, injectOutput: undefined },
  ...{ may: ['allow', 'modify'], root: null, status: { kind: 'ready' } },
  ...more,
});
const shell = (agent: string, nativeEvent: string, payload: object): Occasion => ({ agent, nativeEvent, cwd: work, payload });
const claude = (command: string): Occasion =>
  shell('claude', 'PreToolUse', { session_id: 's', cwd: work, tool_name: 'Bash', tool_input: { command }, tool_use_id: 't' });

describe('an event without an agent', () => {
  it('is decided by the hooks, and answered in the agent’s native format', async () => {
    const hooks = [hook('echo not that >&2; exit 2')];
    const gemini = shell('gemini', 'BeforeTool', {
      session_id: 's',
      cwd: work,
      tool_name: 'run_shell_command',
      tool_input: { command: 'ls' },
    });
    const one = await rehearse(claude('ls'), hooks, ports).perform();
    const other = await rehearse(gemini, hooks, ports).perform();
    expect(one.outcome.decision).toMatchObject({ decision: 'deny', reason: 'not that' });
    expect(JSON.parse(one.answer.stdout)).toEqual({
      hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'not that' },
    });
    expect(JSON.parse(other.answer.stdout)).toEqual({ decision: 'deny', reason: 'not that' });
  });

  it('runs nothing until it is performed, and knows whether anything would run', () => {
    const mark = join(work, 'ran');
    expect(rehearse(claude('ls'), [hook(`touch ${mark}`)], ports).runs).toBe(true);
    expect(rehearse(claude('ls'), [hook(`touch ${mark}`, { matcher: 'Edit' })], ports).runs).toBe(false);
    expect(() => readFileSync(mark)).toThrow();
  });

  it('runs hooks of the generic name first, then those of its kind', async () => {
    const log = join(work, 'log');
    const hooks = [
      hook(`echo kind >> ${log}`, { id: 'k', event: 'pre_shell_execution' }),
      hook(`echo generic >> ${log}`),
      hook(`echo other >> ${log}`, { event: 'stop' }),
    ];
    await rehearse(claude('ls'), hooks, ports).perform();
    expect(readFileSync(log, 'utf8')).toBe('generic\nkind\n');
  });

  it('also runs observing hooks, whose decision has no effect', async () => {
    const { outcome, answer } = await rehearse(claude('ls'), [hook('exit 2', { observe: true })], ports).perform();
    expect(outcome.decision.decision).toBe('observe');
    expect(outcome.trace).toEqual([
      expect.objectContaining({ did: 'ran', observed: true, said: expect.objectContaining({ decision: 'deny' }) }),
    ]);
    expect(answer.stdout).toBe('{}');
  });

  it('runs the hooks of an event that the agent cannot be stopped at', async () => {
    const mark = join(work, 'ran');
    const ended = shell('claude', 'SessionEnd', { session_id: 's', cwd: work, reason: 'other' });
    const { outcome } = await rehearse(ended, [hook(`echo over > ${mark}`, { event: 'session_end' })], ports).perform();
    expect(outcome.trace).toMatchObject([{ did: 'ran', observed: true }]);
    expect(readFileSync(mark, 'utf8')).toBe('over\n');
  });

  it('runs a module in its host', async () => {
    const module = join(work, 'guard.mjs');
    writeFileSync(module, 'export default ({ tool_input }) => ({ decision: "deny", reason: tool_input.command });\n');
    const { outcome } = await rehearse(claude('ls -l'), [hook('', { argv: [], module })], ports).perform();
    expect(outcome.decision).toMatchObject({ decision: 'deny', reason: 'ls -l' });
  });

  it('may be sent as another agent: hooks see that one, and the answer is in its format', async () => {
    const occasion = { ...claude('ls'), as: 'gemini' };
    const { answer, outcome } = await rehearse(occasion, [hook('echo "$PITON_AGENT" >&2; exit 2')], ports).perform();
    expect(outcome.decision.reason).toBe('gemini');
    expect(JSON.parse(answer.stdout)).toEqual({ decision: 'deny', reason: 'gemini' });
  });

  it('distinguishes a hook that failed from a silent one', async () => {
    const [broken, silent] = [
      await rehearse(claude('ls'), [hook('exit 7')], ports).perform(),
      await rehearse(claude('ls'), [hook(':')], ports).perform(),
    ];
    expect(broken.outcome.trace).toMatchObject([{ failed: 'exit', exitCode: 7 }]);
    expect(silent.outcome.trace[0]).not.toHaveProperty('failed');
  });
});
