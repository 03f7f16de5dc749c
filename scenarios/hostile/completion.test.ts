import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

let box: Sandbox;
let clone: string;

const NAMES = ['10-plain', '20-$(>pwned)', '30-`>pwned`', '40-;>pwned', '50-*', '60-\'"', '70-two words', '80-x\nevil', '--yes'];

/** A clone of somebody else's repository: what its files are called is theirs to say. */
beforeAll(async () => {
  box = sandbox();
  clone = box.repository('clone');
  box.write('bin/piton', `#!/bin/sh\nexec '${process.execPath}' '${COMMAND}' "$@"\n`, 0o755);
  for (const name of NAMES) box.write(join(clone, '.piton/hooks/pre-shell-execution', name), '#!/bin/sh\n', 0o755);
  expect((await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: clone })).code).toBe(0);
});
afterAll(() => box.end());

const has = (shell: string): boolean => spawnSync(shell, ['--version']).status === 0;
const envOf = (): NodeJS.ProcessEnv => ({ ...box.env, PATH: `${box.home}/bin:${process.env.PATH}` });

const inShell = (shell: string, args: readonly string[]): string =>
  execFileSync(shell, args, { cwd: clone, env: envOf(), encoding: 'utf8' });

async function scriptFor(shell: string): Promise<string> {
  const file = join(box.home, `completion.${shell}`);
  writeFileSync(file, (await box.piton(['completion', shell])).stdout);
  return file;
}

/** What bash would put behind Tab, each in a line with its end marked. */
async function offeredByBash(...words: string[]): Promise<string[]> {
  const ask = `source "$1"; shift; COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _piton; printf '%s\\0' "\${COMPREPLY[@]}"`;
  const args = ['--norc', '-c', ask, 'bash', await scriptFor('bash'), 'piton', ...words];
  return inShell('bash', args).split('\0').filter(Boolean);
}

describe('Tab in a clone whose file names are commands', () => {
  it.skipIf(!has('bash'))('runs none of them in bash, and offers what needs no quotes', async () => {
    expect(await offeredByBash('trust', '')).toEqual(['10-plain']);
    expect(await offeredByBash('hooks', 'test', '2')).toEqual([]);
    expect(existsSync(join(clone, 'pwned'))).toBe(false);
  });

  it.skipIf(!has('fish'))('runs none of them in fish', async () => {
    const ask = `source ${await scriptFor('fish')}; complete -C 'piton trust '`;
    const offered = inShell('fish', ['--no-config', '-c', ask]);
    expect(offered.split('\n').filter(Boolean)).toEqual(['10-plain']);
    expect(existsSync(join(clone, 'pwned'))).toBe(false);
  });

  it.skipIf(!has('zsh'))('runs none of them in zsh', async () => {
    // What _describe is given, as the script hands it over.
    const ask = `compdef() { : }; _describe() { print -rl -- \${(P)2} }; source "$1"; words=(piton trust ''); CURRENT=3; _piton`;
    const offered = inShell('zsh', ['-f', '-c', ask, 'zsh', await scriptFor('zsh')]);
    expect(offered.split('\n').filter(Boolean)).toEqual(['10-plain']);
    expect(existsSync(join(clone, 'pwned'))).toBe(false);
  });

  it('an older script gets nothing to expand either', async () => {
    const { stdout } = await box.piton(['candidates', 'hooks'], { cwd: clone });
    expect(stdout).toBe('10-plain\n');
  });
});

describe.skipIf(!has('bash'))('Tab in bash', () => {
  it('offers options only behind a dash, so that it writes none by itself', async () => {
    expect((await offeredByBash('events', '')).filter((word) => word.startsWith('-'))).toEqual([]);
    expect(await offeredByBash('events', '')).toEqual(['list', 'show', 'tail']);
    expect(await offeredByBash('hooks', 'add', '')).toContain('block-destructive-commands');
    expect(await offeredByBash('hooks', 'new', '')).toContain('guard');
    expect(await offeredByBash('settings', 'set', 'g')).toEqual(['guard']);
    expect(await offeredByBash('status', '')).toEqual([]);
    expect(await offeredByBash('status', '--j')).toEqual(['--json']);
  });

  it('offers events by our names and, from what was typed on, by those of agents', async () => {
    expect(await offeredByBash('events', '--event', 'pre_t')).toEqual(['pre_tool_use']);
    expect(await offeredByBash('events', '--event', 'PreT')).toEqual(['PreToolUse']);
    expect(await offeredByBash('events', '--event', 'BeforeT')).toContain('BeforeTool');
    expect(await offeredByBash('events', '--event', '')).not.toContain('PreToolUse');
  });
});

/** Arguments that only the person knows, or that are files. */
const OPEN = [
  'search',
  'hooks list',
  'hooks search',
  'hooks sign',
  'hooks index',
  'blame',
  'lint',
  'redact',
  'team join',
  'team tenant',
  'team code',
  'team machines',
  'team end',
  'team person list',
  'team person export',
  'team person delete',
  'team audit list',
  'team audit verify',
];

it('every argument of a command is offered, or is one that nobody can know', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/cli.md'), 'utf8');
  const taking = [...page.matchAll(/^piton ([a-z ]+?) (?:\[options\] )?[<[](?!command|options)/gm)].map(([, name = '']) => name);
  const script = readFileSync(await scriptFor('bash'), 'utf8');
  const isOffered = (name: string): boolean => new RegExp(`^ +"${name}"\\) words="(?:[^"]+" .*|" .* kind=[a-z-]+ .*);;$`, 'm').test(script);
  expect(taking.length).toBeGreaterThan(20);
  expect(new Set(taking.filter((name) => !isOffered(name)))).toEqual(new Set(OPEN));
});
