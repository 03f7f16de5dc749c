import { chmodSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresHere } from '../../scripts/postgres.mjs';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { teamStage } from './setup.ts';

const name = 'one machine of a team';
if (postgresHere() === undefined) console.log(`skipped, for want of PostgreSQL (node scripts/postgres.mjs): ${name}`);

interface Status {
  readonly joined: { readonly repositories: readonly string[] } | null;
  readonly problem: unknown;
  readonly sent: readonly { readonly number: number; readonly records: number }[];
}

describe.skipIf(postgresHere() === undefined)(name, () => {
  let stage: Awaited<ReturnType<typeof teamStage>>;
  let box: Sandbox;
  let shown: string;
  let hidden: string;
  beforeAll(async () => {
    stage = await teamStage(1);
    box = sandbox();
    [shown, hidden] = [box.repository('shown-work'), box.repository('hidden-work')];
    await box.piton(['init', '--agent', 'claude']);
    for (const [session, cwd] of [
      ['one', shown],
      ['two', hidden],
    ] as const)
      for (const payload of [
        claude.start(session, cwd),
        claude.prompt(session, cwd, `a prompt of ${session}`),
        claude.shell(session, cwd, `command-of-${session}`, `call-${session}`),
        claude.stop(session, cwd),
      ])
        await fire(box, payload);
  }, 60_000);
  afterAll(async () => {
    await box?.end();
    await stage?.end();
  }, 60_000);

  const state = (): string[] => readdirSync(box.state).sort();
  const status = () => box.json<Status>(['team', 'status']);
  const machines = () =>
    box.json<readonly { leftAt: string | null }[]>(['team', 'machines', stage.tenant], { env: { ...stage.env, HOME: box.home } });
  async function joinWith(...more: readonly string[]) {
    const own = stage.store.tenant(stage.tenant);
    const [person] = await own.people();
    const code = await own.makeJoinCode({ person: person?.id ?? '', seconds: 60 });
    return box.piton(['team', 'join', `${stage.url}/#${code}`, ...more]);
  }

  it('joins, reports what was named and nothing else, shows every byte of it, and leaves without a trace', async () => {
    const before = state();
    expect((await status()).joined).toBeNull();
    expect(await joinWith('--repo', shown, '--dry-run')).toMatchObject({ code: 0, stdout: expect.stringContaining('shown-work') });
    expect(state()).toEqual(before);

    expect(await joinWith('--repo', shown, '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('joined Team One') });
    expect((await joinWith('--yes')).stderr).toContain('piton team leave');
    expect(await eventually(async () => (await status()).sent.some(({ records }) => records > 0))).toBe(true);

    const { sent } = await status();
    const left = await Promise.all(sent.map(({ number }) => box.piton(['team', 'status', '--what', String(number)])));
    const bytes = left.map(({ stdout }) => stdout).join('\n');
    expect(bytes).toContain('shown-work');
    for (const kept of ['hidden-work', 'a prompt of', 'command-of', box.home.split('/').at(-1)]) expect(bytes).not.toContain(kept);
    expect((await machines()).map(({ leftAt }) => leftAt)).toEqual([null]);

    expect(await box.piton(['team', 'leave', '--dry-run'])).toMatchObject({ code: 0 });
    expect((await status()).joined).not.toBeNull();
    expect(await box.piton(['team', 'leave', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('left Team One') });
    expect(state()).toEqual(before);
    expect((await status()).joined).toBeNull();
    expect((await machines()).filter(({ leftAt }) => leftAt === null)).toEqual([]);
  }, 60_000);

  it('is asked to confirm by a command that keeps every limit, and hears that nobody answers', async () => {
    const address = `${stage.url}/#a-code`;
    const asked = await box.piton(['team', 'join', address, '--repo', '/a b', '--repo', 'github.com/team/*', '--name', "it's mine"]);
    expect(asked).toMatchObject({ code: 1, stderr: expect.stringContaining('fix: run') });
    expect(asked.stderr.replace(/\s+/g, ' ')).toContain(
      `team join '${address}' --repo '/a b' --repo 'github.com/team/*' --name 'it'\\''s mine' --yes`,
    );
    expect((await box.piton(['team', 'join', 'http://127.0.0.1:9/#x', '--yes'])).stderr).toContain('no team server answered');
  });

  it('gets no code that could not be used, and the admin no command that does more than it says', async () => {
    const env = { ...stage.env, HOME: box.home };
    const nobody = '00000000-0000-4000-8000-000000000000';
    for (const [words, why] of [
      [['nonsense', '--person', 'A'], 'not the id of a tenant'],
      [[nobody, '--person', 'A'], 'no such tenant'],
      [[stage.tenant, '--person', ' '], '--person must not be empty'],
      [[stage.tenant, '--person', 'A', '--minutes', '99999999'], '--minutes may be'],
      [[stage.tenant, '--person', 'A', '--url', 'nonsense'], 'is no address'],
      [[stage.tenant, '--person', 'A', '--url', 'https://team.example/x?y'], 'no question mark'],
    ] as const) {
      const said = await box.piton(['team', 'code', ...words], { env });
      expect([words, said.code === 0, said.stdout, said.stderr]).toEqual([words, false, '', expect.stringContaining(why)]);
      expect(said.stderr).not.toContain('does not answer');
    }
    const made = await box.json<{ command: string; code: string }>(
      ['team', 'code', stage.tenant, '--person', 'A', '--url', 'https://team.example/'],
      { env },
    );
    expect(made.command).toBe(`piton team join 'https://team.example/#${made.code}'`);
    const { stdout } = await box.piton(['team', 'tenant', 'Two\nLines', '--admin', '$(touch /tmp/x)'], { env });
    expect(stdout.replace(/\s+/g, ' ')).toContain("--person '$(touch /tmp/x)'");
    expect(stdout).not.toContain('Two\n');
    const database = 'postgres://app@localhost:9/none';
    const away = await box.piton(['team', 'machines', stage.tenant, '--database', database], { env });
    expect(away).toMatchObject({ code: 1, stderr: expect.stringContaining('the database does not answer') });
  }, 60_000);

  it('takes no role that may see every team, and no secret that others may read', async () => {
    const env = { ...stage.env, HOME: box.home };
    const above = ['--database', stage.owner];
    for (const words of [
      ['serve', '--listen', '127.0.0.1:0'],
      ['tenant', 'Three', '--admin', 'A'],
      ['machines', stage.tenant],
    ]) {
      const said = await box.piton(['team', ...words, ...above], { env });
      expect([words, said.code, said.stdout]).toEqual([words, 1, '']);
      expect(said.stderr.replace(/\s+/g, ' ')).toContain('this role owns the tables or is above row-level security');
    }
    for (const words of [['maintain'], ['migrate']]) {
      const said = await box.piton(['team', ...words], { env });
      expect([words, said.code, said.stdout]).toEqual([words, 1, '']);
      expect(said.stderr.replace(/\s+/g, ' ')).toContain('does not own the tables');
    }
    const secret = box.write('team.secret', `${stage.env.PITON_TEAM_SECRET}\n`, 0o644);
    const withFile = ['team', 'machines', stage.tenant, '--secret-file', secret];
    const open = await box.piton(withFile, { env });
    expect(open).toMatchObject({ code: 1, stderr: expect.stringContaining('others may read') });
    chmodSync(secret, 0o600);
    expect((await box.piton(withFile, { env })).code).toBe(0);
  }, 60_000);

  it('names what is wrong with a join before it asks', async () => {
    box.repository('dir/x');
    for (const [words, why] of [
      [[stage.url], 'the code is missing'],
      [[`${stage.url}/#c`, '--repo', 'dir/x'], `--repo ${join(box.home, 'dir', 'x')}`],
      [[`${stage.url}/#c`, '--repo', 'team/app'], 'a remote begins with its host'],
      [[`${stage.url}/#c`, '--repo', '*'], 'neither a remote'],
      [[`${stage.url}/#c`, '--repo', '~/work'], 'neither a remote'],
    ] as const) {
      const said = await box.piton(['team', 'join', ...words]);
      expect([words, said.code, said.stdout]).toEqual([words, 2, '']);
      expect(said.stderr.replace(/\s+/g, ' ')).toContain(why);
    }
    const there = [shown, join(box.home, 'nowhere'), join(shown, '.git'), 'host:team/app', 'https://example.com/a', '*.example.com/a/*'];
    const said = await box.piton(['team', 'join', stage.url, ...there.flatMap((each) => ['--repo', each]), '--dry-run']);
    const text = said.stdout.replace(/\s+/g, ' ');
    expect(text).toContain('nowhere as it is now: there is no such directory');
    expect(text).toContain(`.git as it is now: it is a part of the repository ${shown}`);
    expect(text.match(/as it is now/g)).toHaveLength(2);
  });

  it('says in doctor that its server cannot be reached, and goes on recording', async () => {
    expect(await joinWith('--yes')).toMatchObject({ code: 0 });
    await Promise.all(stage.replicas.map((replica) => replica.end('SIGKILL')));
    await fire(box, claude.prompt('three', shown, 'later'));
    expect(await eventually(async () => (await status()).problem !== null)).toBe(true);
    expect((await box.piton(['doctor'])).stdout).toContain("the team's server takes nothing since");
    expect((await box.piton(['events', '--search', 'later'])).stdout).toContain('later');
    const said = await box.piton(['team', 'leave', '--yes']);
    expect(said).toMatchObject({ code: 0, stdout: expect.stringContaining('could not be told') });
    expect((await status()).joined).toBeNull();
  }, 60_000);
});
