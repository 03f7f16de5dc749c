import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ExportDocument } from '@piton/contracts';
import { eventually } from '@piton/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Stage } from '../repository-setup.ts';

let stage: Stage;
beforeEach(() => {
  stage = new Stage();
  expect(stage.piton('init', '--agent', 'claude', '--yes').status).toBe(0);
});
afterEach(() => stage.end());

const json = (...args: string[]): ExportDocument => {
  const { stdout, stderr } = stage.piton('export', ...args, '--json');
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout) as ExportDocument;
};
const linked = (): boolean => stage.piton('checkpoints', 'list', '--json').stdout.includes('"kind": "commit"');

it('the report of a branch has prompts, tools, commits, lines and tokens', async () => {
  await stage.turn('s1', 'write the login', 'login.ts', 'one\ntwo\nthree\n');
  writeFileSync(join(stage.work, 'mine.ts'), 'mine\n');
  stage.commit('Add the login');
  await eventually(linked);
  await stage.turn('other', 'never committed', 'scratch.ts', 'x\n');

  const document = json();
  const { stdout: schema } = stage.piton('schema', 'export');
  const valid = new Ajv2020({ strict: true, formats: { 'date-time': true } }).compile(JSON.parse(schema) as object);
  expect(valid(document), JSON.stringify(valid.errors)).toBe(true);
  expect(document.target).toEqual({ kind: 'branch', name: 'login', base: 'main', repository: 'work' });
  expect(document.commits).toMatchObject([
    { sha: stage.git('rev-parse', 'HEAD').trim(), subject: 'Add the login', lines: { agent: 3, human: 1, shared: 0, removed: 0 } },
  ]);
  // What the agent said it used, counted by hand: two answers a turn, 100 in and 20 out each.
  expect(document.totals).toMatchObject({
    sessions: 1,
    turns: 1,
    tools: 2,
    files: 1,
    tokens: { input: 200, output: 40, reasoning: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 },
    // 200 tokens at 3 dollars for a million, 40 at 15.
    cost: { usd: expect.closeTo(0.0012, 10), unpriced: 0, unpricedModels: [] },
  });
  const [session] = document.sessions;
  expect(session).toMatchObject({ agent: 'claude', providerRef: 's1', model: 'claude-sonnet-4-5', notes: [], files: ['login.ts'] });
  expect(session?.turns).toMatchObject([
    {
      prompt: 'write the login',
      answer: 'Done: login.ts is written.',
      tokens: { input: 200, output: 40 },
      tools: [
        { name: 'Write', files: ['login.ts'], denied: null, input: null },
        { name: 'Bash', command: 'npm test -- login.ts' },
      ],
    },
  ]);
  expect(session?.turns[0]?.checkpoints.some(({ commit }) => commit === document.commits[0]?.sha)).toBe(true);

  const shown = stage.piton('sessions', 'show', 's1').stdout;
  expect(shown).toContain('claude-sonnet-4-5: 200 tokens in, 40 out');
  expect(shown).toMatch(/^cost +<\$0\.01 by list prices of \d{4}-\d\d-\d\d, not your bill$/m);
  const full = json('login', '--full');
  expect(JSON.parse(full.sessions[0]?.turns[0]?.tools[0]?.input ?? '')).toMatchObject({ content: 'one\ntwo\nthree\n' });
  expect(json('HEAD').target.kind).toBe('commit');
  expect(json('main..login').commits).toEqual(document.commits);
  const stop = session?.turns[0]?.checkpoints.find(({ kind }) => kind === 'stop');
  expect(json(stop?.id.slice(-8).toLowerCase() ?? '').sessions.map(({ id }) => id)).toEqual([session?.id]);
  expect(json('s1')).toMatchObject({ target: { kind: 'session' }, commits: [{ subject: 'Add the login' }], totals: { sessions: 1 } });
});

it('what was denied is listed with its reason, and a secret is nowhere', async () => {
  const secret = `ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`;
  const hooks = join(stage.root, 'piton', 'config', 'hooks', 'pre-shell-execution');
  mkdirSync(hooks, { recursive: true });
  writeFileSync(join(hooks, 'guard'), '#!/bin/sh\ngrep -q "rm -rf" && { echo "not that way" >&2; exit 2; }\nexit 0\n', { mode: 0o755 });
  const prompt = `say <script>alert(1)</script> @everyone #1 \`x\` | ${secret} \u001b[31m`;
  stage.fire('UserPromptSubmit', 's1', { prompt });
  stage.write('s1', 'user', { content: prompt });
  stage.fire('PreToolUse', 's1', { tool_name: 'Bash', tool_use_id: 'u', tool_input: { command: 'rm -rf / # ``` </code><img src=x>' } });
  stage.write('s1', 'assistant', { id: 'm', content: [{ type: 'text', text: `<img src=x onerror=1> ${secret}` }] });
  stage.fire('Stop', 's1', { stop_hook_active: false });
  const document = json('s1');
  expect(document.totals.denials).toBe(1);
  expect(document.sessions[0]?.turns[0]?.tools).toMatchObject([{ denied: expect.stringContaining('not that way') }]);
  const [markdown, html] = ['md', 'html'].map((format) => stage.piton('export', 's1', '--format', format, '--full').stdout);
  for (const text of [JSON.stringify(document), markdown, html]) {
    expect(text).toContain('alert(1)');
    expect(text).not.toContain(secret);
    expect(text).not.toContain('\u001b');
  }
  expect(html).not.toMatch(/<script|<img|<\/code><img/);
  expect(html).toContain("default-src 'none'");
  expect(markdown).not.toMatch(/<script|@everyone|(?<![&`])#1\b/);
  expect(markdown).toContain('not that way');
});

it('names of branches, files and commits bring no mark-up in either', async () => {
  const branch = 'a`<img/src=x>|@all\u009b31m\u202e';
  const file = '`</code><b>\n# @all #1 <img src=x>.txt'.replace('/', '');
  stage.git('switch', '-qc', branch);
  await stage.turn('s1', 'Write it', file, 'one\n');
  stage.commit('Add </li><img src=x> ``` | @all #1\u001b[31m');
  stage.settle();
  for (const full of [[], ['--full']]) {
    const [markdown, html, data] = ['md', 'html', 'json'].map((format) => stage.piton('export', '--format', format, ...full).stdout);
    for (const text of [markdown, html, data]) {
      expect(text).toContain('src=x');
      expect(text).not.toMatch(/[\u001b\u009b\u202e]/);
    }
    expect(JSON.parse(data ?? '').totals.lines).toEqual({ agent: 1, human: 0, shared: 0, removed: 0 });
    expect(html).not.toMatch(/<img|<b>\n/);
    // Outside of code, where nothing is mark-up, and of our own.
    const prose = (markdown ?? '')
      .replace(/\\[!-/:-@[-`{-~]|(?<!`)(`+)(?!`)(?:(?!\n\n).)*?(?<!`)\1(?!`)/gs, '')
      .replace(/<\/?(?:details|summary|sub|b)>/g, '');
    expect(prose).not.toMatch(/<\w|@all|(?<![&\w])#1\b|^# @/m);
  }
});

it('it goes to a file in the format of its name, for its owner only, and small enough for a forge', async () => {
  const long = 'word '.repeat(4000);
  for (let at = 0; at < 30; at++) {
    stage.fire('UserPromptSubmit', 's1', { prompt: `${at} ${long}` });
    stage.write('s1', 'user', { content: `${at} ${long}` });
    for (let call = 0; call < 5; call++)
      stage.fire('PreToolUse', 's1', {
        tool_name: 'Bash',
        tool_use_id: `u${at}-${call}`,
        tool_input: { command: `echo ${at} ${call} ${long}` },
      });
    stage.write('s1', 'assistant', { id: `m${at}`, content: [{ type: 'text', text: long }] });
    stage.fire('Stop', 's1', { stop_hook_active: false });
  }
  for (const name of ['work.html', 'work.md', 'work.json']) {
    const { status, stdout } = stage.piton('export', 's1', '--out', name);
    expect([status, stdout]).toEqual([0, `${name}: 1 session, 30 turns, 0 commits\n`]);
    expect(statSync(join(stage.work, name)).mode & 0o777).toBe(0o600);
  }
  const read = (name: string): string => readFileSync(join(stage.work, name), 'utf8');
  expect(read('work.html')).toMatch(/^<!doctype html>/);
  expect(JSON.parse(read('work.json')).schemaVersion).toBe(1);
  expect(read('work.md').length).toBeLessThan(65_536);
  expect(read('work.md')).toContain('**Turn 30**');
  expect(stage.piton('export', 's1', '--full').stdout.length).toBeGreaterThan(500_000);
});

it('says what it cannot do, and what to do instead', () => {
  const failure = (...args: string[]): string => {
    const { status, stdout, stderr } = stage.piton('export', ...args);
    expect([status === 0, stdout]).toEqual([false, '']);
    return stderr;
  };
  expect(failure()).toContain('login has no commits that are not in main');
  expect(failure('nowhere')).toContain('not a branch, commit, checkpoint or session');
  expect(failure('login', '--base', 'nowhere')).toContain('"nowhere" is not a commit here');
  expect(failure('--format', 'pdf')).toContain('md, json, html');
});

it('where there is nothing to compare the main branch with, names a command that works', async () => {
  stage.git('checkout', '-q', 'main');
  await stage.turn('s1', 'on main', 'direct.ts', 'one\n');
  stage.commit('Add it on main');
  const { stderr } = stage.piton('export');
  expect(stderr).toContain('nothing to compare main with');
  const [, base = ''] = /export --base ([0-9a-f]+)\b/.exec(stderr) ?? [];
  expect(json('--base', base).commits).toMatchObject([{ subject: 'Add it on main' }]);
});

it('the main branch is compared with the remote’s, also without an upstream', async () => {
  stage.git('checkout', '-q', 'main');
  stage.git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  await stage.turn('s1', 'on main', 'direct.ts', 'one\n');
  stage.commit('Add it on main');
  expect(json().target).toEqual({ kind: 'branch', name: 'main', base: 'origin/main', repository: 'work' });
  expect(json().commits).toMatchObject([{ subject: 'Add it on main' }]);
});
