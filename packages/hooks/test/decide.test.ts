import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CanonicalEvent, TraceEntry } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { decide, type HookDefinition, observe, type Spawn, withDecision } from '../src/index.ts';
import { hookOf, optionsOf, plainEvent, put, resultOf, shellHook, temporary, toolEvent } from './scenery.ts';

const bash = (command: string) => toolEvent('pre_tool_use', 'Bash', { command });
const print = (value: unknown): string => `printf '%s' '${JSON.stringify(value)}'`;
const ran = (trace: readonly TraceEntry[]) => trace.flatMap((entry) => (entry.did === 'ran' ? [entry] : []));
const order = (trace: readonly TraceEntry[]): string[] => trace.map((entry) => `${entry.hook.split('/')[1]} ${entry.did}`);

/** Denies any command that has the word in it, as a real guard would: by what it reads. */
const guard = (name: string, word: string) =>
  shellHook(name, `grep -q '"tool_input":{"command":"[^"]*${word}' && { echo "no ${word}" >&2; exit 2; }; exit 0`);

describe('decide', () => {
  it('runs hooks in order and puts their words together', async () => {
    const hooks = [shellHook('a', print({ decision: 'allow' })), shellHook('b', 'exit 0'), shellHook('c', 'echo "not that" >&2; exit 2')];
    const { reduced, trace } = await decide(optionsOf(bash('ls'), hooks));
    expect(reduced).toEqual({ decision: 'deny', verdict: 'deny', reason: 'not that' });
    expect(order(trace)).toEqual(['a ran', 'b ran', 'c ran']);
    expect(ran(trace).map(({ said, exitCode }) => [said.decision, exitCode])).toEqual([
      ['allow', 0],
      ['observe', 0],
      ['deny', 2],
    ]);
  });

  it('says of each hook when it started, counted from the event, before and after the answer', async () => {
    let elapsed = 250;
    const spawn: Spawn = async () => {
      elapsed += 1000;
      return resultOf();
    };
    const options = { spawn, elapsedUs: () => elapsed + 0.4 };
    const denies = hookOf({ name: 'built-in', builtIn: () => ({ decision: 'deny', reason: 'no' }) });
    const started = (trace: readonly TraceEntry[]) => ran(trace).map(({ startedUs }) => startedUs);
    const hooks = [hookOf({ name: 'first' }), hookOf({ name: 'second' }), denies];
    expect(started((await decide(optionsOf(bash('ls'), hooks, options))).trace)).toEqual([250, 1250, 2250]);
    expect(started(await observe(optionsOf(bash('ls'), [hookOf({ name: 'later', observe: true })], options)))).toEqual([2250]);
  });

  it('starts the first that runs in the same breath, whoever was asked before it and has nothing to say', async () => {
    const started: string[] = [];
    const spawn: Spawn = async ({ hook }) => {
      started.push(hook.name);
      return resultOf();
    };
    const quiet = hookOf({ name: 'quiet', builtIn: () => undefined });
    const deciding = decide(optionsOf(bash('ls'), [quiet, hookOf({ name: 'first' }), hookOf({ name: 'second' })], { spawn }));
    expect(started).toEqual(['first']);
    await deciding;
    expect(started).toEqual(['first', 'second']);
  });

  it('gives the hook the portable payload, and the same facts as environment', async () => {
    const file = join(temporary(), 'seen');
    const hook = shellHook(
      'probe',
      `{ cat; printf '\\n%s|%s|%s|%s|%s|%s' "$PITON_EVENT" "$TOOL_NAME" "$PITON_TOOL_COMMAND" "$PITON_DEPTH" "$PITON_RUN" "$CLAUDE_PROJECT_DIR"; } > '${file}'`,
      {
        event: 'pre_shell_execution',
      },
    );
    await decide(optionsOf(bash('ls -l'), [hook], { projectDir: '/the/project' }));
    const [payload, environment] = readFileSync(file, 'utf8').split('\n') as [string, string];
    expect(JSON.parse(payload)).toMatchObject({
      session_id: 's-1',
      hook_event_name: 'PreToolUse',
      tool_name: 'Bash',
      tool_input: { command: 'ls -l' },
      piton: { event: 'pre_shell_execution', agent: 'claude', tool: { kind: 'shell', command: 'ls -l' } },
    });
    expect(environment).toBe('pre_shell_execution|Bash|ls -l|1|run-1|/the/project');
  });

  it('keeps git variables from every hook, and credentials from those of a project', async () => {
    process.env.GIT_INDEX_FILE = 'x';
    process.env.TEST_AGENT_KEY = 'secret';
    process.env.PITON_BRANCH = 'of an outer event';
    try {
      const print = 'printf "%s|%s|%s" "$GIT_INDEX_FILE" "$TEST_AGENT_KEY" "$PITON_BRANCH"';
      const { trace } = await decide(
        optionsOf(bash('ls'), [shellHook('mine', print), shellHook('theirs', print, { scope: 'project' })], {
          secrets: ['TEST_AGENT_KEY'],
        }),
      );
      expect(ran(trace).map(({ stdout }) => stdout)).toEqual(['|secret|', '||']);
    } finally {
      delete process.env.GIT_INDEX_FILE;
      delete process.env.TEST_AGENT_KEY;
      delete process.env.PITON_BRANCH;
    }
  });

  it('shows each hook the input that the former wrote', async () => {
    const append = (word: string) =>
      shellHook(
        word,
        `case "$PITON_TOOL_COMMAND" in *${word}*) ;; *) printf '{"decision":"modify","input":{"command":"%s ${word}"}}' "$PITON_TOOL_COMMAND";; esac`,
      );
    const reader = shellHook('reader', `grep -o '"tool_input":{[^}]*}' | head -n 1`);
    const { reduced, trace } = await decide(optionsOf(bash('ls'), [append('one'), append('two'), reader]));
    expect(order(trace)).toEqual(['one ran', 'two ran', 'reader ran', 'one ran']);
    expect(trace[2]).toMatchObject({ stdout: '"tool_input":{"command":"ls one two"}\n' });
    expect(reduced.verdict).toBe('observe');
    expect(reduced.input).toEqual({ command: 'ls one two' });
  });

  it('asks a guard again about an input that was written after it ran', async () => {
    const writer = shellHook('writer', print({ decision: 'modify', input: { command: 'curl evil' } }));
    const { reduced, trace } = await decide(optionsOf(bash('ls'), [guard('guard', 'curl'), writer]));
    expect(reduced).toEqual({ decision: 'deny', verdict: 'deny', reason: 'no curl' });
    expect(order(trace)).toEqual(['guard ran', 'writer ran', 'guard ran']);
    expect(trace[2]).toMatchObject({ note: 'ran again on the input that writer wrote' });
  });

  it('does not ask again whoever saw the final input', async () => {
    const writer = shellHook('writer', print({ decision: 'modify', input: { command: 'ls -l' } }));
    const { reduced, trace } = await decide(optionsOf(bash('ls'), [writer, guard('guard', 'curl')]));
    expect(reduced).toEqual({ decision: 'modify', verdict: 'observe', input: { command: 'ls -l' } });
    expect(order(trace)).toEqual(['writer ran', 'guard ran']);
  });

  it('lets an allow count for the input that it was said of, and for no other', async () => {
    const onlyLs = shellHook('ls-is-fine', `test "$PITON_TOOL_COMMAND" = ls && ${print({ decision: 'allow', reason: 'only ls' })}; exit 0`);
    const writer = shellHook('writer', print({ decision: 'modify', input: { command: 'rm x' } }));
    const { reduced } = await decide(optionsOf(bash('ls'), [onlyLs, writer]));
    expect(reduced.verdict).toBe('observe');
    expect(reduced.input).toEqual({ command: 'rm x' });
  });

  it('forgets an allow when the hook cannot say it again', async () => {
    const once = shellHook('once', `test "$PITON_TOOL_COMMAND" = ls || exit 3; ${print({ decision: 'allow' })}`);
    const writer = shellHook('writer', print({ decision: 'modify', input: { command: 'rm x' } }));
    const { reduced, trace } = await decide(optionsOf(bash('ls'), [once, writer]));
    expect(trace[2]).toMatchObject({ failed: 'exit' });
    expect(reduced).toEqual({ decision: 'modify', verdict: 'observe', input: { command: 'rm x' } });
  });

  it('keeps a deny that was said of an older input', async () => {
    const writer = shellHook('writer', print({ decision: 'modify', input: { command: 'trash x' } }));
    const { reduced, trace } = await decide(optionsOf(bash('rm x'), [guard('guard', 'rm'), writer]));
    expect(reduced.verdict).toBe('deny');
    expect(order(trace)).toEqual(['guard ran', 'writer ran']);
  });

  it('denies when two hooks rewrite each other without end', async () => {
    const longer = (name: string) =>
      shellHook(name, `printf '{"decision":"modify","input":{"command":"%s %s"}}' "$PITON_TOOL_COMMAND" ${name}`);
    const { reduced, trace } = await decide(optionsOf(bash('ls'), [longer('a'), longer('b')]));
    expect(reduced.verdict).toBe('deny');
    expect(reduced.reason).toContain('a and b');
    expect(order(trace)).toEqual(['a ran', 'b ran', 'a ran']);
  });

  it('takes two hooks that agree on the final input', async () => {
    const fixed = shellHook('fixed', print({ decision: 'modify', input: { command: 'ls -a' } }));
    const settled = shellHook(
      'settled',
      `case "$PITON_TOOL_COMMAND" in *--color) ;; *) printf '{"decision":"modify","input":{"command":"%s --color"}}' "$PITON_TOOL_COMMAND";; esac`,
    );
    const { reduced } = await decide(optionsOf(bash('ls'), [settled, fixed]));
    // `settled` would change what `fixed` wrote: nobody can say which of both is meant.
    expect(reduced.verdict).toBe('deny');
    const { reduced: other } = await decide(
      optionsOf(bash('ls'), [shellHook('same', print({ decision: 'modify', input: { command: 'ls -a' } })), fixed]),
    );
    expect(other).toMatchObject({ decision: 'modify', verdict: 'observe', input: { command: 'ls -a' } });
  });

  it('does not say twice what a hook says on both runs', async () => {
    const note = shellHook('note', print({ hookSpecificOutput: { hookEventName: 'PreToolUse', additionalContext: 'mind the gap' } }));
    const writer = shellHook('writer', print({ decision: 'modify', input: { command: 'ls -l' } }));
    const { reduced } = await decide(optionsOf(bash('ls'), [note, writer]));
    expect(reduced.content).toBe('mind the gap');
  });

  it('shows each hook the output that the former rewrote', async () => {
    const event = toolEvent('post_tool_use', 'Bash', { command: 'ls' });
    const hooks = [
      shellHook('a', print({ decision: 'rewrite', output: 'short' })),
      shellHook('b', `grep -q '"tool_response":"short"' && ${print({ decision: 'rewrite', output: 'shorter' })}`),
    ];
    const { reduced } = await decide(
      optionsOf(
        event,
        hooks.map((hook) => ({ ...hook, event: 'post_tool_use' as const })),
      ),
    );
    expect(reduced).toEqual({ decision: 'rewrite', verdict: 'observe', output: 'shorter' });
  });

  it('turns what a hook may not say into nothing, and the trace tells', async () => {
    const words = { hookSpecificOutput: { permissionDecision: 'allow', updatedInput: { command: 'rm' }, additionalContext: 'kept' } };
    const { reduced, trace } = await decide(optionsOf(bash('ls'), [shellHook('theirs', print(words), { scope: 'project', may: [] })]));
    expect(reduced).toEqual({ decision: 'replace', verdict: 'observe', content: 'kept' });
    expect(trace[0]).toMatchObject({
      said: { decision: 'replace' },
      note: 'returned allow and modify, which it is not permitted: piton trust --may allow,modify',
    });
    const { reduced: some } = await decide(
      optionsOf(bash('ls'), [shellHook('theirs', print(words), { scope: 'project', may: ['modify'] })]),
    );
    expect(some).toEqual({ decision: 'modify', verdict: 'observe', input: { command: 'rm' }, content: 'kept' });
  });

  it('never lets a hook that broke break the agent', async () => {
    const missing = hookOf({ id: 'user:x/missing', name: 'missing', argv: ['/nowhere/at/all'] });
    const hooks = [shellHook('crash', 'exit 3'), shellHook('killed', 'kill -9 $$'), missing, shellHook('garbage', 'printf "{oops}"')];
    const { reduced, trace } = await decide(optionsOf(bash('ls'), hooks));
    expect(reduced).toEqual({ decision: 'observe', verdict: 'observe' });
    expect(ran(trace).map(({ failed }) => failed)).toEqual(['exit', 'crash', 'spawn', 'unreadable']);
  });
});

describe('a fail_closed hook', () => {
  const policy = (script: string, parts = {}) => shellHook('policy', script, { failClosed: true, source: '/x/settings.json', ...parts });

  it.each([
    ['crashes', policy('exit 3'), 'it exited with code 3'],
    ['is killed', policy('kill -9 $$'), 'signal 9'],
    ['answers with garbage', policy('printf "{oops}"'), 'not valid JSON'],
    ['takes too long', policy('sleep 30', { timeoutMs: 100 }), 'timed out'],
    ['says too much', policy('head -c 1100000 /dev/zero'), 'too long'],
    ['does not start', hookOf({ name: 'policy', failClosed: true, source: '/x/settings.json', argv: ['/nowhere/at/all'] }), 'nowhere'],
    ['is broken', policy(':', { status: { kind: 'broken', note: 'matcher (( is none' } }), 'matcher (( is none'],
  ])('that %s denies, and says which it is and why', async (_, hook, why) => {
    const { reduced } = await decide(optionsOf(bash('ls'), [hook]));
    expect(reduced.verdict).toBe('deny');
    expect(reduced.reason).toContain('policy');
    expect(reduced.reason).toContain(why);
    expect(reduced.reason).toContain('/x/settings.json');
  });

  it('denies when whoever was to run it is gone', async () => {
    const spawn = () => Promise.reject(new Error('connection lost'));
    const { reduced, trace } = await decide(optionsOf(bash('ls'), [policy(':')], { spawn }));
    expect(reduced.reason).toContain('connection lost');
    expect(trace[0]).toMatchObject({ did: 'ran', failed: 'lost', said: { decision: 'deny' } });
  });

  it('denies what is too large to be read whole', async () => {
    const options = optionsOf(bash('ls'), [policy(':'), shellHook('other', 'exit 0')], {
      truncated: 'payload of 40 bytes was truncated at 32',
    });
    const { reduced, trace } = await decide(options);
    expect(reduced.reason).toContain('payload of 40 bytes was truncated at 32');
    expect(trace.map((entry) => (entry.did === 'skipped' ? entry.why : entry.did))).toEqual(['truncated', 'ran']);
  });

  it('says nothing where nothing can be denied', async () => {
    const { reduced, trace } = await decide(
      optionsOf(plainEvent('notification'), [policy('exit 3', { event: 'notification' })], { deniable: false }),
    );
    expect(reduced.verdict).toBe('observe');
    expect(trace[0]).toMatchObject({ failed: 'exit', said: { decision: 'observe' } });
  });

  it('that answers is believed', async () => {
    expect((await decide(optionsOf(bash('ls'), [policy('exit 0')]))).reduced.verdict).toBe('observe');
  });
});

describe('time', () => {
  it('is cut by the hook’s own limit, and the trace says so', async () => {
    const { reduced, trace } = await decide(
      optionsOf(bash('ls'), [shellHook('slow', 'sleep 30', { timeoutMs: 150 }), shellHook('next', 'exit 0')]),
    );
    expect(reduced.verdict).toBe('observe');
    expect(trace[0]).toMatchObject({ timedOut: 'hook', failed: 'timeout' });
    expect(trace[1]).toMatchObject({ hook: 'user:settings/next', did: 'ran', exitCode: 0 });
  });

  it('is cut by the event’s budget, and hooks that get none are named', async () => {
    const late = shellHook('policy', 'exit 0', { failClosed: true });
    const { reduced, trace } = await decide(
      optionsOf(bash('ls'), [shellHook('slow', 'sleep 30'), shellHook('next', 'exit 0'), late], { budgetMs: 200 }),
    );
    expect(trace[0]).toMatchObject({ timedOut: 'budget', failed: 'timeout' });
    expect(trace[1]).toMatchObject({ did: 'skipped', why: 'out-of-budget' });
    expect(trace[2]).toMatchObject({ did: 'skipped', why: 'out-of-budget' });
    expect(reduced.reason).toContain('no time was left');
  });

  it('is shared: each hook gets what the former left', async () => {
    let clock = 0;
    const limits: number[] = [];
    const spawn = async ({ timeoutMs }: { timeoutMs: number }) => {
      limits.push(timeoutMs);
      clock += 400;
      return resultOf();
    };
    await decide(optionsOf(bash('ls'), [hookOf(), hookOf({ timeoutMs: 100 }), hookOf()], { budgetMs: 1000, now: () => clock, spawn }));
    expect(limits).toEqual([1000, 100, 200]);
  });
});

describe('inside a hook’s own run', () => {
  const hooks = [shellHook('plain', 'exit 2'), shellHook('policy', 'echo no >&2; exit 2', { failClosed: true })];

  it('only policies run', async () => {
    const { reduced, trace } = await decide(optionsOf(bash('ls'), hooks, { depth: 1 }));
    expect(trace[0]).toMatchObject({ did: 'skipped', why: 'child-run' });
    expect(trace[1]).toMatchObject({ did: 'ran' });
    expect(reduced.reason).toBe('no');
  });

  it('nothing runs three levels down, and a policy denies', async () => {
    const { reduced, trace } = await decide(optionsOf(bash('ls'), hooks, { depth: 3 }));
    expect(trace.map((entry) => entry.did)).toEqual(['skipped', 'skipped']);
    expect(reduced.reason).toContain('too deeply');
  });

  it('the depth is one more', async () => {
    const { trace } = await decide(optionsOf(bash('ls'), [shellHook('p', 'printf $PITON_DEPTH', { failClosed: true })], { depth: 2 }));
    expect(trace[0]).toMatchObject({ stdout: '3' });
  });
});

describe('observe', () => {
  it('records what hooks say after the answer', async () => {
    const hooks = [shellHook('a', 'echo no >&2; exit 2'), shellHook('b', 'exit 3', { failClosed: true })];
    const trace = await observe(optionsOf(bash('ls'), hooks));
    expect(trace).toMatchObject([
      { did: 'ran', observed: true, said: { decision: 'deny', reason: 'no' } },
      { did: 'ran', observed: true, failed: 'exit', said: { decision: 'observe' } },
    ]);
  });
});

describe('who watches an answered event', () => {
  const show = shellHook('show', `printf '%s|%s|' "$PITON_TOOL_COMMAND" "$PITON_TOOL_FILES"; cat`, { observe: true });
  const seen = async (event: CanonicalEvent, ...hooks: HookDefinition[]) => {
    const { reduced } = await decide(optionsOf(event, hooks));
    const [entry] = ran(await observe(optionsOf(withDecision(event, reduced), [show])));
    const [command, files, ...json] = entry?.stdout.split('|') ?? [];
    return { command, files, payload: JSON.parse(json.join('|')) as Record<string, unknown>, reduced };
  };

  it('sees the input that was decided on', async () => {
    const hook = shellHook('writer', print({ decision: 'modify', input: { command: 'ls -l' } }));
    const { command, payload } = await seen(bash('ls'), hook);
    expect(command).toBe('ls -l');
    expect(payload).toMatchObject({ tool_input: { command: 'ls -l' }, piton: { tool: { command: 'ls -l' } } });
  });

  it('sees the file that was decided on, and finds it by its conditions', async () => {
    const write = toolEvent('pre_tool_use', 'Write', { file_path: '/w/a', content: 'x' }, 'edit');
    const hook = shellHook('writer', print({ decision: 'modify', input: { file_path: '/w/b', content: 'x' } }));
    expect(await seen(write, hook)).toMatchObject({ files: '/w/b', payload: { tool_input: { file_path: '/w/b' } } });
    const { reduced } = await decide(optionsOf(write, [hook]));
    const watchers = ['/w/a', '/w/b'].map((file) => shellHook(file, ':', { observe: true, when: { file } }));
    const trace = await observe(optionsOf(withDecision(write, reduced), watchers));
    expect(trace.map(({ did }) => did)).toEqual(['skipped', 'ran']);
  });

  it('sees the output that was decided on, also where that is nothing', async () => {
    const event = { ...bash('ls'), event: 'post_tool_use' as const, portable: { tool_name: 'Bash', tool_response: { stdout: 'secret' } } };
    for (const output of [{ stdout: '***' }, null, '']) {
      const hook = shellHook('cover', print({ decision: 'rewrite', output }), { event: 'post_tool_use' });
      expect((await seen(event, hook)).payload).toMatchObject({ tool_response: output });
    }
  });

  it('sees the call as it was where it is denied', async () => {
    const writer = shellHook('writer', print({ decision: 'modify', input: { command: 'ls -l' } }));
    const { command, reduced } = await seen(bash('ls'), writer, shellHook('guard', 'exit 2'));
    expect([command, reduced.verdict]).toEqual(['ls', 'deny']);
  });
});

it('a script that never reads its payload is no failure', async () => {
  const event = bash('x'.repeat(3_000_000));
  const { trace } = await decide(optionsOf(event, [shellHook('deaf', 'exit 0')]));
  expect(trace[0]).toMatchObject({ did: 'ran', exitCode: 0 });
  expect(trace[0]).not.toHaveProperty('failed');
});

it('an executable file runs as such', async () => {
  const path = put(join(temporary(), 'guard'), '#!/bin/sh\necho from a file >&2\nexit 2\n', 0o755);
  const { reduced } = await decide(optionsOf(bash('ls'), [hookOf({ argv: [path] })]));
  expect(reduced.reason).toBe('from a file');
});
