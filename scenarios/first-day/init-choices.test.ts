import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { CLI, type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

const OWN = '{\n  // mine\n  "model": "opus"\n}\n';
const hasPatch = spawnSync('patch', ['--version']).status === 0;
const hasTerminal = spawnSync('script', ['--version']).status === 0;

interface Planned {
  readonly dryRun: boolean;
  readonly scope: string;
  readonly agents: {
    agent: string;
    proven: boolean;
    changed: boolean;
    needed: { nativeEvent: string; hook: string }[];
    added: string[];
    removed: string[];
    files: { file: string; diff?: string }[];
  }[];
}

/** As a person at a terminal would. */
const onTerminal = (args: readonly string[], answer: string): string =>
  spawnSync('script', ['-qec', [process.execPath, CLI, ...args].join(' '), '/dev/null'], {
    env: { ...box.env, TERM: 'dumb' },
    cwd: box.home,
    input: answer,
    encoding: 'utf8',
  }).stdout;

describe('piton init --dry-run', () => {
  it.skipIf(!hasPatch)('prints a diff that makes of the file what init makes of it', async () => {
    box.write(box.settings, OWN);
    const said = await box.piton(['init', '--dry-run']);
    const diff = said.stdout.slice(said.stdout.indexOf('--- '));
    expect(diff).toContain(`+++ ${box.settings}`);
    const copy = box.write('copy.json', OWN);
    execFileSync('patch', ['--quiet', copy], { input: diff });
    expect(box.read(box.settings)).toBe(OWN);
    await box.piton(['init', '--yes']);
    expect(box.read(copy)).toBe(box.read(box.settings));
  });

  it('has the diff in its JSON as well, from nothing where there is no file', async () => {
    const plan = await box.json<Planned>(['init', '--agents', 'claude', '--dry-run']);
    expect(plan.agents[0]?.files).toEqual([
      { file: box.settings, changed: true, diff: expect.stringMatching(/^--- \/dev\/null\n\+\+\+ \//) },
    ]);
    expect(existsSync(box.settings)).toBe(false);
  });
});

describe('piton init asks', () => {
  it.skipIf(!hasTerminal)('once, after it has shown what it will change, and changes nothing without a yes', () => {
    box.write(box.settings, OWN);
    const said = onTerminal(['init'], 'n\n');
    expect(said).toContain('Piton will change:');
    expect(said).toContain(box.settings);
    expect(said.match(/\[y\/N\]/g)).toHaveLength(1);
    expect(said).toContain('Nothing was changed.');
    expect(box.read(box.settings)).toBe(OWN);
    expect(existsSync(box.state)).toBe(false);
  });
  it.skipIf(!hasTerminal)('and goes on after a yes', () => {
    box.write(box.settings, OWN);
    expect(onTerminal(['init'], 'y\n')).toContain('Done:');
    expect(box.read(box.settings)).toContain('piton-forward');
  });
  it.skipIf(!hasTerminal)('nothing with --yes', () => {
    box.write(box.settings, OWN);
    expect(onTerminal(['init', '--yes'], '')).not.toContain('[y/N]');
    expect(box.read(box.settings)).toContain('piton-forward');
  });
});

describe('piton init takes', () => {
  it('agents in a list, and names the one that it does not know', async () => {
    const plan = await box.json<Planned>(['init', '--agents', 'claude-code, claude', '--dry-run']);
    expect(plan.agents.map(({ agent, proven }) => [agent, proven])).toEqual([['claude', true]]);
    const said = await box.piton(['init', '--agents', 'claude,nobody']);
    expect(said).toMatchObject({ code: 2, stderr: expect.stringContaining('"nobody"') });
  });
  it('a scope, and refuses two', async () => {
    const cwd = box.repository();
    expect(await box.json(['init', '--agents', 'claude', '--scope', 'project', '--dry-run'], { cwd })).toMatchObject({ scope: 'project' });
    expect((await box.piton(['init', '--scope', 'project', '--user'], { cwd })).code).toBe(2);
    expect((await box.piton(['init', '--scope', 'team'], { cwd })).code).toBe(2);
  });
  it('an agent that has Piton at the other level for done, unless it is named', async () => {
    const cwd = box.repository();
    await box.piton(['init', '--agent', 'claude', '--project'], { cwd });
    mkdirSync(join(box.home, '.claude'));
    const said = await box.piton(['init'], { cwd });
    expect(said.code).toBe(1);
    expect(said.stderr).toContain('At both levels events could fire twice');
    expect(existsSync(box.settings)).toBe(false);
  });
});

describe('an event that costs too much to be registered unasked', () => {
  const hook = () => box.write(join(box.config, 'hooks/other/10-watch'), '#!/bin/sh\n', 0o755);

  it('is asked for by status when a hook needs it, and registered by init', async () => {
    await box.piton(['init', '--agent', 'claude']);
    expect(box.read(box.settings)).not.toContain('PostToolBatch');
    hook();
    const asks = await box.piton(['status']);
    expect(asks.code).toBe(1);
    expect(asks.stdout).toContain('PostToolBatch is not registered, but user:other/10-watch needs it: ');
    expect(asks.stdout).toContain('init --agent claude');
    const said = await box.piton(['init', '--agent', 'claude']);
    expect(said.stdout).toContain('also PostToolBatch, needed by user:other/10-watch');
    expect(box.read(box.settings)).toContain('"PostToolBatch"');
    expect((await box.piton(['status'])).code).toBe(0);
  });

  it('is registered at once where the hook is there before, never where the agent forbids it, and taken out when the hook is gone', async () => {
    hook();
    await box.piton(['init', '--agent', 'claude']);
    expect(box.read(box.settings)).toContain('"MessageDisplay"');
    expect(box.read(box.settings)).not.toContain('WorktreeCreate');
    rmSync(join(box.config, 'hooks'), { recursive: true });
    const again = await box.json<Planned>(['init', '--agent', 'claude']);
    expect(again.agents[0]?.removed).toContain('MessageDisplay');
    expect(box.read(box.settings)).not.toContain('MessageDisplay');
  });

  it('stays registered for a project that is trusted, whatever directory init runs in', async () => {
    const cwd = box.repository();
    box.write(join(cwd, '.piton/hooks/other/10-watch'), '#!/bin/sh\n', 0o755);
    await box.piton(['init', '--agent', 'claude'], { cwd });
    expect(box.read(box.settings)).not.toContain('PostToolBatch');
    await box.piton(['trust', '--all', '--yes'], { cwd });
    await box.piton(['init', '--agent', 'claude']);
    expect(box.read(box.settings)).toContain('PostToolBatch');
  });
});
