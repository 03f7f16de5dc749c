import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { EVENTS } from '../src/claude/events.ts';
import { importer } from '../src/claude/import.ts';
import { codex } from '../src/codex/index.ts';
import { gemini } from '../src/gemini/index.ts';
import { isOurs, registrationOf } from '../src/shared/command-line.ts';

type Handler = { readonly type: string; readonly name?: string; readonly command: string; readonly timeout: number };
type Hooks = Record<string, readonly [{ readonly hooks: readonly [Handler] }]>;

const read = (folder: string) => readFileSync(new URL(`../../../${folder}/hooks/hooks.json`, import.meta.url), 'utf8');
/** The lines of a plugin by native event, as the agent would read them. */
const linesIn = (folder: string) =>
  Object.entries((JSON.parse(read(folder)) as { hooks: Hooks }).hooks).map(
    ([
      event,
      [
        {
          hooks: [handler],
        },
      ],
    ]) => [event, handler] as const,
  );

const PLUGINS = [
  { agent: 'claude', folder: 'plugin', variables: ' CLAUDE_CODE_SESSION_ATTENDED', perSecond: 1, keys: ['type', 'command', 'timeout'] },
  { agent: 'codex', folder: 'codex-plugin', variables: ' -', perSecond: 1, keys: ['type', 'command', 'timeout'] },
  { agent: 'gemini', folder: 'gemini-extension', variables: ' -', perSecond: 1000, keys: ['type', 'name', 'command', 'timeout'] },
] as const;

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-plugin-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

/** A forwarder that says where it lies, what it was given and what it sees. */
function addForwarder(state: string): void {
  mkdirSync(join(state, 'runtime/current'), { recursive: true });
  const script = '#!/bin/sh\necho "$0 $*"\nenv | grep -c "^_PITON_TEST=kept$"\n';
  writeFileSync(join(state, 'runtime/current/piton-forward'), script, { mode: 0o755 });
}

function run(line: string, env: Readonly<Record<string, string>> = {}) {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', line], {
    env: { PATH: process.env.PATH ?? '', HOME: join(root, 'a home'), _PITON_TEST: 'kept', ...env },
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

it('the lines for Claude Code name events that every version in the table knows', () => {
  const late = EVENTS.filter(({ since }) => since?.startsWith('2.1.') && Number(since.split('.')[2]) > 72).map(({ name }) => name);
  expect(late).toContain('StopFailure');
  expect(linesIn('plugin').filter(([event]) => late.includes(event))).toEqual([]);
});

describe.each(PLUGINS)('the lines for $agent', ({ agent, folder, variables, perSecond, keys }) => {
  const lines = linesIn(folder);

  it('have the form that every version runs', () => {
    expect(lines.length).toBeGreaterThan(6);
    for (const [, handler] of lines) expect(Object.keys(handler)).toEqual(keys);
  });

  it.each([
    ['HOME', (): Record<string, string> => ({}), 'a home/.local/state/piton'],
    ['XDG_STATE_HOME', (): Record<string, string> => ({ XDG_STATE_HOME: join(root, 'xdg state') }), 'xdg state/piton'],
    ['an empty XDG_STATE_HOME', (): Record<string, string> => ({ XDG_STATE_HOME: '' }), 'a home/.local/state/piton'],
    ['PITON_HOME', (): Record<string, string> => ({ PITON_HOME: join(root, 'moved $(x)'), XDG_STATE_HOME: '/none' }), 'moved $(x)/state'],
  ])('find Piton where %s has it', (_, env, state) => {
    addForwarder(join(root, state));
    for (const [event, { command, timeout }] of lines) {
      const { status, stdout } = run(command, env());
      const [path = '', words = ''] = (stdout.split('\n')[0] ?? '').slice(root.length + 1).split(` ${agent} `);
      expect(path).toBe(`${state}/runtime/current/piton-forward`);
      expect(words).toMatch(new RegExp(`^${event} plugin \\d+${variables}$`));
      expect(Number(words.split(' ')[2])).toBeLessThanOrEqual((timeout * 1000) / perSecond);
      expect([status, stdout.split('\n')[1]]).toEqual([0, '1']);
    }
  });

  it('are silent without Piton, and a session’s start alone tells the person how to set it up', () => {
    for (const [event, { command }] of lines) {
      const { status, stdout, stderr } = run(command);
      expect([status, stderr]).toEqual([0, '']);
      if (event !== 'SessionStart') expect(stdout).toBe('');
      else expect(JSON.parse(stdout)).toEqual({ systemMessage: expect.stringContaining('npx @piton/cli init') });
    }
  });

  it('are neither registrations of init nor hooks of the person’s to import', () => {
    for (const [, { command }] of lines) {
      expect(registrationOf({ shell: command })).toBeUndefined();
      expect(isOurs({ shell: command })).toBe(true);
    }
    const imported = importer.plugins?.read(read(folder));
    expect(imported).toMatchObject({ ok: true });
    expect(JSON.stringify(imported)).not.toContain('piton-forward');
  });
});

/** As a strict reader takes it: a plain text with `: ` in it is no YAML, and agents leave such a skill out. */
describe.each(PLUGINS)('the skills for $agent', ({ folder }) => {
  const skills = new URL(`../../../${folder}/skills/`, import.meta.url);

  it.each(readdirSync(skills))('%s says in YAML what it is and when to use it', (name) => {
    const text = readFileSync(new URL(`${name}/SKILL.md`, skills), 'utf8');
    const [, front = '', body = ''] = /^---\n(.*?)\n---\n(.*)$/s.exec(text) ?? [];
    expect(parse(front, { strict: true })).toEqual({ name, description: expect.stringMatching(/^[A-Z].{40,1024}\.$/) });
    expect(body).toMatch(/^\n1\. /);
  });

  it.each(readdirSync(skills))('%s finds Piton wherever its home is', (name) => {
    const text = readFileSync(new URL(`${name}/SKILL.md`, skills), 'utf8');
    for (const place of ['$PITON_HOME/state', '$XDG_STATE_HOME/piton', '~/.local/state/piton'])
      expect(text).toContain(`\`${place}/runtime/current/piton\``);
  });
});

describe('piton’s own plugin, as the agent keeps it', () => {
  const CODEX = '[plugins."piton@piton"]\nenabled = true\n';
  it.each([
    [codex, [CODEX], {}, ['.codex/plugins/cache/piton/piton']],
    [codex, [CODEX], { CODEX_HOME: '/moved/' }, ['/moved/plugins/cache/piton/piton']],
    [codex, [CODEX.replace('true', 'false')], {}, []],
    [codex, [`${CODEX}[features]\nplugins = false\n`], {}, []],
    [codex, ['[plugins."piton@others"]\nenabled = true\n'], {}, []],
    [codex, [null], {}, []],
    [gemini, ['{"piton":{"overrides":["/home/me/*"]}}'], {}, ['.gemini/extensions/piton']],
    [gemini, ['{"piton":{"overrides":["/home/me/*"]}}'], { GEMINI_CLI_HOME: '/moved' }, ['/moved/.gemini/extensions/piton']],
    [gemini, ['{"piton":{"overrides":["/home/me/*","!/home/me/*"]}}'], {}, []],
    [gemini, ['{"others":{"overrides":["/home/me/*"]}}'], {}, []],
    [gemini, ['{ broken'], {}, []],
    [gemini, [null], {}, []],
  ])('$0.id: %j with %j', (agent, texts, env, folders) => {
    expect(agent.ownPlugin?.folders(texts, env)).toEqual(folders);
  });
});
