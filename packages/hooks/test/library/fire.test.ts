import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { defineHook, fire, type Hook, type HookAnswer, type HookPayload, hookProblem, matchesEvent, run } from '../../src/library/index.ts';
import { put, temporary } from '../scenery.ts';

const answering = (name: string, answer: HookAnswer, parts: Partial<Hook> = {}): Hook =>
  ({ name, event: 'pre_tool_use', run: () => answer, ...parts }) as Hook;
const ls = { toolName: 'Bash', toolInput: { command: 'ls' } };

describe('fire', () => {
  it('makes one decision of what commands, functions and modules say', async () => {
    const module = put(join(temporary(), 'ask.mjs'), 'export default () => ({ decision: "ask", reason: "by a module" });');
    const hooks: Hook[] = [
      { name: 'command', event: 'pre_tool_use', command: 'echo \'{"decision":"allow"}\'' },
      answering('function', { decision: 'replace', content: 'by a function' }),
      { name: 'module', event: 'pre_tool_use', module },
    ];
    const { decision, trace } = await fire(hooks, 'pre_tool_use', ls);
    expect(decision).toEqual({ decision: 'ask', verdict: 'ask', reason: 'by a module', content: 'by a function' });
    expect(trace.map((entry) => [entry.hook, entry.did])).toEqual([
      ['command', 'ran'],
      ['function', 'ran'],
      ['module', 'ran'],
    ]);
  });

  it('tells who was considered, skipped and why, who ran, and who failed', async () => {
    const hooks = [
      answering('off', undefined, { enabled: false }),
      answering('other tool', undefined, { matcher: 'Edit' }),
      answering('other input', undefined, { when: { command: 'make*' } }),
      answering('broken', undefined, { matcher: '/(?=x)/' }),
      answering('quiet', undefined),
      { name: 'dead', event: 'pre_tool_use', command: 'exit 9' } as Hook,
      answering('elsewhere', undefined, { event: 'session_end' }),
    ];
    const { decision, trace } = await fire(hooks, 'pre_tool_use', ls);
    const told = trace.map((entry) => [entry.hook, entry.did === 'ran' ? (entry.failed ?? 'ran') : entry.why]);
    expect(Object.fromEntries(told)).toEqual({
      off: 'disabled',
      'other tool': 'no-match',
      'other input': 'no-match',
      broken: 'broken',
      quiet: 'ran',
      dead: 'exit',
    });
    expect(decision).toEqual({ decision: 'observe', verdict: 'observe' });
  });

  it('says whether a hook’s own limit or the budget cut it', async () => {
    const slow = (name: string, timeout: number): Hook => ({ name, event: 'pre_tool_use', command: 'sleep 60', timeout });
    const { trace } = await fire([slow('own', 100), slow('shared', 60_000)], 'pre_tool_use', { ...ls, budget: 700 });
    expect(trace.map((entry) => entry.did === 'ran' && entry.timedOut)).toEqual(['hook', 'budget']);
  });

  it('gives a function its own copy of the payload, and a signal for its end', async () => {
    let aborted = false;
    const hooks: Hook[] = [
      {
        name: 'vandal',
        event: 'pre_tool_use',
        run: (payload: HookPayload) => {
          (payload.tool_input as Record<string, unknown>).command = 'rm -rf /';
          return undefined;
        },
      },
      {
        name: 'late',
        event: 'pre_tool_use',
        timeout: 100,
        run: (_, { signal }) =>
          new Promise(() =>
            signal.addEventListener('abort', () => {
              aborted = true;
            }),
          ),
      },
      { name: 'reader', event: 'pre_tool_use', run: ({ tool_input }) => ({ decision: 'deny', reason: String(tool_input?.command) }) },
    ];
    const { decision, trace } = await fire(hooks, 'pre_tool_use', ls);
    expect(decision.reason).toBe('ls');
    expect(aborted).toBe(true);
    expect(trace[1]).toMatchObject({ hook: 'late', failed: 'timeout', timedOut: 'hook' });
  });

  it('denies for a policy that fails, however it fails, and lets others fail', async () => {
    const broken: Record<string, Partial<Hook>> = {
      throws: { run: () => Promise.reject(new Error('oh')) } as Partial<Hook>,
      late: { run: () => new Promise(() => undefined), timeout: 50 } as Partial<Hook>,
      unreadable: { run: () => '{ "decision": "perhaps" }' } as Partial<Hook>,
      unwritable: { run: () => ({ decision: 'rewrite', output: 1n }) } as Partial<Hook>,
      'no such command': { run: undefined, command: '/nowhere' } as Partial<Hook>,
      'bad matcher': { matcher: '/(?=x)/' },
      'no such module': { run: undefined, module: '/nowhere/at/all.mjs' } as Partial<Hook>,
    };
    for (const [name, parts] of Object.entries(broken)) {
      const open = await fire([answering(name, undefined, parts)], 'pre_tool_use', ls);
      expect([name, open.decision.verdict]).toEqual([name, 'observe']);
      const closed = await fire([answering(name, undefined, { ...parts, failClosed: true })], 'pre_tool_use', ls);
      expect([name, closed.decision.verdict]).toEqual([name, 'deny']);
    }
  });

  it('does not let what runs in the shadow count', async () => {
    const shadow = answering('trial', { decision: 'deny', reason: 'no' }, { mode: 'shadow' });
    const { decision, trace, afterwards } = await fire([shadow], 'pre_tool_use', ls);
    expect([decision.verdict, trace]).toEqual(['observe', []]);
    expect(await afterwards).toMatchObject([{ hook: 'trial', did: 'ran', observed: true, said: { decision: 'deny' } }]);
  });

  it('runs those that watch after the decision, on what came of it, and those of a group together', async () => {
    const order: string[] = [];
    let together = 0;
    const most: Record<string, number> = {};
    const watcher = (name: string, group?: string): Hook => ({
      name,
      event: 'pre_tool_use',
      observe: true,
      ...(group && { group }),
      run: async ({ tool_input }) => {
        order.push(`${name} began: ${tool_input?.command}`);
        together++;
        await sleep(50);
        most[group ?? name] = Math.max(most[group ?? name] ?? 0, together);
        together--;
      },
    });
    const alone = watcher('alone');
    const change = answering('change', { decision: 'modify', input: { command: 'ls -l' } });
    const { decision, afterwards } = await fire([watcher('a', 'g'), alone, watcher('b', 'g'), change], 'pre_tool_use', ls);
    expect(decision.input).toEqual({ command: 'ls -l' });
    const entries = await afterwards;
    expect(order).toEqual(['a began: ls -l', 'b began: ls -l', 'alone began: ls -l']);
    expect(entries.map(({ hook, did }) => [hook, did])).toEqual([
      ['a', 'ran'],
      ['alone', 'ran'],
      ['b', 'ran'],
    ]);
    expect(most).toEqual({ g: 2, alone: 1 });
  });

  it('stops for a signal: what runs is ended, what waits is skipped, and a policy denies', async () => {
    const stop = new AbortController();
    const hooks: Hook[] = [
      { name: 'slow', event: 'pre_tool_use', command: 'sleep 60' },
      answering('next', { decision: 'allow' }),
      answering('policy', undefined, { failClosed: true }),
    ];
    setTimeout(() => stop.abort(new Error('the user left')), 100);
    const { decision, trace } = await fire(hooks, 'pre_tool_use', { ...ls, signal: stop.signal });
    expect(decision.verdict).toBe('deny');
    expect(trace).toMatchObject([
      { hook: 'slow', did: 'ran', failed: 'lost', note: 'the user left' },
      { hook: 'next', did: 'skipped', why: 'aborted' },
      { hook: 'policy', did: 'skipped', why: 'aborted' },
    ]);
  });

  it('hides variables that the caller names, and git’s own', async () => {
    process.env.PITON_TEST_KEY = 'secret';
    process.env.GIT_DIR = '/nowhere';
    const command = 'printf %s "$PITON_TEST_KEY,$GIT_DIR"';
    const { trace } = await fire([{ name: 'h', event: 'pre_tool_use', command }], 'pre_tool_use', { ...ls, unset: ['PITON_TEST_*'] });
    delete process.env.PITON_TEST_KEY;
    delete process.env.GIT_DIR;
    expect(trace[0]).toMatchObject({ stdout: ',' });
  });

  it.each([
    ['what `condition && answer` leaves', false],
    ['what `list.push(it)` leaves', 3],
    ['null', null],
  ])('takes %s for nothing, also where text would be for the model', async (_, left) => {
    const { decision, trace } = await fire([answering('h', left as never, { event: 'session_start', failClosed: true })], 'session_start');
    expect(decision).toEqual({ decision: 'observe', verdict: 'observe' });
    expect(trace).toMatchObject([{ did: 'ran', exitCode: 0, stdout: '' }]);
  });

  it('takes a function that gives back a function for one that failed', async () => {
    const { decision, trace } = await fire([answering('h', (() => 'deny') as never, { failClosed: true })], 'pre_tool_use', ls);
    expect(decision.verdict).toBe('deny');
    expect(trace[0]).toMatchObject({ failed: 'exit', note: expect.stringContaining('a function is not an answer') });
  });

  it('takes an answer in the words of Claude Code from a function as well', async () => {
    const claude = { hookSpecificOutput: { hookEventName: 'PreToolUse', permissionDecision: 'deny', permissionDecisionReason: 'no' } };
    expect((await fire([answering('c', claude)], 'pre_tool_use', ls)).decision).toMatchObject({ verdict: 'deny', reason: 'no' });
  });

  it('does nothing by itself', async () => {
    const folder = temporary();
    await fire([], 'pre_tool_use', { ...ls, cwd: folder });
    expect(existsSync(join(folder, 'anything'))).toBe(false);
    expect((await fire([], 'session_start')).decision).toEqual({ decision: 'observe', verdict: 'observe' });
  });
});

describe('conditions', () => {
  it.each([
    [{ kind: 'shell' }, true],
    [{ kind: ['edit', 'shell'] }, true],
    [{ kind: 'edit' }, false],
    [{ command: 'ls' }, true],
    [{ command: '/^l/' }, true],
    [{ command: ['make', 'l*'] }, true],
    [{ command: 'rm*' }, false],
    [{ file: '*.ts' }, false],
    [{ input: { command: '/^LS$/i' } }, true],
    [{ input: { command: 'ls', description: '*' } }, false],
    [{ kind: 'shell', command: 'rm*' }, false],
    [{ source: 'resume' }, false],
  ] as const)('%j on `ls`: %s', async (when, expected) => {
    const { decision } = await fire([answering('h', { decision: 'deny', reason: '' }, { when })], 'pre_tool_use', ls);
    expect(decision.verdict).toBe(expected ? 'deny' : 'observe');
  });

  it('look at files, absolute ones too, and at the source of a session', async () => {
    const hit = async (when: object, toolInput: Record<string, unknown>) =>
      (await fire([answering('h', { decision: 'deny', reason: '' }, { when })], 'pre_tool_use', { toolName: 'Edit', toolInput })).decision
        .verdict;
    expect(await hit({ file: '*.env' }, { file_path: '/a/b/.env' })).toBe('deny');
    expect(await hit({ file: '/etc/*' }, { file_path: '/etc/passwd' })).toBe('deny');
    expect(await hit({ file: '/\\.env$/' }, { file_path: '/a/.env.example' })).toBe('observe');
    expect(await hit({ input: { count: '3' } }, { count: 3 })).toBe('deny');
    const start = answering('s', 'hello', { event: 'session_start', when: { source: 'resume|compact' } });
    expect((await fire([start], 'session_start', { source: 'resume' })).decision.content).toBe('hello');
    expect((await fire([start], 'session_start', { source: 'startup' })).decision.content).toBeUndefined();
  });

  it('are asked again after the input has changed', async () => {
    const guard = answering('guard', { decision: 'deny', reason: 'no' }, { when: { command: '/rm -rf/' } });
    const change = answering('change', { decision: 'modify', input: { command: 'rm -rf /' } }, { when: { command: 'ls' } });
    const { decision, trace } = await fire([guard, change], 'pre_tool_use', ls);
    expect(decision).toMatchObject({ verdict: 'deny', reason: 'no' });
    expect(trace.map((entry) => [entry.hook, entry.did])).toEqual([
      ['guard', 'skipped'],
      ['change', 'ran'],
      ['guard', 'ran'],
    ]);
    const chain = answering('chain', { decision: 'modify', input: { command: 'ls # safe' } }, { when: { command: 'rm*' } });
    expect((await fire([guard, change, chain], 'pre_tool_use', ls)).decision.input).toEqual({ command: 'ls # safe' });
  });
});

describe('a hook that is written wrongly, as JSON may be', () => {
  const guard = answering('guard', { decision: 'deny', reason: 'no' });
  it.each([
    ['no object', null, 'it is not an object'],
    ['a text', 'echo hello', 'it is not an object'],
    ['no name', { event: 'pre_tool_use', command: 'true' }, '"name"'],
    ['no event', { name: 'h', command: 'true' }, 'no event is named undefined'],
    ['a list of events', { name: 'h', event: ['pre_tool_use'], command: 'true' }, 'no event is named pre_tool_use'],
    ['a number as matcher', { name: 'h', event: 'pre_tool_use', command: 'true', matcher: 5 }, '"matcher"'],
    ['a list as matcher', { name: 'h', event: 'pre_tool_use', command: 'true', matcher: ['Bash'] }, '"matcher"'],
    ['null as conditions', { name: 'h', event: 'pre_tool_use', command: 'true', when: null }, '"when"'],
    ['a module that is no path', { name: 'h', event: 'pre_tool_use', module: {} }, '"module"'],
    ['an empty command', { name: 'h', event: 'pre_tool_use', command: ' ' }, 'command is empty'],
  ])('%s: is told, and stops no other', async (_, wrong, why) => {
    const hooks = [wrong as unknown as Hook, guard];
    expect(hookProblem(hooks[0] as Hook)).toContain(why);
    const { decision, trace } = await fire(hooks, 'pre_tool_use', ls);
    expect(decision.verdict).toBe('deny');
    expect(trace).toContainEqual(expect.objectContaining({ did: 'skipped', why: 'broken', note: expect.any(String) }));
    const results = await run(hooks, 'pre_tool_use', 'Bash');
    expect(results.map(({ exitCode, said }) => [exitCode, said.decision])).toEqual([
      [126, 'observe'],
      [0, 'deny'],
    ]);
    expect(hooks.map((hook) => matchesEvent(hook, 'pre_tool_use', 'Bash', { command: 'ls' }))).toEqual([false, true]);
  });
});

describe('defineHook', () => {
  it('gives the hook back, and refuses one that is wrong', () => {
    expect(defineHook({ name: 'h', event: 'stop', command: 'true' })).toEqual({ name: 'h', event: 'stop', command: 'true' });
    const typed = defineHook({
      name: 'h',
      event: 'pre_tool_use',
      run: ({ tool_input }) => ({ decision: 'deny', reason: String(tool_input.command) }),
    });
    expect(typed.name).toBe('h');
    const wrong =
      (parts: object): (() => unknown) =>
      () =>
        defineHook({ name: 'h', event: 'stop', command: 'true', ...parts } as never);
    expect(wrong({ event: 'sometime' })).toThrow('no event is named sometime');
    expect(wrong({ command: undefined })).toThrow('needs one of');
    expect(wrong({ run: () => undefined })).toThrow('needs one of');
    expect(wrong({ timeout: -1 })).toThrow('timeout');
    expect(wrong({ matcher: '/(a)\\1/' })).toThrow('backreference');
    expect(wrong({ when: { kind: 'shel' } })).toThrow('"when.kind" is "shel"');
    expect(wrong({ when: { comand: 'x' } })).toThrow('no condition "comand"');
    expect(wrong({ when: { command: '/(?!a)/' } })).toThrow('looks ahead');
    expect(wrong({ mode: 'maybe' })).toThrow('mode');
  });
});

describe('a variable of the host that no command can be given', () => {
  const long = 'x'.repeat(140_000);
  const guard = (command: string, failClosed = false): Hook => ({ name: 'guard', event: 'pre_tool_use', command, failClosed });

  it('is left out and named, and the hook runs', async () => {
    const hook = guard('echo "[$TOOL_INPUT] [$SMALL] $PITON_OMITTED" >&2; exit 2');
    const { decision } = await fire([hook], 'pre_tool_use', { toolName: 'Bash', env: { TOOL_INPUT: long, SMALL: 'y', NUL: 'a\0b' } });
    expect(decision).toMatchObject({ verdict: 'deny', reason: '[] [y] TOOL_INPUT,NUL' });
  });

  it('stands beside those that Piton left out itself', async () => {
    const hook = guard('echo "$PITON_OMITTED" >&2; exit 2');
    const input = { command: 'z'.repeat(5000) };
    const { decision } = await fire([hook], 'pre_tool_use', { toolName: 'Bash', toolInput: input, env: { TOOL_INPUT: long } });
    expect(decision.reason).toBe('PITON_TOOL_COMMAND,TOOL_INPUT');
  });

  it('makes a policy deny where all of them together are too much', async () => {
    const env = Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`V${at}`, 'x'.repeat(120_000)]));
    const { decision } = await fire([guard('exit 0', true)], 'pre_tool_use', { toolName: 'Bash', env });
    expect(decision.verdict).toBe('deny');
  });
});
