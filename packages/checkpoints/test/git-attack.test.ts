import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { monotonicUs, ulid } from '@piton/contracts';
import { Canaries, configure, GIT_SCOPES, type GitScope } from '@piton/testing/git-attack';
import { describe, expect, it } from 'vitest';
import { installGitHooks, missingGitHooks, uninstallGitHooks } from '../src/git-hooks/repository-hooks.ts';
import { createCheckpointWorker, openCheckpoints } from '../src/index.ts';
import { directory, Scratch, scratch } from './scratch.ts';

const SESSION = { session: 's1', agent: 'someone', child: false } as const;

interface Hostile {
  readonly user: Scratch;
  readonly canaries: Canaries;
  readonly strike: () => void;
}

/** A repository with a signed commit, and programs in wait; `strike` has its configuration name them. */
function hostile(scope: GitScope, user = scratch(), gitDir = user.path('.git')): Hostile {
  const canaries = new Canaries(directory());
  const { text, settings } = canaries.attributes();
  user.write('data.dat', 'one\n');
  user.write('.gitattributes', text);
  user.commit('with attributes');
  sign(user);
  const strike = () => {
    configure(gitDir, user.home, scope, [...canaries.settings(), ...settings]);
    mkdirSync(join(gitDir, 'hooks'), { recursive: true });
    for (const hook of ['reference-transaction', 'post-index-change', 'pre-auto-gc'])
      canaries.program(`file.${hook}`, join(gitDir, 'hooks', hook));
  };
  return { user, canaries, strike };
}

/** Git asks for a program to check it whenever it shows such a commit. */
function sign(user: Scratch): void {
  const tree = user.git('rev-parse', 'HEAD^{tree}');
  const who = 'Ann <ann@example.org> 1700000000 +0000';
  const signature = 'gpgsig -----BEGIN PGP SIGNATURE-----\n \n aGVsbG8=\n -----END PGP SIGNATURE-----';
  user.write(
    '../signed',
    `tree ${tree}\nparent ${user.git('rev-parse', 'HEAD')}\nauthor ${who}\ncommitter ${who}\n${signature}\n\nSigned\n`,
  );
  user.git('update-ref', 'HEAD', user.git('hash-object', '-t', 'commit', '-w', '../signed'));
}

/** Every request of a turn, and every hook of git's own. */
async function driveTurn(user: Scratch, strike = () => {}): Promise<string[]> {
  const problems: string[] = [];
  const config = join(user.home, 'config');
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'settings.json'), JSON.stringify({ checkpoints: { strategy: 'auto-commit', trailer: 'always' } }));
  const worker = createCheckpointWorker({
    git: user.runner(),
    redactor: { text: (text) => text, holdsToken: () => false, refresh: () => {} },
    home: user.home,
    config,
    parseSettings: (text) => ({ value: JSON.parse(text), errors: [] }),
    post: (report) => void (report.kind === 'problem' && problems.push(report.what)),
  });
  const tree = { directory: user.root, ...SESSION };
  let id = 0;
  const waits = () => ({ id: ++id, untilUs: monotonicUs() + 60_000_000n });
  const stamp = () => ulid(Date.now(), randomBytes(10));
  const ask = async (...requests: Parameters<typeof worker.handle>[0][]) => {
    for (const request of requests) {
      worker.handle(request);
      await worker.idle();
    }
  };
  await ask({ kind: 'prompt', turn: 't1', prompt: 'Do it', ...tree });
  strike();
  const files = [user.path('data.dat')];
  const edit = { key: 'c1', reach: 'named', files: [], patterns: [] } as const;
  await ask(
    { kind: 'hold', ...waits(), stamp: stamp(), tool: 'Edit', what: 'a file', call: { ...edit, files }, files, ...tree },
    { kind: 'await', ...waits(), stamp: stamp(), tool: 'Bash', what: 'make', call: { ...edit, key: 'c2', reach: 'any' }, ...tree },
  );
  user.write('data.dat', 'two\n');
  user.write('new.dat', 'new\n');
  user.write('crlf.txt', 'a\r\nb\r\n');
  const todos = [{ content: 'One', status: 'completed' }];
  await ask({ kind: 'todo', input: { todos }, response: {}, ...tree }, { kind: 'stop', ...tree });
  const message = join(user.home, 'message');
  const head = { args: [message, 'message'], input: '', indexFile: undefined, amends: false, child: false, directory: user.root };
  for (const hook of ['prepare-commit-msg', 'commit-msg', 'post-commit']) {
    writeFileSync(message, 'A commit\n\nevil: x\n');
    await ask({ kind: 'git', id: ++id, hook, stamp: stamp(), ...head });
  }
  const oid = user.plumbing('rev-parse', 'HEAD');
  const zero = '0'.repeat(40);
  await ask(
    { kind: 'git', id: ++id, hook: 'post-rewrite', stamp: stamp(), ...head, args: ['amend'], input: `${zero} ${oid}\n` },
    {
      kind: 'git',
      id: ++id,
      hook: 'pre-push',
      stamp: stamp(),
      ...head,
      args: ['origin', 'x'],
      input: `refs/heads/main ${oid} refs/heads/main ${zero}\n`,
    },
    { kind: 'interrupted', ...tree },
    { kind: 'session-over', ...tree },
  );
  return problems;
}

/** All that the command does between turns. What one of them cannot do here does not matter: none may run anything. */
async function driveCommand(user: Scratch): Promise<string[]> {
  const failed: string[] = [];
  const attempt = async <T>(name: string, act: () => Promise<T>): Promise<T | undefined> => {
    try {
      return await act();
    } catch (error) {
      failed.push(`${name}: ${error}`);
      return undefined;
    }
  };
  const git = user.runner();
  const all = await attempt('open', () => openCheckpoints({ git, directory: user.root, home: user.home, redact: (text) => text }));
  if (!all) return failed;
  const list = (await attempt('list', () => all.list())) ?? [];
  if (list.length < 2) failed.push(`only ${list.length} checkpoints`);
  const [first, last] = [list[0], list.at(-1)];
  await attempt('listAll', () => all.listAll());
  await attempt('changedFiles', () => all.changedFiles(list, list));
  await attempt('beforeLatestTurn', () => all.beforeLatestTurn(list));
  if (first && last) {
    await attempt('find', () => all.find(first.id));
    await attempt('diff', () => all.diff(last, first, { binary: true }));
    await attempt('stat', () => all.stat(last, null));
    const plan = await attempt('planRewind', () => all.planRewind(first.id));
    if (plan?.result === 'plan') await attempt('planDiff', () => all.planDiff(plan));
    await attempt('rewind', () => all.rewind(first.id));
    await attempt('planUndo', () => all.planUndo());
    await attempt('undoRewind', () => all.undoRewind());
  }
  for (const file of ['data.dat', 'README.md', 'new.dat']) {
    await attempt('blame', () => all.blame(user.path(file)));
    await attempt('blame HEAD', () => all.blame(user.path(file), 'HEAD'));
  }
  await attempt('attributeCommit', () => all.attributeCommit('HEAD'));
  await attempt('resolveLink', () => all.resolveLink('HEAD'));
  const links = await attempt('findLinks', () => all.findLinks());
  if (links) await attempt('saveLinks', () => all.saveLinks(links.found));
  await attempt('recoverLink', () => all.recoverLink());
  const expired = await attempt('expired', () => all.expired(new Date(Date.now() + 1e9)));
  await attempt('bytesOnlyIn', () => all.bytesOnlyIn(expired ?? { checkpoints: list, images: [] }));
  await attempt('delete', () => all.delete({ checkpoints: list.slice(0, 1), images: expired?.images ?? [] }));
  const command = ['/bin/true', 'git'];
  const context = { git, home: user.home, userHome: user.home };
  await attempt('installGitHooks', () => installGitHooks(context, user.root, command));
  await attempt('missingGitHooks', () => missingGitHooks(context, user.root, command));
  await attempt('uninstallGitHooks', () => uninstallGitHooks(context, user.root));
  return failed;
}

describe.each(GIT_SCOPES)('a repository whose %s configuration names programs', (scope) => {
  it('has none of them run by a turn, a hook of git, or the command, named before or in the middle', async () => {
    const { user, canaries, strike } = hostile(scope);
    expect(await driveTurn(user, strike)).toEqual([]);
    expect(canaries.ran()).toEqual([]);
    expect(await driveTurn(user)).toEqual([]);
    expect(await driveCommand(user)).toEqual([]);
    expect(canaries.ran()).toEqual([]);
  });

  it('would run them if git were started as a person starts it', () => {
    const { user, canaries, strike } = hostile(scope);
    user.write('data.dat', 'changed\n');
    strike();
    user.shell('git status; git log -1; git diff; git update-ref refs/x HEAD; git commit -qam x; true');
    expect(canaries.ran()).toEqual(
      expect.arrayContaining(['attribute.filter.clean', 'core.fsmonitor', 'gpg.program', 'attribute.diff.command']),
    );
  });
});

it('an object that is missing is fetched by nothing', async () => {
  const { user, canaries, strike } = hostile('repository');
  const blob = user.git('rev-parse', 'HEAD:data.dat');
  rmSync(user.path(`.git/objects/${blob.slice(0, 2)}/${blob.slice(2)}`));
  strike();
  await driveTurn(user);
  await driveCommand(user);
  expect(canaries.ran()).toEqual([]);
});

it('the settings of a submodule run nothing', async () => {
  const inner = scratch();
  const user = scratch();
  user.git('-c', 'protocol.file.allow=always', 'submodule', '--quiet', 'add', inner.root, 'sub');
  user.commit('with a submodule');
  const sub = new Scratch(user.home, user.path('sub'));
  const { canaries, strike } = hostile('repository', sub, user.path('.git/modules/sub'));
  strike();
  user.write('sub/data.dat', 'changed\n');
  await driveTurn(user);
  await driveCommand(user);
  await driveTurn(sub);
  await driveCommand(sub);
  expect(canaries.ran()).toEqual([]);
});

it('a bare repository among the files runs nothing', async () => {
  const user = scratch();
  mkdirSync(user.path('docs/fixture'), { recursive: true });
  const inner = new Scratch(user.home, user.path('docs/fixture'));
  user.shell('git clone --quiet --bare . docs/fixture/.bare && mv docs/fixture/.bare/* docs/fixture/ && rm -r docs/fixture/.bare');
  expect(existsSync(inner.path('HEAD'))).toBe(true);
  const canaries = new Canaries(directory());
  const { text, settings } = canaries.attributes();
  inner.write('info/attributes', text);
  inner.write('config', '[core]\n\tbare = false\n\tworktree = .\n\trepositoryformatversion = 0\n');
  configure(inner.root, user.home, 'repository', [...canaries.settings(), ...settings]);
  await driveTurn(user);
  await driveTurn(inner);
  await driveCommand(inner);
  expect(canaries.ran()).toEqual([]);
  user.shell('cd docs/fixture; git status; true');
  expect(canaries.ran()).not.toEqual([]);
});
