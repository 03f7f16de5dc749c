import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { Event, type Hook, type HookResult, hooksFromContext, matchesEvent, run, withHooks } from '../../src/library/index.ts';
import { put, temporary } from '../scenery.ts';

const hook = (parts: Partial<Hook> = {}): Hook => ({ name: 'h', event: Event.PreToolUse, command: ':', ...parts }) as Hook;

describe('matchesEvent', () => {
  it.each([
    ['session_start', 'session_start', true],
    ['pre_prompt', 'user_prompt_submit', true],
    ['user_prompt_submit', 'pre_prompt', true],
    ['post_response', 'stop', true],
    ['stop', 'post_response', true],
    ['context_compact', 'pre_compact', true],
    ['pre_compact', 'context_compact', true],
    ['session_start', 'session_end', false],
  ] as const)('a hook of %s on %s: %s', (own, event, expected) => {
    expect(matchesEvent(hook({ event: own }), event, '')).toBe(expected);
  });

  it.each([
    ['', 'Bash', true],
    ['Bash', 'Bash', true],
    ['Bash', 'Edit', false],
    ['mcp__*', 'mcp__git__push', true],
    ['Edit|Write', 'Write', true],
    ['/^(Edit|Write)$/', 'Edit', true],
    ['/^(Edit|Write)$/', 'NotebookEdit', false],
  ])('matcher %j on %s: %s', (matcher, tool, expected) => {
    expect(matchesEvent(hook({ matcher }), 'pre_tool_use', tool)).toBe(expected);
  });

  it('lets a matcher count on tool events only', () => {
    expect(matchesEvent(hook({ event: 'session_start', matcher: 'Bash' }), 'session_start', '')).toBe(true);
  });

  it('is false for a hook that is switched off, and true for one that says nothing of it', () => {
    expect(matchesEvent(hook({ enabled: false }), 'pre_tool_use', 'Bash')).toBe(false);
    expect(matchesEvent(hook(), 'pre_tool_use', 'Bash')).toBe(true);
  });

  it('knows the kinds of tools', () => {
    expect(matchesEvent(hook({ event: 'pre_shell_execution' }), 'pre_tool_use', 'Bash')).toBe(true);
    expect(matchesEvent(hook({ event: 'pre_shell_execution' }), 'pre_tool_use', 'Edit')).toBe(false);
  });

  it('looks at conditions where the input is given', () => {
    const guard = hook({ when: { command: '/\\brm\\s+-rf\\b/' } });
    expect(matchesEvent(guard, 'pre_tool_use', 'Bash', { command: 'sudo rm -rf /' })).toBe(true);
    expect(matchesEvent(guard, 'pre_tool_use', 'Bash', { command: 'ls' })).toBe(false);
  });
});

describe('run', () => {
  it('runs matching hooks in the order of their definition, one after the other', async () => {
    const folder = temporary();
    const note = (name: string, wait: number): Hook => hook({ name, command: `sleep ${wait}; echo ${name} >>log; printf ${name}` });
    const hooks = [note('one', 0.2), hook({ name: 'other', event: 'session_end' }), note('two', 0.1), note('three', 0)];
    const results = await run(hooks, Event.PreToolUse, 'Bash', {}, { cwd: folder });
    expect(results.map(({ name, stdout, exitCode, timedOut }) => [name, stdout, exitCode, timedOut])).toEqual([
      ['one', 'one', 0, false],
      ['two', 'two', 0, false],
      ['three', 'three', 0, false],
    ]);
    expect(readFileSync(join(folder, 'log'), 'utf8')).toBe('one\ntwo\nthree\n');
  });

  it('lets one that fails, is late or denies not stop the next', async () => {
    const hooks = [
      hook({ name: 'fails', command: 'echo oh >&2; exit 3' }),
      hook({ name: 'late', command: 'sleep 60', timeout: 200 }),
      hook({ name: 'denies', command: 'echo no >&2; exit 2' }),
      hook({ name: 'missing', command: '/nowhere/at/all' }),
      hook({ name: 'throws', command: undefined, run: () => Promise.reject(new Error('thrown')) } as Partial<Hook>),
      hook({ name: 'last', command: 'printf done' }),
    ];
    const results = await run(hooks, 'pre_tool_use', 'Bash');
    expect(results.map(({ name, exitCode, timedOut }) => [name, exitCode, timedOut])).toEqual([
      ['fails', 3, false],
      ['late', -1, true],
      ['denies', 2, false],
      ['missing', 127, false],
      ['throws', 1, false],
      ['last', 0, false],
    ]);
    expect(results[0]?.stderr).toBe('oh\n');
    expect(results[2]?.said).toEqual({ decision: 'deny', reason: 'no' });
    expect(results[4]?.stderr).toBe('thrown');
    expect(results[1]?.duration).toBeGreaterThanOrEqual(190);
  });

  it('gives stdout back whether or not it is for the model', async () => {
    const texts = [true, false, undefined].map((injectOutput) =>
      hook({ name: String(injectOutput), command: 'echo hello', ...(injectOutput !== undefined && { injectOutput }) }),
    );
    const results = await run(texts, 'pre_tool_use', 'Bash');
    expect(results.map(({ stdout }) => stdout)).toEqual(['hello\n', 'hello\n', 'hello\n']);
    expect(results.map(({ said }) => said.decision)).toEqual(['replace', 'observe', 'observe']);
  });

  it('takes plain text as context at session start and prompt, unless told not to', async () => {
    const said = async (event: Hook['event'], injectOutput?: boolean) =>
      (await run([hook({ event, command: 'echo hi', ...(injectOutput !== undefined && { injectOutput }) })], event))[0]?.said;
    expect(await said('session_start')).toEqual({ decision: 'replace', content: 'hi' });
    expect(await said('pre_prompt')).toEqual({ decision: 'replace', content: 'hi' });
    expect(await said('session_start', false)).toEqual({ decision: 'observe' });
    expect(await said('session_end')).toEqual({ decision: 'observe' });
    expect(await said('session_end', true)).toEqual({ decision: 'replace', content: 'hi' });
  });

  it('caps what is printed, and says so', async () => {
    const long = 'head -c 2000000 /dev/zero | tr "\\\\0" x';
    const [out, err, whole] = await run(
      [long, `${long} >&2`, 'echo x'].map((command) => hook({ command })),
      'pre_tool_use',
      'Bash',
    );
    expect([out?.stdout.length, out?.truncated]).toEqual([1024 * 1024, true]);
    expect([err?.stderr.length, err?.truncated]).toEqual([64 * 1024, true]);
    expect(whole).not.toHaveProperty('truncated');
  });

  it('takes no output of one that failed as context', async () => {
    const [result] = await run([hook({ event: 'session_start', command: 'echo hi; exit 1', injectOutput: true })], 'session_start');
    expect(result).toMatchObject({ stdout: 'hi\n', exitCode: 1, said: { decision: 'observe' } });
  });

  it('gives the command its payload, its working directory and its variables', async () => {
    const folder = temporary();
    const [result] = await run(
      [hook({ command: 'cat; echo; pwd; printf "%s %s %s" "$TOOL_NAME" "$MINE" "$PITON_EVENT"' })],
      'pre_tool_use',
      'Bash',
      { MINE: 'own' },
      { cwd: folder, toolInput: { command: 'ls' }, sessionId: 's-9' },
    );
    const [json, cwd, words] = (result?.stdout ?? '').split('\n');
    expect(JSON.parse(json ?? '')).toMatchObject({
      session_id: 's-9',
      cwd: folder,
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
    });
    expect([cwd, words]).toEqual([folder, 'Bash own pre_tool_use']);
  });

  it('runs nothing for an event that no hook has, and has no default hooks', async () => {
    expect(await run([hook()], 'session_end')).toEqual([]);
    expect(await run([], 'pre_tool_use', 'Bash')).toEqual([]);
  });

  it('stops at an aborted signal', async () => {
    const stop = new AbortController();
    setTimeout(() => stop.abort(), 150);
    const hooks = [hook({ name: 'slow', command: 'sleep 60' }), hook({ name: 'next' })];
    const results = await run(hooks, 'pre_tool_use', 'Bash', {}, { signal: stop.signal });
    expect(results.map(({ name, exitCode }) => [name, exitCode])).toEqual([['slow', -1]]);
    expect(results[0]?.duration).toBeGreaterThan(0);
  });

  it('shares a budget among all, and says who was left without', async () => {
    const hooks = [hook({ name: 'slow', command: 'sleep 60' }), hook({ name: 'next' })];
    const results = await run(hooks, 'pre_tool_use', 'Bash', {}, { budget: 200 });
    expect(results.map(({ name, exitCode, timedOut }) => [name, exitCode, timedOut])).toEqual([
      ['slow', -1, true],
      ['next', -1, true],
    ]);
  });

  it('tells of a hook that cannot run, instead of passing it over', async () => {
    const [result] = await run([hook({ matcher: '/(?=x)/' })], 'pre_tool_use', 'Bash');
    expect(result).toMatchObject({ exitCode: 126, stderr: expect.stringContaining('looks ahead') });
    const [typo] = await run([hook({ event: 'pre_toll_use' as 'stop' })], 'pre_tool_use', 'Bash');
    expect(typo).toMatchObject({ exitCode: 126, stderr: 'no event is named pre_toll_use' });
  });

  it.each([
    ['missing', {}, 30_000],
    ['0', { timeout: 0 }, 30_000],
    ['its own', { timeout: 45_000 }, 45_000],
  ])('applies a timeout that is %s when the hook runs', async (_, parts, limit) => {
    vi.useFakeTimers();
    try {
      let results: readonly HookResult[] | undefined;
      const never = hook({ command: undefined, run: () => new Promise(() => undefined), ...parts } as Partial<Hook>);
      void run([never], 'pre_tool_use', 'Bash').then((ended) => {
        results = ended;
      });
      await vi.advanceTimersByTimeAsync(limit - 1);
      expect(results).toBeUndefined();
      await vi.advanceTimersByTimeAsync(1);
      expect(results).toMatchObject([{ exitCode: -1, timedOut: true }]);
    } finally {
      vi.useRealTimers();
    }
  });
});

describe('data', () => {
  const evil = '"; touch pwned; echo "$(touch pwned) `touch pwned` \'; touch pwned; \' && touch pwned | touch pwned\n touch pwned\n';

  it.each([
    ['TOOL_NAME', { toolName: evil }],
    ['PITON_TOOL_COMMAND', { toolName: 'Bash', toolInput: { command: evil } }],
    ['PITON_TOOL_FILES', { toolName: 'Edit', toolInput: { file_path: evil } }],
    ['PITON_SESSION_ID', { toolName: 'Bash', sessionId: evil }],
    ['PITON_AGENT', { toolName: 'Bash', agent: evil }],
    ['MINE', { toolName: 'Bash' }],
  ])('in $%s is only data, quoted or not', async (name, { toolName, ...more }) => {
    const folder = temporary();
    const commands = [`printf %s "$${name}"`, `printf %s $${name}`, `: "\${${name}}"; eval : ok`];
    const hooks = commands.map((command, at) => hook({ name: String(at), command }));
    const results = await run(hooks, 'pre_tool_use', toolName, { MINE: evil }, { cwd: folder, ...more });
    expect(results[0]?.stdout).toBe(evil);
    expect(results.every(({ exitCode }) => exitCode === 0)).toBe(true);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('of the working directory is only data', async () => {
    const folder = join(temporary(), '$(touch pwned)"; touch pwned');
    put(join(folder, 'here'), '');
    const [result] = await run(
      [hook({ command: 'printf %s "$PITON_CWD $CLAUDE_PROJECT_DIR"' })],
      'pre_tool_use',
      'Bash',
      {},
      { cwd: folder },
    );
    expect(result?.stdout).toBe(`${folder} ${folder}`);
    expect(existsSync(join(folder, 'pwned'))).toBe(false);
  });

  it('with a NUL cannot become part of a command either', async () => {
    const [result] = await run([hook({ command: 'printf %s "$TOOL_NAME"' })], 'pre_tool_use', 'a\0b');
    expect(result).toMatchObject({ stdout: '', exitCode: 0 });
  });
});

describe('the context', () => {
  it('carries hooks through everything that is started inside', async () => {
    const hooks = [hook()];
    expect(hooksFromContext()).toBeUndefined();
    const seen = await withHooks(hooks, async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      return [hooksFromContext(), withHooks([], () => hooksFromContext()), hooksFromContext()];
    });
    expect(seen).toEqual([hooks, [], hooks]);
    expect(hooksFromContext()).toBeUndefined();
  });

  it('gives back what the function does, and passes its error on', () => {
    expect(withHooks([], () => 7)).toBe(7);
    expect(() =>
      withHooks([], () => {
        throw new Error('mine');
      }),
    ).toThrow('mine');
  });
});
