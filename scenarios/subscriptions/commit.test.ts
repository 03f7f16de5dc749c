import { chmodSync, existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStage, type Stage } from './setup.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.end());

const commit = (message = 'Add it') => {
  stage.git('add', 'agent.txt');
  return stage.git('commit', '-qm', message);
};

/** Git waits for the longest that can be had: on a machine that is busy the usual two seconds may be too short. */
const waitLong = () => {
  mkdirSync(stage.config, { recursive: true });
  writeFileSync(join(stage.config, 'settings.json'), '{ "post_commit_wait": "4s" }');
};

const SIX = ['checkpoint_id', 'commit_sha', 'session_id', 'agent', 'branch', 'repo'] as const;
const VARIABLES = ['CHECKPOINT_ID', 'COMMIT_SHA', 'SESSION_ID', 'AGENT', 'BRANCH', 'REPO', 'CHECKPOINT_REF', 'EVENT'];

it('agent edits, user commits: the trusted script reads six fields, on stdin and in its environment', async () => {
  stage.script(
    'checkpoint-created',
    '10-print',
    `[ "$PITON_COMMIT_SHA" ] || exit 0
     { cat; echo "$(pwd)|${VARIABLES.map((name) => `$PITON_${name}`).join('|')}|$ANTHROPIC_API_KEY"; } > '${stage.heard}'`,
  );
  waitLong();
  await stage.agentWrites('agent.txt', 'from the agent\n');
  expect(stage.piton('trust', '--all', '--yes').status).toBe(0);
  // The commit starts a server that has not heard of the session, and must not wait for that server's end.
  stage.piton('server', 'stop');
  expect(commit()).toMatchObject({ code: 0, stderr: '' });
  // git waited for it: it is there when the commit returns.
  const [json = '', line = ''] = readFileSync(stage.heard, 'utf8').split('\n');
  const payload = JSON.parse(json) as Record<string, string>;
  const head = stage.git('rev-parse', 'HEAD').stdout.trim();
  const [, id] = /^Piton-Checkpoint: ([0-9A-Z]{26})$/m.exec(stage.git('log', '-1', '--format=%B').stdout) ?? [];
  expect(payload).toMatchObject({
    ...{ event: 'checkpoint-created', kind: 'commit', checkpoint_id: id, commit_sha: head, session_id: 's1', agent: 'claude' },
    ...{ branch: 'main', repo: stage.work, name: 'Add it' },
  });
  expect(SIX.every((field) => payload[field] !== null)).toBe(true);
  // What is on record is what was read: no id, path or hash in it passes for a secret.
  expect(stage.json('events', 'show', payload.id ?? '')).toMatchObject({ ...payload, runs: [{ did: 'ran', exitCode: 0 }] });
  expect(line.split('|')).toEqual([
    ...[stage.work, id, head, 's1', 'claude', 'main', stage.work, `refs/piton/checkpoints/${id}`, 'checkpoint-created', ''],
  ]);
  expect(stage.git('rev-parse', '--verify', `refs/piton/checkpoints/${id}`).code).toBe(0);
});

it('a script that fails is a line on git’s stderr, and the commit succeeds', async () => {
  stage.script('checkpoint-created', '10-fail', '[ "$PITON_COMMIT_SHA" ] || exit 0; printf "no \\033[31mSlack\\n" >&2; exit 3', 'user');
  waitLong();
  await stage.agentWrites('agent.txt', 'x\n');
  const said = commit();
  expect(said).toMatchObject({ code: 0, stdout: '' });
  expect(said.stderr).toBe('piton: user:checkpoint-created/10-fail failed on checkpoint-created: it exited with code 3: no  [31mSlack\n');
  await eventually(() => stage.piton('doctor').stdout.includes('user:checkpoint-created/10-fail failed'));
  expect(stage.piton('doctor').stdout).toContain('it exited with code 3');
});

it('without a directory nothing happens, and git waits for nobody', async () => {
  await stage.agentWrites('agent.txt', 'x\n');
  expect(commit()).toMatchObject({ code: 0, stdout: '', stderr: '' });
  expect(stage.piton('doctor').stdout).toContain('No problems found.');
});

it('hooks_enabled: false stops subscriptions, never checkpoints', async () => {
  stage.listener('checkpoint-created', 'user');
  writeFileSync(join(stage.config, 'settings.json'), '{ "hooks_enabled": false }');
  await stage.agentWrites('agent.txt', 'x\n');
  expect(commit().code).toBe(0);
  await eventually(() => stage.piton('checkpoints', 'list', '--json').stdout.includes('"kind": "commit"'));
  expect(stage.events()).toEqual([]);
});

it('doctor names a script that is not executable, and one that nobody trusted', () => {
  const path = stage.script('checkpoint-created', '10-forgot', 'true', 'user');
  chmodSync(path, 0o644);
  stage.script('session-ended', '10-new', 'true');
  const { stdout } = stage.piton('doctor');
  expect(stdout).toContain('user:checkpoint-created/10-forgot is not executable');
  expect(stdout).toContain(`chmod +x "${path}"`);
  expect(stdout).toContain('piton trust project:session-ended/10-new');
  expect(stage.fire('SessionStart', { source: 'startup' })).toContain('not trusted, so not run: \\"10-new\\"');
});

it('two sessions in one commit are reported one by one, each created and then linked', async () => {
  for (const event of ['checkpoint-created', 'commit-linked']) stage.listener(event, 'user');
  await stage.agentWrites('one.txt', 'one\n', 'first');
  await stage.agentWrites('two.txt', 'two\n', 'second');
  stage.git('add', '-A');
  expect(stage.git('commit', '-qm', 'Both').code).toBe(0);
  stage.settle();
  const told = stage.events().filter(({ commit_sha }) => commit_sha !== null);
  expect(told.map(({ event, session_id }) => [event, session_id]).sort()).toEqual([
    ['checkpoint-created', 'first'],
    ['checkpoint-created', 'second'],
    ['commit-linked', 'first'],
    ['commit-linked', 'second'],
  ]);
  expect(told.map(({ event }) => event)).toEqual(['checkpoint-created', 'commit-linked', 'checkpoint-created', 'commit-linked']);
});

it('a slow script does not hold git up for longer than the setting says, and finishes in the server', async () => {
  const go = join(stage.root, 'go');
  stage.script('commit-linked', '10-slow', `until [ -e '${go}' ]; do sleep 0.05; done; cat > '${stage.heard}'`, 'user');
  writeFileSync(join(stage.config, 'settings.json'), '{ "post_commit_wait": "300ms" }');
  await stage.agentWrites('agent.txt', 'x\n');
  // It ends only when we say so: that git has returned shows that it did not wait for it.
  const said = commit();
  expect(said.code).toBe(0);
  // A busy machine may not even have started it in that time.
  expect(said.stderr).toMatch(
    /^(piton: still running: user:commit-linked\/10-slow on commit-linked\. How it ended: \S*piton events --own\n)?$/,
  );
  expect(existsSync(stage.heard)).toBe(false);
  writeFileSync(go, '');
  expect(await eventually(() => stage.events().length === 1)).toBe(true);
});

it('other kinds have no commit and HEAD as their base; an amended commit is linked again and makes no checkpoint', async () => {
  for (const event of ['checkpoint-created', 'commit-linked']) stage.listener(event, 'user');
  const base = stage.git('rev-parse', 'HEAD').stdout.trim();
  await stage.agentWrites('agent.txt', 'x\n');
  await eventually(() => stage.events().some((one) => 'kind' in one && one.kind === 'stop'));
  expect(stage.events('checkpoint-created').at(-1)).toMatchObject({ kind: 'stop', commit_sha: null, base_sha: base, session_id: 's1' });
  commit();
  stage.settle();
  const before = stage.events();
  stage.git('commit', '-q', '--amend', '-m', `${stage.git('log', '-1', '--format=%B').stdout.replace('Add it', 'Add them')}`);
  const head = stage.git('rev-parse', 'HEAD').stdout.trim();
  stage.settle();
  expect(stage.events().slice(before.length)).toMatchObject([{ event: 'commit-linked', commit_sha: head, session_id: 's1' }]);
});

it('repair reports each link that it finds, once', async () => {
  for (const event of ['checkpoint-created', 'commit-linked']) stage.listener(event, 'user');
  await stage.agentWrites('agent.txt', 'x\n');
  commit();
  stage.settle();
  const before = stage.events().length;
  stage.git('reset', '-q', '--soft', 'HEAD~1');
  // As a forge makes it: of the same files, in other words, and no hook hears of it.
  stage.git('-c', 'core.hooksPath=/dev/null', 'commit', '-qm', 'Merged (#1)');
  const head = stage.git('rev-parse', 'HEAD').stdout.trim();
  for (let times = 0; times < 2; times++) expect(stage.piton('checkpoints', 'repair')).toMatchObject({ status: 0, stderr: '' });
  stage.settle();
  expect(stage.events().slice(before)).toMatchObject([{ event: 'commit-linked', commit_sha: head, session_id: 's1' }]);
});

it.each([
  ['the next prompt', () => stage.fire('UserPromptSubmit', { prompt: 'go on' })],
  ['a repair', () => expect(stage.piton('checkpoints', 'repair').stdout).toContain('now has its checkpoint')],
])('a commit that nobody linked is linked, and told of, at %s', async (_, next) => {
  for (const event of ['checkpoint-created', 'commit-linked']) stage.listener(event, 'user');
  await stage.agentWrites('agent.txt', 'x\n');
  await eventually(() => stage.events().some((one) => 'kind' in one && one.kind === 'stop'));
  const before = stage.events().length;
  rmSync(join(stage.work, '.git', 'hooks', 'post-commit'));
  commit();
  const head = stage.git('rev-parse', 'HEAD').stdout.trim();
  expect(stage.events().length).toBe(before);
  next();
  await eventually(() => stage.events().length >= before + 2);
  stage.settle();
  expect(stage.events().slice(before)).toMatchObject([
    { event: 'checkpoint-created', kind: 'commit', commit_sha: head, session_id: 's1', agent: 'claude' },
    { event: 'commit-linked', commit_sha: head, session_id: 's1' },
  ]);
});

it('explain shows where a commit was pushed', async () => {
  stage.git('init', '-q', '--bare', join(stage.root, 'remote.git'));
  stage.git('remote', 'add', 'origin', join(stage.root, 'remote.git'));
  const first = stage.git('rev-parse', 'HEAD').stdout.trim();
  expect(stage.git('push', '-q', 'origin', 'main').code).toBe(0);
  writeFileSync(join(stage.work, 'b.txt'), 'b\n');
  stage.git('add', '-A');
  stage.git('commit', '-qm', 'More');
  expect(stage.piton('explain', 'HEAD').stdout).not.toContain('pushed');
  expect(stage.piton('explain', first).stdout).toMatch(/pushed to origin\/main at \d/);
  expect(stage.git('push', '-q', 'origin', 'main:other').code).toBe(0);
  const pushes = () => stage.json<{ pushes: object[] }>('explain', 'HEAD').pushes;
  expect(pushes()).toMatchObject([{ remote: 'origin', ref: 'refs/heads/other', arrived: true }]);
  // Refused by the other side: git asked its hook, and the commit never came there.
  writeFileSync(join(stage.root, 'remote.git', 'hooks', 'pre-receive'), '#!/bin/sh\nexit 1\n', { mode: 0o755 });
  expect(stage.git('push', '-q', 'origin', 'main').code).toBe(1);
  expect(pushes()).toMatchObject([{ ref: 'refs/heads/other' }, { ref: 'refs/heads/main', arrived: false }]);
});
