import { afterEach, describe, expect, it, vi } from 'vitest';
import { event, redactor } from '../../../../packages/store/test/records.ts';
import { createRepositories, remoteName } from '../../src/team/repositories.ts';
import { startMachine } from './machine.ts';
import { type FakeTeamServer, startTeamServer } from './team-server.ts';

describe('a remote', () => {
  it.each([
    ['git@github.com:team/app.git', 'github.com/team/app'],
    ['https://github.com/team/app', 'github.com/team/app'],
    ['https://sam:secret@GitHub.com/team/app.git/', 'github.com/team/app'],
    ['ssh://git@host.example:2222/team/app.git', 'host.example/team/app'],
    ['host:path/to/app', 'host/path/to/app'],
    ['https://host.example/app?token=secret#x', 'host.example/app'],
    ['/srv/git/app.git', undefined],
    ['../app', undefined],
    ['', undefined],
  ])('%j is %j to everybody', (url, name) => expect(remoteName(url)).toBe(name));
});

const REMOTES: Readonly<Record<string, string>> = {
  '/w/app': 'git@github.com:team/app.git',
  '/w/deep': 'git@github.com:team/group/deep.git',
  '/w/other': 'https://github.com/others/app',
};
const of = (...patterns: string[]) => createRepositories(patterns, { remoteOf: (root) => REMOTES[root], salt: 's' });

describe('--repo', () => {
  it.each([
    [['github.com/team/*'], '/w/app', true],
    [['github.com/team/*'], '/w/deep', false],
    [['github.com/team/*'], '/w/other', false],
    [['github.com/tea*'], '/w/app', false],
    [['https://GITHUB.com/team/app.git'], '/w/app', true],
    [['git@github.com:team/app.git'], '/w/app', true],
    [['/w/app'], '/w/app', true],
    [['/w/app/'], '/w/app', true],
    [['/w/app'], '/w/apple', false],
    [['/w/*'], '/w/no-remote', true],
    [['github.com/team/ap.'], '/w/app', false],
    [['*'], '/w/app', false],
  ] as const)('%j lets %s leave: %j', (patterns, root, leaves) => {
    expect(of(...patterns).of(root) !== 'not-reported').toBe(leaves);
  });

  it('lets nothing leave that happened outside any repository', () => {
    expect(of('/w/app').of(null)).toBe('not-reported');
    expect(of().of(null)).toBeNull();
  });

  it('names a repository without a remote by nothing that can be read', () => {
    const named = of().of('/home/sam/secret-client');
    expect(named).toEqual({ id: expect.stringMatching(/^local:[0-9a-f]{16}$/), name: 'secret-client' });
  });
});

let server: FakeTeamServer | undefined;
let machine: Awaited<ReturnType<typeof startMachine>> | undefined;
afterEach(async () => {
  await machine?.remove();
  server?.close();
});

/** Every text that a record can have, marked with where it is from. */
const marked = (n: number, mark: string, repo: string | null, session = mark) =>
  event(n, {
    ...{
      event: 'pre_tool_use' as const,
      session: `ref-${session}`,
      cwd: repo ?? '/',
      repo,
      branch: `branch-${mark}`,
      model: `model-${mark}`,
    },
    ...{ prompt: `prompt ${mark}`, text: `text ${mark}`, agentId: `sub-${mark}`, payload: { said: `payload ${mark}` } },
    tool: { command: `run ${mark}`, files: [`${repo}/${mark}.txt`], name: 'Bash' },
  });

const allSent = async (count: number): Promise<void> => {
  await vi.waitFor(
    () => expect([...(server?.records.values() ?? [])].filter(({ type }) => type === 'piton.event.v1')).toHaveLength(count),
    {
      timeout: 20_000,
      interval: 20,
    },
  );
};
const everything = (): string => JSON.stringify(server?.calls);

it('of a repository that was not named nothing leaves, whatever it is called', async () => {
  server = await startTeamServer({ wantsBodies: true });
  machine = await startMachine(server, { bodies: true, repositories: ['github.com/team/*'], remotes: REMOTES });
  await machine.store.record([
    marked(1, 'mine', '/w/app'),
    marked(2, 'theirs', '/w/other'),
    marked(3, 'theirs', null),
    // A session that began elsewhere comes into ours, and brings a hook along.
    {
      ...marked(4, 'mine', '/w/app', 'theirs'),
      outcome: redactor.value({
        ...{ decision: { decision: 'observe' as const, verdict: 'observe' as const }, delivered: [] },
        trace: [
          {
            hook: 'project:theirs',
            scope: 'project' as const,
            event: 'pre_tool_use' as const,
            did: 'skipped' as const,
            why: 'no-match' as const,
          },
        ],
      }),
    },
    // Ours writes into theirs.
    {
      ...marked(5, 'mine', '/w/app'),
      tool: redactor.value({
        name: 'Edit',
        nativeName: 'Edit',
        kind: 'edit' as const,
        useId: null,
        command: null,
        files: ['/w/other/theirs.txt'],
      }),
    },
  ]);
  machine.start();
  await allSent(3);
  await machine.stop();
  expect(everything()).toContain('payload mine');
  expect(everything()).not.toContain('theirs');
  expect(everything()).not.toContain('/w/other');
});

it.each([
  [false, false],
  [true, false],
  [false, true],
])('without the consent of both no text leaves: person %j, team %j', async (person, team) => {
  server = await startTeamServer({ wantsBodies: team });
  machine = await startMachine(server, { bodies: person });
  await machine.store.record([marked(1, 'mine', '/w/app')]);
  machine.start();
  await allSent(1);
  await machine.stop();
  for (const text of ['prompt', 'text', 'payload', 'run', '/w/app']) expect(everything()).not.toContain(`${text} mine`);
  expect([...server.records.values()].flatMap(({ data }) => ('withheld' in data ? [data.withheld] : []))).toContain('consent');
});

it('with the consent of both a body that is too large stays, and its record leaves', async () => {
  server = await startTeamServer({ wantsBodies: true });
  machine = await startMachine(server, { bodies: true });
  await machine.store.record([marked(1, 'small', '/w/app'), event(2, { payload: { long: 'word '.repeat(300_000) } })]);
  machine.start();
  await allSent(2);
  const bodies = [...server.records.values()].flatMap((one) =>
    one.type === 'piton.event.v1' ? [[one.data.body?.prompt ?? null, one.data.withheld]] : [],
  );
  expect(bodies).toEqual([
    ['prompt small', null],
    [null, 'too-large'],
  ]);
});

it('of what was recorded before the person agreed no text leaves, also not in a later version of its session', async () => {
  server = await startTeamServer({ wantsBodies: true });
  const [before, after] = [marked(1, 'before', '/w/app', 'same'), marked(9, 'after', '/w/app', 'same')];
  machine = await startMachine(server, { bodies: true, agreedUs: Number(after.wallUs) });
  await machine.store.record([before, after]);
  machine.start();
  await allSent(2);
  await machine.stop();
  expect(everything()).toContain('prompt after');
  for (const text of ['prompt', 'text', 'payload', 'run']) expect(everything()).not.toContain(`${text} before`);
});
