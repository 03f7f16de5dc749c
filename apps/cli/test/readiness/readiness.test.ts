import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Context } from '../../src/context.ts';
import { judgeRunning } from '../../src/readiness/readiness.ts';
import { mayTrust, trustHooks, withdrawTrust } from '../../src/readiness/trust-hooks.ts';
import { fileAgent } from '../install/file-agent.ts';

let home: string;
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-ready-')));
  mkdirSync(join(home, 'bin'));
  mkdirSync(join(home, 'state'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

const contextOf = (env: Readonly<Record<string, string>> = {}): Context => ({
  env: { PATH: `${join(home, 'bin')}:/usr/bin:/bin`, HOME: home, PITON_ALLOW_UNDER_AGENT: '1', ...env },
  cwd: home,
  distribution: home,
  version: '0',
  script: 'piton',
  out: () => {},
  err: () => {},
  verbatim: () => {},
  progress: () => {},
  paint: (_, text) => text,
  width: 80,
  height: 24,
  colours: false,
  outBytes: () => {},
  terminal: false,
  interactive: false,
  exit: { code: 0 },
  readerGone: new AbortController().signal,
});
const judge = () => judgeRunning(contextOf(), fileAgent, 'user', home, []);
const places = () => placesOf(join(home, 'state'), join(home, 'config'));
const trustFile = () => join(home, '.filed/trust');

async function consentOf() {
  const verdict = await judge();
  if (verdict.runs || !verdict.consent) throw new Error('it asks for nothing');
  return verdict.consent;
}
const trust = async () => trustHooks(contextOf(), places(), fileAgent, 'user', home, await consentOf());

describe('whether an agent will run what is installed', () => {
  it('is known from its files, and from its program if that is installed', async () => {
    expect(await judge()).toMatchObject({ runs: false, why: '0 hooks are new (nobody to ask)' });
    writeFileSync(join(home, 'bin/filed'), '#!/bin/sh\nread q; echo "$1 of $2: $q"\n');
    chmodSync(join(home, 'bin/filed'), 0o755);
    expect(await judge()).toMatchObject({ runs: false, why: `0 hooks are new (status of ${home}: ask)` });
  });

  it('changes with consent, which is written where the agent looks for it', async () => {
    expect(await trust()).toBe(trustFile());
    expect(await judge()).toMatchObject({ runs: true });
  });

  it('is restored byte for byte by uninstall', async () => {
    mkdirSync(join(home, '.filed'));
    writeFileSync(trustFile(), 'mine: no\n');
    await trust();
    expect(withdrawTrust(places(), [fileAgent], 'user', [])).toEqual([{ file: trustFile(), exact: true }]);
    expect(readFileSync(trustFile(), 'utf8')).toBe('mine: no\n');
  });

  it('leaves no file where there was none', async () => {
    await trust();
    withdrawTrust(places(), [fileAgent], 'user', []);
    expect(existsSync(join(home, '.filed'))).toBe(false);
    expect(withdrawTrust(places(), [fileAgent], 'user', [])).toEqual([]);
  });

  it('does not touch a file that somebody else changed since, and says so', async () => {
    await trust();
    writeFileSync(trustFile(), 'piton: yes\nand: more\n');
    expect(withdrawTrust(places(), [fileAgent], 'user', [])).toEqual([{ file: trustFile(), exact: false }]);
    expect(readFileSync(trustFile(), 'utf8')).toBe('piton: yes\nand: more\n');
  });
});

describe('consent to an agent’s question', () => {
  it('is not given without a terminal, except by the flag', async () => {
    expect(await mayTrust(contextOf(), await consentOf(), false)).toBe(false);
    expect(await mayTrust(contextOf(), await consentOf(), true)).toBe(true);
  });
  it('is never given under an agent, whatever the options', async () => {
    expect(await mayTrust(contextOf({ PITON_ALLOW_UNDER_AGENT: '', CLAUDECODE: '1' }), await consentOf(), true)).toBe(false);
  });
});
