import { chmodSync, existsSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRegistry, createSandbox, runCommand } from '@piton/hooks';
import { Runs } from '@piton/lifecycle';
import { parseSettings } from '@piton/lifecycle/settings-text';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Journal } from '../../src/journal/journal.ts';
import { readRecords } from '../../src/journal/journal-record.ts';
import { noPitonRecords, takePitonRecord } from '../../src/journal/piton-records.ts';
import { type Fired, identity } from '../../src/subscriptions/fired.ts';
import { awaitDeliveries, postCommitWait } from '../../src/subscriptions/post-commit.ts';
import { Subscriptions } from '../../src/subscriptions/subscriptions.ts';

let root: string;
let log: string;
let problems: string[];
let journal: Journal;
let subscriptions: Subscriptions;

beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-subscriptions-')));
  log = join(root, 'log');
  problems = [];
  const reportProblem = (what: string): void => void problems.push(what);
  journal = new Journal({ directory: join(root, 'journal'), reportProblem, grown: () => {} });
  subscriptions = new Subscriptions({
    registry: createRegistry({ config: root, trustDir: join(root, 'trust'), parseSettings }),
    ...{ journal, runs: new Runs(), sandbox: createSandbox(), reportProblem, redact: (text) => text },
    maxWaiting: 3,
    spawn: ({ hook: _, ...request }) => runCommand({ ...request, id: 1, stdin: Buffer.from(request.stdin) }),
  });
});
afterEach(async () => {
  await subscriptions.idle();
  journal.close();
  rmSync(root, { recursive: true, force: true });
});

function script(event: string, name: string, body: string): void {
  const directory = join(root, 'hooks', event);
  mkdirSync(directory, { recursive: true });
  writeFileSync(join(directory, name), `#!/bin/sh\n${body}\n`);
  chmodSync(join(directory, name), 0o755);
}
const ended = (session: string, repo: string | null, more: Partial<Fired> = {}): Fired => ({
  event: {
    ...identity('session-ended', Date.now(), session),
    ...{ checkpoint_id: null, commit_sha: null, session_id: session, agent: 'claude', branch: null, repo, reason: null },
  },
  ...{ cwd: root, sessionRoot: null, child: false, ...more },
});
const lines = (): string[] => (existsSync(log) ? readFileSync(log, 'utf8').split('\n').filter(Boolean) : []);
const journalled = () => {
  const part = noPitonRecords();
  for (const record of readRecords(readFileSync(join(root, 'journal', '00000001.log'))).records) takePitonRecord(part, record);
  return part;
};

describe('subscriptions', () => {
  it('run one at a time, and events of one repository in the order in which they were fired', async () => {
    script('session-ended', '10-slow', `sleep 0.2; echo "$PITON_SESSION_ID slow" >> '${log}'`);
    script('session-ended', '20-fast', `echo "$PITON_SESSION_ID fast" >> '${log}'`);
    for (const session of ['one', 'two']) subscriptions.fire(ended(session, root));
    await subscriptions.idle();
    expect(lines()).toEqual(['one slow', 'one fast', 'two slow', 'two fast']);
  });

  it('of another repository do not wait for it', async () => {
    const go = join(root, 'go');
    script(
      'session-ended',
      '10',
      `[ "$PITON_SESSION_ID" = free ] || until [ -e '${go}' ]; do sleep 0.05; done; echo "$PITON_SESSION_ID" >> '${log}'`,
    );
    subscriptions.fire(ended('held', root));
    subscriptions.fire(ended('free', tmpdir()));
    expect(await eventually(() => lines().length === 1)).toBe(true);
    expect(lines()).toEqual(['free']);
    writeFileSync(go, '');
  });

  it('are journalled before they run, and their results after it', async () => {
    script('session-ended', '10', 'exit 3');
    const { done } = subscriptions.fire(ended('s', root));
    expect(journalled()).toMatchObject({ events: [{ waits: true, attempt: 1, event: { session_id: 's' } }], runs: [] });
    await done;
    const { events, runs } = journalled();
    expect(runs[0]).toMatchObject({ id: events[0]?.event.id, trace: [{ hook: 'user:session-ended/10', failed: 'exit', exitCode: 3 }] });
    expect(events[1]).toMatchObject({ waits: false, event: { event: 'hook-failed', hook: 'user:session-ended/10' } });
  });

  it('run in the repository, or else in the directory of the session', async () => {
    script('session-ended', '10', `pwd >> '${log}'`);
    const other = realpathSync(tmpdir());
    await subscriptions.fire(ended('a', other)).done;
    await subscriptions.fire(ended('b', null)).done;
    await subscriptions.fire(ended('c', join(root, 'gone'))).done;
    expect(lines()).toEqual([other, root, root]);
  });

  it('do not get events from inside one of them, nor an event that crashed three servers', async () => {
    script('session-ended', '10', `echo ran >> '${log}'`);
    await subscriptions.fire(ended('child', root, { child: true })).done;
    await subscriptions.fire(ended('poison', root, { attempt: 3 })).done;
    await subscriptions.fire(ended('again', root, { attempt: 2 })).done;
    await subscriptions.idle();
    expect(lines()).toEqual(['ran']);
    expect(journalled().events.map(({ waits }) => waits)).toEqual([false, false, true]);
    expect(problems).toEqual([expect.stringContaining('no longer delivered')]);
  });

  it('that are too slow do not queue up without limit', async () => {
    const go = join(root, 'go');
    script('session-ended', '10', `until [ -e '${go}' ]; do sleep 0.05; done`);
    for (const session of ['a', 'b', 'c', 'd', 'e']) subscriptions.fire(ended(session, root));
    expect(journalled().events.map(({ waits }) => waits)).toEqual([true, true, true, false, false]);
    expect(problems.at(-1)).toContain('too slow');
    writeFileSync(go, '');
  });

  it('are found only where one could run', () => {
    const place = { cwd: root, sessionRoot: null };
    expect(subscriptions.hasSubscribers(place, ['session-ended', 'commit-linked'])).toBe(false);
    script('commit-linked', '10', 'true');
    expect(subscriptions.hasSubscribers(place, ['session-ended'])).toBe(false);
    expect(subscriptions.hasSubscribers(place, ['session-ended', 'commit-linked'])).toBe(true);
    writeFileSync(join(root, 'settings.json'), '{ "hooks_enabled": false }');
    expect(subscriptions.hasSubscribers(place, ['commit-linked'])).toBe(false);
  });
});

describe('after a commit', () => {
  it.each([
    [undefined, 2000],
    ['{}', 2000],
    ['{ "post_commit_wait": 0 }', 0],
    ['{ "post_commit_wait": 0.5 }', 500],
    ['{ "post_commit_wait": "250ms" }', 250],
    ['{ "post_commit_wait": "1 s" /* of mine */ }', 1000],
    ['{ "post_commit_wait": 60 }', 4000],
    ['{ "post_commit_wait": "soon" }', 2000],
    ['{ "post_commit_wait": -1 }', 2000],
  ])('settings %s mean that git waits %i ms', (text, expected) => {
    if (text !== undefined) writeFileSync(join(root, 'settings.json'), text);
    expect(postCommitWait(root)).toBe(expected);
  });

  it('subscriptions that have failed are named, one per line, and slower ones together as still running', async () => {
    const go = join(root, 'go');
    script('session-ended', '10', 'printf "a\\033[2Jb" >&2; exit 1');
    script('session-ended', '20', `until [ -e '${go}' ]; do sleep 0.05; done; exit 1`);
    const delivery = subscriptions.fire(ended('s', root));
    await eventually(() => delivery.entries.length === 1);
    expect(await awaitDeliveries(Promise.resolve([delivery]), 1, () => '~/p')).toBe(
      'piton: user:session-ended/10 failed on session-ended: it exited with code 1: a [2Jb\n' +
        'piton: still running: user:session-ended/20 on session-ended. How it ended: ~/p events --own\n',
    );
    writeFileSync(go, '');
    expect((await awaitDeliveries(Promise.resolve([delivery]), 10_000, () => 'piton')).split('\n')).toHaveLength(3);
  });
});
