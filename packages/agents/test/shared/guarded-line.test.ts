import { execFileSync, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { InstallTarget, Registration } from '@piton/contracts';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { guardedForm, registrationOf } from '../../src/shared/command-line.ts';

const registration: Registration = { agent: 'claude', nativeEvent: 'Stop', scope: 'project', timeoutMs: 60_000, variables: [] };
const belowHome = ".local/it's a $HOME/`x`/runtime/current/piton-forward";

describe('the guarded line of project scope, in a real shell', () => {
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'piton home '));
  });
  afterEach(() => rmSync(home, { recursive: true }));

  const lineFor = (target: Partial<InstallTarget>): string => {
    const command = guardedForm(
      { scope: 'project', forwarder: join(home, belowHome), forwarderBelowHome: belowHome, wanted: [], ...target },
      registration,
    );
    if (!('shell' in command)) throw new Error('no shell line');
    return command.shell;
  };
  const run = (line: string, env: Record<string, string>) =>
    spawnSync('/bin/sh', ['-c', line], { env: { PATH: process.env.PATH ?? '', ...env }, input: '{"a":1}', encoding: 'utf8' });
  const forwarder = (script: string, mode = 0o755) => {
    const path = join(home, belowHome);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, `#!/bin/sh\n${script}\n`);
    chmodSync(path, mode);
  };

  it('is silent and exits 0 for a teammate without Piton', () => {
    expect(run(lineFor({}), { HOME: home })).toMatchObject({ status: 0, stdout: '', stderr: '' });
    expect(run(lineFor({}), {})).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
  it('is silent and exits 0 if the file cannot be executed', () => {
    forwarder('echo no', 0o644);
    expect(run(lineFor({}), { HOME: home })).toMatchObject({ status: 0, stdout: '', stderr: '' });
  });
  it('hands over arguments, stdin, output and exit code', () => {
    forwarder('for a in "$@"; do printf "<%s>" "$a"; done; cat; exit 7');
    expect(run(lineFor({}), { HOME: home })).toMatchObject({ status: 7, stdout: '<claude><Stop><project><60000><->{"a":1}', stderr: '' });
  });
  it('adds nothing to the environment and leaves no shell behind', () => {
    forwarder('env; echo "pid $$"');
    const direct = execFileSync('/bin/sh', ['-c', 'exec env'], { env: { HOME: home, p: 'kept' }, encoding: 'utf8' });
    const { stdout, pid } = spawnSync('/bin/sh', ['-c', lineFor({})], { env: { HOME: home, p: 'kept' }, encoding: 'utf8' });
    const names = (text: string) =>
      text
        .split('\n')
        .filter((line) => line.includes('=') && !line.startsWith('_='))
        .sort();
    expect(names(stdout)).toEqual(names(direct));
    expect(stdout).toContain(`pid ${pid}`);
  });
  it('works with an absolute path where Piton lies outside of HOME', () => {
    forwarder('echo here');
    expect(run(lineFor({ forwarderBelowHome: null }), { HOME: '/nowhere' }).stdout).toBe('here\n');
  });
  it('is recognised as ours, however the path is quoted', () => {
    expect(registrationOf({ shell: lineFor({}) })).toEqual(registration);
    expect(registrationOf({ shell: lineFor({ forwarderBelowHome: null }) })).toEqual(registration);
    expect(registrationOf({ shell: '/h/runtime/current/piton-forward claude Stop user 60000 -' })).toMatchObject({ scope: 'user' });
    for (const foreign of ['', 'echo hello', '/h/runtime/current/piton-forward --version', '/h/piton-forward claude Stop user 60000 -']) {
      expect(registrationOf({ shell: foreign })).toBeUndefined();
    }
  });
});
