import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { packHooks } from '../../scripts/pack-hooks.mjs';

// The story of seed 004, sentence by sentence, told by the package as people install it.
type Library = typeof import('../../packages/hooks/src/library/index.ts');
type Hook = Parameters<Library['run']>[0][number];
let library: Library;
let base: string;

beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-hook-engine-')));
  const tarball = await packHooks(base);
  writeFileSync(join(base, 'package.json'), '{ "private": true }');
  execFileSync('npm', ['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: base, stdio: 'pipe' });
  library = (await import(pathToFileURL(join(base, 'node_modules/@piton/hooks/dist/index.js')).href)) as Library;
}, 120_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const hook = (parts: Partial<Hook> = {}): Hook => ({ name: 'h', event: 'pre_tool_use', command: ':', ...parts }) as Hook;

describe('package hooks: lifecycle event hooks for the agentic loop', () => {
  it('executes user-configured shell commands at specific points of the session or tool lifecycle', async () => {
    const { Event, run } = library;
    expect(Object.values(Event)).toEqual([
      'session_start',
      'pre_prompt',
      'post_response',
      'pre_tool_use',
      'post_tool_use',
      'context_compact',
      'session_end',
    ]);
    for (const event of Object.values(Event)) {
      const results = await run([hook({ event, command: 'echo "at $PITON_EVENT"; test -n "$0"' })], event, '');
      expect(results).toHaveLength(1);
      expect(results[0]?.stdout).toMatch(/^at \w+\n$/);
    }
  });

  it('substitutes environment variables, as environment', async () => {
    const [result] = await library.run([hook({ command: 'echo "$TOOL_NAME and $MINE"' })], 'pre_tool_use', 'Bash', { MINE: 'own' });
    expect(result?.stdout).toBe('Bash and own\n');
  });

  it('matches tools by glob', async () => {
    const names = ['mcp__git__log', 'mcp__git__push', 'Bash'].filter((tool) =>
      library.matchesEvent(hook({ matcher: 'mcp__*__push' }), 'pre_tool_use', tool),
    );
    expect(names).toEqual(['mcp__git__push']);
  });

  it('enforces timeouts', async () => {
    const [result] = await library.run([hook({ command: 'sleep 60 & sleep 60', timeout: 150 })], 'pre_tool_use', 'Bash');
    expect(result).toMatchObject({ exitCode: -1, timedOut: true });
  });

  it('injects output into the model’s context where the hook asks for it', async () => {
    const speak = (injectOutput: boolean): Hook => hook({ event: 'context_compact', command: 'echo remember', injectOutput });
    expect((await library.fire([speak(true)], 'context_compact')).decision).toMatchObject({ decision: 'replace', content: 'remember' });
    expect((await library.fire([speak(false)], 'context_compact')).decision.decision).toBe('observe');
  });

  it('runs all hooks one after the other in the order of their definition', async () => {
    const log = join(base, 'order');
    const hooks = [3, 1, 2].map((at) => hook({ name: String(at), command: `sleep 0.0${at}; echo ${at} >> ${log}` }));
    await library.run(hooks, 'pre_tool_use', 'Bash');
    expect(readFileSync(log, 'utf8')).toBe('3\n1\n2\n');
  });

  it('has no hook that calls a model: a command, a function or a module is all there is', () => {
    expect(library.hookProblem({ name: 'h', event: 'stop', prompt: 'Is this safe?' } as unknown as Hook)).toContain('needs one of');
  });
});

describe('MatchesEvent', () => {
  it('reports whether a hook should fire for an event and a tool name', () => {
    const { matchesEvent } = library;
    expect(matchesEvent(hook({ matcher: 'Bash' }), 'pre_tool_use', 'Bash')).toBe(true);
    expect(matchesEvent(hook({ matcher: 'Bash' }), 'pre_tool_use', 'Edit')).toBe(false);
    expect(matchesEvent(hook({ matcher: 'Bash' }), 'post_tool_use', 'Bash')).toBe(false);
  });

  it('takes the tool name to be relevant for tool events only', () => {
    expect(library.matchesEvent(hook({ event: 'session_end', matcher: 'Bash' }), 'session_end', '')).toBe(true);
  });

  it('takes other names of an event for the same', () => {
    expect(library.matchesEvent(hook({ event: 'pre_prompt' }), 'user_prompt_submit', '')).toBe(true);
    expect(library.matchesEvent(hook({ event: 'stop' }), 'post_response', '')).toBe(true);
    expect(library.matchesEvent(hook({ event: 'context_compact' }), 'pre_compact', '')).toBe(true);
  });
});

describe('WithHooks and HooksFromContext', () => {
  it('carry the list of hooks, and give nothing where there is none', async () => {
    const { hooksFromContext, withHooks } = library;
    const hooks = [hook()];
    expect(hooksFromContext()).toBeUndefined();
    expect(await withHooks(hooks, async () => Promise.resolve().then(hooksFromContext))).toBe(hooks);
  });
});

describe('Hook', () => {
  it('with an empty matcher matches all events of its type', () => {
    const all = ['Bash', 'Edit', 'mcp__a__b'].every((tool) => library.matchesEvent(hook({ matcher: '' }), 'pre_tool_use', tool));
    expect(all).toBe(true);
  });

  it('with a timeout of 0 gets the default at run time, not none and not no time', async () => {
    const [result] = await library.run([hook({ command: 'sleep 0.2; echo done', timeout: 0 })], 'pre_tool_use', 'Bash');
    expect(result).toMatchObject({ stdout: 'done\n', timedOut: false });
  });

  it('that is not enabled does not run', async () => {
    const mark = join(base, 'disabled');
    expect(await library.run([hook({ command: `touch ${mark}`, enabled: false })], 'pre_tool_use', 'Bash')).toEqual([]);
    expect(existsSync(mark)).toBe(false);
  });
});

describe('Run', () => {
  it('returns a result for each hook that ran, and for no other', async () => {
    const hooks = [
      hook({ name: 'ok', command: 'echo out; echo err >&2' }),
      hook({ name: 'other', event: 'session_start' }),
      hook({ name: 'bad', command: 'exit 4' }),
    ];
    const results = await library.run(hooks, 'pre_tool_use', 'Bash');
    expect(results).toMatchObject([
      { name: 'ok', stdout: 'out\n', stderr: 'err\n', exitCode: 0, timedOut: false },
      { name: 'bad', stdout: '', stderr: '', exitCode: 4, timedOut: false },
    ]);
    for (const { duration } of results) expect(duration).toBeGreaterThan(0);
  });

  it('never lets data become part of a command, unlike its forebear', async () => {
    const name = `"; touch ${join(base, 'pwned')}; "`;
    const [result] = await library.run([hook({ command: 'echo "$TOOL_NAME"; echo $TOOL_NAME' })], 'pre_tool_use', name);
    expect(result?.stdout.startsWith(name)).toBe(true);
    expect(existsSync(join(base, 'pwned'))).toBe(false);
  });
});
