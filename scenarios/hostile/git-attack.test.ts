import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Canaries, configure, type GitScope } from '@piton/testing/git-attack';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Stage } from '../repository-setup.ts';

// A repository decides what its configuration says. Nothing in it is run: not by the server, not by any command.
let stage: Stage;
let canaries: Canaries;
beforeEach(() => {
  stage = new Stage();
  canaries = new Canaries(join(stage.root, 'canaries'));
  writeFileSync(join(stage.work, '.gitattributes'), canaries.attributes().text);
  writeFileSync(join(stage.work, 'data.dat'), 'one\n');
  stage.commit('Attributes');
  sign();
});
afterEach(() => stage.end());

/** Git asks for a program to check it whenever it shows such a commit. */
function sign(): void {
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----';
  const [head = '', ...message] = stage.git('cat-file', 'commit', 'HEAD').split('\n\n');
  const file = join(stage.root, 'signed');
  writeFileSync(file, `${head}\n${signature}\n\n${message.join('\n\n')}`);
  stage.git('update-ref', 'HEAD', stage.git('hash-object', '-t', 'commit', '-w', file).trim());
}

const strike = (scope: GitScope): void =>
  configure(join(stage.work, '.git'), stage.root, scope, [...canaries.settings(), ...canaries.attributes().settings]);

/** What a command could not do here does not matter, but for those that must still work. */
function pitonRuns(...args: string[]): string {
  const { status, stdout, stderr } = stage.piton(...args);
  expect([args.join(' '), status, stderr]).toEqual([args.join(' '), 0, expect.anything()]);
  return stdout;
}

// Every scope there is stands in packages/checkpoints/test/git-attack.test.ts.
describe.each<GitScope>(['repository', 'included'])('programs in the %s configuration', (scope) => {
  it('are run neither by the server nor by a command', { timeout: 240_000 }, async () => {
    pitonRuns('init', '--agent', 'claude', '--yes');
    await stage.turn('s1', 'First', 'a.txt', 'one\ntwo\n');
    stage.commit('By the agent');
    stage.settle();
    canaries.ran();
    strike(scope);
    await stage.turn('s1', 'Second', 'data.dat', 'two\n');
    stage.settle();
    expect(canaries.ran()).toEqual([]);
    const list = JSON.parse(pitonRuns('checkpoints', 'list', '--json')) as { id: string }[];
    const last = list.at(-1)?.id ?? '';
    for (const args of [
      ['checkpoints', 'show', last],
      ['checkpoints', 'diff', last],
      ['checkpoints', 'repair'],
      ['explain', 'HEAD'],
      ['explain', 'HEAD~1'],
      ['blame', 'a.txt'],
      ['blame', 'data.dat'],
      ['export', 'HEAD'],
      ['export', '--session', 's1'],
      ['resume', 'HEAD'],
      ['rewind', '--dry-run', last],
      ['rewind', '--yes', list[0]?.id ?? ''],
      ['rewind', '--undo', '--yes'],
      ['clean', '--all', '--dry-run'],
      ['clean', '--yes', '--older-than', '0d'],
      ['doctor'],
      ['status'],
      ['hooks', 'list'],
      ['init', '--agent', 'claude', '--yes'],
      ['uninstall', '--yes'],
    ]) {
      stage.piton(...args);
      expect([args.join(' '), canaries.ran()]).toEqual([args.join(' '), []]);
    }
  });
});

it('commits that show their signature are blamed and explained as any other', { timeout: 120_000 }, async () => {
  pitonRuns('init', '--agent', 'claude', '--yes');
  await stage.turn('s1', 'First', 'a.txt', 'one\ntwo\n');
  stage.commit('By the agent');
  stage.settle();
  stage.git('-c', 'core.editor=sed -i /^Piton-Checkpoint:/d', 'commit', '-q', '--amend');
  sign();
  stage.settle();
  const told = () => ['blame a.txt', 'explain HEAD'].map((line) => pitonRuns(...line.split(' ')));
  const plain = told();
  stage.git('config', 'log.showSignature', 'true');
  stage.git('config', 'gpg.program', canaries.program('gpg.program'));
  expect(told()).toEqual(plain);
  expect(pitonRuns('checkpoints', 'repair')).toContain('1 link repaired');
  expect(canaries.ran()).toEqual([]);
});

it('a git that lies in a repository is not the server’s, though the first agent had it first on its PATH', {
  timeout: 120_000,
}, async () => {
  pitonRuns('init', '--agent', 'claude', '--yes');
  stage.settle();
  const bin = join(stage.work, 'node_modules', '.bin');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'git'), `#!/bin/sh\necho git >> '${canaries.log}'\n`);
  chmodSync(join(bin, 'git'), 0o755);
  const before = process.env['PATH'];
  process.env['PATH'] = `${bin}:${before}`;
  try {
    await stage.turn('s1', 'First', 'a.txt', 'one\ntwo\n');
    pitonRuns('checkpoints');
  } finally {
    process.env['PATH'] = before;
  }
  expect(canaries.ran()).toEqual([]);
});
