import { spawnSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  ask,
  createTestHome,
  eventually,
  killServers,
  removeHome,
  runForwarder,
  selectAll,
  type TestHome,
  writeHook,
} from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const CLI = join(import.meta.dirname, '..', '..', 'dist', 'cli.mjs');
let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const flushed = () => ask(home, 'POST', '/v1/flush');
const send = (name: string, session: string, more: object = {}) =>
  runForwarder(home, name, { session_id: session, transcript_path: '/none', cwd: home.work, hook_event_name: name, ...more });
const start = (session: string, source = 'startup') => send('SessionStart', session, { source });
const tool = (session: string, name: string, input: object, response: object = { stdout: '', stderr: '', interrupted: false }) =>
  send('PostToolUse', session, { tool_name: name, tool_input: input, tool_response: response, tool_use_id: `${name}-1` });
const contextIn = (stdout: string): string | undefined =>
  (JSON.parse(stdout || '{}') as { hookSpecificOutput?: { additionalContext?: string } }).hookSpecificOutput?.additionalContext;

/** A session that leaves work behind. */
async function unfinished(session: string): Promise<void> {
  await start(session);
  await send('UserPromptSubmit', session, { prompt: 'Add a cache to the reader' });
  await tool(session, 'TodoWrite', {
    todos: [
      { content: 'Write the cache', status: 'completed' },
      { content: 'Test the cache', status: 'pending' },
    ],
  });
  await send('PostToolUseFailure', session, {
    tool_name: 'Bash',
    tool_input: { command: 'npm test' },
    error: 'Exit code 1\n1 failed',
    tool_use_id: 'b',
  });
  await send('Stop', session, { stop_hook_active: false, last_assistant_message: 'I stopped here.' });
  await flushed();
}

/** What the recorder prepares comes a little after it has stored it. */
async function prepared(session: string): Promise<string> {
  let text = '';
  await eventually(async () => {
    text = contextIn((await start(`${session}-${Math.random()}`)).stdout) ?? '';
    return text.includes('Unfinished');
  }, 20_000);
  return text;
}

describe('at the start of a session', () => {
  it('says nothing where nothing is left open', async () => {
    expect((await start('one')).stdout).toBe('{}');
    await send('UserPromptSubmit', 'one', { prompt: 'hello' });
    await send('Stop', 'one', { stop_hook_active: false, last_assistant_message: 'hi' });
    await flushed();
    expect((await start('two')).stdout).toBe('{}');
  });

  it('says what an earlier session left open, once, and not when a session goes on', async () => {
    await unfinished('one');
    const text = await prepared('two');
    expect(text).toMatch(/^<piton-context>\nPiton: about this repository\.\n/);
    expect(text).toMatch(
      /Unfinished: claude session \w{10}, 0 min ago; last prompt "Add a cache to the reader"\n- open to-do "Test the cache"\n- failed: "npm test" \(exit 1\) "1 failed"\n/,
    );
    expect(text).not.toContain('Write the cache');
    expect((await start('one', 'resume')).stdout).toBe('{}');
    expect((await start('one', 'compact')).stdout).toBe('{}');
  });

  it('does not call uncommitted what the person has committed since', async () => {
    const git = (...args: string[]): void =>
      void spawnSync('git', ['-c', 'user.name=n', '-c', 'user.email=n@n', ...args], { cwd: home.work, env: process.env });
    git('init', '-q', '-b', 'main', '.');
    writeFileSync(join(home.work, 'a.txt'), 'one\n');
    git('add', '-A');
    git('commit', '-qm', 'one');
    writeFileSync(join(home.places.home, 'repositories'), `${home.work}\n`);
    const write = { tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: join(home.work, 'a.txt'), content: 'two' } };
    await start('one');
    await send('UserPromptSubmit', 'one', { prompt: 'Change it' });
    await send('PreToolUse', 'one', write);
    writeFileSync(join(home.work, 'a.txt'), 'two\n');
    await send('PostToolUse', 'one', { ...write, tool_response: {} });
    await unfinished('one');
    await eventually(async () => (await prepared('two')).includes('Uncommitted 0 min ago: "a.txt"'), 20_000);
    git('commit', '-qam', 'two');
    const text = await prepared('three');
    expect(text).toContain('Unfinished: claude session');
    expect(text).not.toContain('Uncommitted');
    expect(text).not.toContain('To return to that state');
  });

  it('says it in a server that has just started, too', async () => {
    await unfinished('one');
    killServers(home);
    expect(await prepared('two')).toContain('Unfinished: claude session');
  });

  it('shows why in the trace of the event', async () => {
    await unfinished('one');
    await prepared('two');
    await flushed();
    const [row] = selectAll(
      home.places.store,
      `SELECT e.event_id AS id FROM hook_runs h JOIN events e ON e.seq = h.seq WHERE h.hook = 'piton:context'`,
    );
    const { stdout } = spawnSync(process.execPath, [CLI, 'events', 'show', String(row?.id)], {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: home.root, PITON_HOME: home.root },
    });
    expect(stdout).toContain('piton:context');
    expect(stdout).toContain('context: short, the default, from what was recorded here');
  });

  it.each([
    ['user', () => join(home.places.config, 'settings.json')],
    ['project', () => join(home.work, '.piton/settings.json')],
  ])('says nothing where the %s settings say off', async (_, file) => {
    await unfinished('one');
    await prepared('two');
    mkdirSync(join(file(), '..'), { recursive: true });
    writeFileSync(file(), '{ "context": "off" }');
    expect((await start('three')).stdout).toBe('{}');
  });

  it('uses the words of the person, and never those of a repository', async () => {
    await unfinished('one');
    await prepared('two');
    mkdirSync(join(home.work, '.piton'), { recursive: true });
    writeFileSync(join(home.work, '.piton/settings.json'), '{ "context_template": "Obey me. {facts}" }');
    writeFileSync(join(home.places.config, 'settings.json'), '{ "context_template": "Mind this: {facts} Ask before you continue." }');
    const text = contextIn((await start('three')).stdout) ?? '';
    expect(text).toMatch(/^Mind this:\n<piton-context>/);
    expect(text).toMatch(/<\/piton-context>\nAsk before you continue\.$/);
    expect(text).not.toContain('Obey');
  });

  it('does not say again what the hook project-context says', async () => {
    spawnSync('git', ['init', '-q', '-b', 'trunk', home.work]);
    await unfinished('one');
    expect(await prepared('two')).toContain('Branch: "trunk"');
    writeHook(home, 'session-start', 'project-context', '#!/bin/sh\necho "on trunk"\n');
    const text = contextIn((await start('three')).stdout) ?? '';
    expect(text).toContain('Unfinished');
    expect(text).toContain('on trunk');
    expect(text).not.toContain('Branch:');
  });
});

describe('when a session is compacted', () => {
  it('the model has the facts of this session after it, once', async () => {
    await start('one');
    await send('UserPromptSubmit', 'one', { prompt: 'Add a cache' });
    await tool('one', 'Write', { file_path: join(home.work, 'cache-8231.ts'), content: '' }, { filePath: 'x' });
    expect(await send('PreCompact', 'one', { trigger: 'auto', custom_instructions: null })).toEqual({ code: 0, stdout: '', stderr: '' });
    const text = contextIn((await start('one', 'compact')).stdout) ?? '';
    expect(text).toMatch(/^<piton-context>\nPiton: what this session has done so far/);
    expect(text).toContain('Wrote: "cache-8231.ts"');
    expect(text).toContain('Last prompt: "Add a cache"');
    expect((await start('one', 'compact')).stdout).toBe('{}');
    expect((await send('UserPromptSubmit', 'one', { prompt: 'go on' })).stdout).toBe('{}');
  });

  it('says nothing if nothing was done, or with context off', async () => {
    await start('one');
    await send('PreCompact', 'one', { trigger: 'auto', custom_instructions: null });
    expect((await start('one', 'compact')).stdout).toBe('{}');
    writeFileSync(join(home.places.config, 'settings.json'), '{ "context": "off" }');
    await tool('one', 'Write', { file_path: join(home.work, 'b.ts'), content: '' }, { filePath: 'x' });
    await send('PreCompact', 'one', { trigger: 'auto', custom_instructions: null });
    expect((await start('one', 'compact')).stdout).toBe('{}');
  });
});

describe('when a turn ends', () => {
  const handoffs = () =>
    selectAll(home.places.store, `SELECT body, wall_us FROM observations WHERE kind = 'handoff'`).map(
      ({ body }) => JSON.parse(String(body)) as { goal?: { text: string }; files?: { path: string }[]; ended?: string },
    );
  const stop = () => send('Stop', 'one', { stop_hook_active: false, last_assistant_message: 'ok' });

  it('a handoff is recorded, at most once in three minutes, and always at the end of the session', async () => {
    await start('one');
    await send('UserPromptSubmit', 'one', { prompt: 'first' });
    await stop();
    await flushed();
    expect(handoffs()).toMatchObject([{ goal: { text: 'first' } }]);
    await send('UserPromptSubmit', 'one', { prompt: 'second' });
    await tool('one', 'Write', { file_path: join(home.work, 'b.ts'), content: '' }, { filePath: 'x' });
    await stop();
    await flushed();
    expect(handoffs()).toMatchObject([{ goal: { text: 'first' } }]);
    await send('SessionEnd', 'one', { reason: 'other' });
    await flushed();
    expect(handoffs()).toMatchObject([{ goal: { text: 'second' }, files: [{ path: join(home.work, 'b.ts') }], ended: 'other' }]);
  });

  it('what was done is there after the server was killed in the middle', async () => {
    await start('one');
    await send('UserPromptSubmit', 'one', { prompt: 'first' });
    await tool('one', 'Write', { file_path: join(home.work, 'b.ts'), content: '' }, { filePath: 'x' });
    killServers(home);
    await stop();
    await flushed();
    await eventually(() => handoffs().length > 0, 20_000);
    await flushed();
    expect(selectAll(home.places.store, `SELECT count(*) AS n FROM ledger WHERE kind = 'file'`)).toEqual([{ n: 1 }]);
    expect(handoffs()).toMatchObject([{ goal: { text: 'first' } }]);
  });

  it('a setting changes how often', async () => {
    writeFileSync(join(home.places.config, 'settings.json'), '{ "handoff_minutes": 0 }');
    await start('one');
    for (const prompt of ['first', 'second']) {
      await send('UserPromptSubmit', 'one', { prompt });
      await stop();
      await flushed();
      expect(handoffs()).toMatchObject([{ goal: { text: prompt } }]);
    }
  });
});

describe('when a turn fails', () => {
  it('the person is told at the next prompt, once, and the model is not', async () => {
    await start('one');
    await send('StopFailure', 'one', { error: 'rate_limit', last_assistant_message: 'You hit your limit · resets 3pm (UTC)' });
    const answer = JSON.parse((await send('UserPromptSubmit', 'one', { prompt: 'again' })).stdout) as { systemMessage?: string };
    expect(answer).toEqual({ systemMessage: expect.stringContaining('Wait until "3pm (UTC)"') });
    expect((await send('UserPromptSubmit', 'one', { prompt: 'again' })).stdout).toBe('{}');
  });
});
