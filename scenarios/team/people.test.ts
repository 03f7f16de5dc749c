import { existsSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { userInfo } from 'node:os';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postgresHere } from '../../scripts/postgres.mjs';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { teamStage } from './setup.ts';

const { Client } = createRequire(new URL('../../packages/store/package.json', import.meta.url))('pg') as {
  readonly Client: new (options: {
    connectionString: string;
  }) => { connect(): Promise<void>; query(sql: string): Promise<{ rows: Record<string, unknown>[] }>; end(): Promise<void> };
};

const name = 'machines and people of a team, as its admin has them';
if (postgresHere() === undefined) console.log(`skipped, for want of PostgreSQL (node scripts/postgres.mjs): ${name}`);

describe.skipIf(postgresHere() === undefined)(name, () => {
  let stage: Awaited<ReturnType<typeof teamStage>>;
  let box: Sandbox;
  let work: string;
  beforeAll(async () => {
    stage = await teamStage(1);
    box = sandbox();
    work = box.repository();
    await box.piton(['init', '--agent', 'claude']);
    await fire(box, claude.start('one', work));
    await fire(box, claude.prompt('one', work, 'before-anybody-agreed'));
    await join_();
  }, 60_000);
  afterAll(async () => {
    await box?.end();
    await stage?.end();
  }, 60_000);

  const admin = () => ({ env: { ...stage.env, HOME: box.home, PITON_ALLOW_UNDER_AGENT: '1' } });
  const command = (...words: readonly string[]) => box.piton(['team', ...words], admin());
  const asked = <T>(...words: readonly string[]) => box.json<T>(['team', ...words], admin());
  async function join_(): Promise<void> {
    const { code } = await asked<{ code: string }>('code', stage.tenant, '--person', 'Anna');
    expect(await box.piton(['team', 'join', `${stage.url}/#${code}`, '--name', 'box', '--yes'])).toMatchObject({ code: 0 });
  }
  async function sql(text: string): Promise<Record<string, unknown>[]> {
    const client = new Client({ connectionString: stage.owner });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  }
  const stored = async (): Promise<number> => Number((await sql(`SELECT count(*) AS n FROM piton.changes WHERE kind = 'event'`))[0]?.n);
  const bodies = async (): Promise<number> => Number((await sql('SELECT count(*) AS n FROM piton.bodies'))[0]?.n);
  const all = async (): Promise<string> => JSON.stringify(await sql('SELECT * FROM piton.people, piton.machines, piton.person_keys'));

  it('what the team wants of prompts leaves once its person has agreed to that, and only what comes then', async () => {
    expect(await eventually(async () => (await stored()) >= 2)).toBe(true);
    const status = async (): Promise<string> => (await box.piton(['team', 'status'])).stdout.replace(/\s+/g, ' ');
    expect(await status()).toContain('the team does not want them');
    expect((await box.piton(['team', 'consent', '--yes'])).stderr).toContain('the team does not want');
    expect((await command('bodies', stage.tenant, 'on', '--dry-run')).stdout).toContain('piton team consent');
    expect(await asked('bodies', stage.tenant)).toMatchObject({ bodies: false });
    expect((await command('bodies', stage.tenant, 'on')).code).toBe(1); // nobody said yes
    expect(await command('bodies', stage.tenant, 'on', '--yes')).toMatchObject({ code: 0 });

    await fire(box, claude.prompt('one', work, 'while-only-the-team-agreed'));
    expect(await eventually(async () => (await stored()) >= 3)).toBe(true);
    expect(await bodies()).toBe(0);
    expect((await box.piton(['team', 'consent', '--dry-run'])).stdout).toContain('Team One');
    expect(await box.piton(['team', 'consent', '--yes'])).toMatchObject({ code: 0, stdout: expect.stringContaining('from now on') });
    await fire(box, claude.prompt('one', work, 'once-both-agreed'));
    expect(await eventually(async () => (await bodies()) > 0)).toBe(true);
    expect(await status()).toContain('you and the team agreed');

    // Off and on again: each is asked again.
    for (const wish of ['off', 'on']) expect((await command('bodies', stage.tenant, wish, '--yes')).code).toBe(0);
    const before = await bodies();
    const events = await stored();
    await fire(box, claude.prompt('one', work, 'after-it-was-asked-anew'));
    expect(await eventually(async () => (await stored()) > events)).toBe(true);
    expect(await bodies()).toBe(before);
    expect(await box.piton(['team', 'consent', '--yes'])).toMatchObject({ code: 0 });
    await fire(box, claude.prompt('one', work, 'agreed-anew'));
    expect(await eventually(async () => (await bodies()) > before)).toBe(true);
    expect(await box.piton(['team', 'consent', '--withdraw', '--yes'])).toMatchObject({ code: 0 });
    const last = await bodies();
    const then = await stored();
    await fire(box, claude.prompt('one', work, 'after-it-was-taken-back'));
    expect(await eventually(async () => (await stored()) > then)).toBe(true);
    expect(await bodies()).toBe(last);
  }, 90_000);

  it('all that is known of a person is written to a file that nobody else can read', async () => {
    const file = join(box.home, 'anna.jsonl');
    expect((await command('person', 'export', stage.tenant, 'Anna', '--output', file, '--dry-run')).stdout).toContain(file);
    expect((await command('person', 'export', stage.tenant, 'Nobody', '--output', file, '--yes')).stderr).toContain('no person');
    // Half of what is known is worse than nothing: a failed one leaves no file, and the next goes on without a word.
    await sql('ALTER TABLE piton.changes RENAME TO changes_elsewhere');
    expect(await command('person', 'export', stage.tenant, 'Anna', '--output', file, '--yes')).toMatchObject({ code: 1 });
    expect(existsSync(file)).toBe(false);
    await sql('ALTER TABLE piton.changes_elsewhere RENAME TO changes');
    expect(await command('person', 'export', stage.tenant, 'Anna', '--output', file, '--yes')).toMatchObject({ code: 0 });
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const text = readFileSync(file, 'utf8');
    for (const there of ['Anna', 'box', 'once-both-agreed', 'agreed-anew']) expect(text).toContain(there);
    for (const never of ['before-anybody-agreed', 'while-only', 'asked-anew', 'taken-back']) expect(text).not.toContain(never);
    const [first, ...records] = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, unknown>);
    expect(Object.keys(first ?? {})).toEqual(['person', 'machines']);
    expect(records).toHaveLength(Number((await sql('SELECT count(*) AS n FROM piton.changes'))[0]?.n));
    expect((await command('person', 'export', stage.tenant, 'Anna', '--output', file, '--yes')).stderr).toContain('is there already');
  }, 60_000);

  it('an ended machine hears it, sends nothing more, and what it sent stays', async () => {
    expect((await command('end', stage.tenant, 'box', '--dry-run')).stdout).toContain('would end box');
    expect((await command('end', stage.tenant, 'nobody', '--yes')).stderr).toContain('no machine');
    const before = await stored();
    expect(await command('end', stage.tenant, 'box', '--yes')).toMatchObject({ code: 0, stdout: expect.stringContaining('box is ended') });
    await fire(box, claude.prompt('one', work, 'after the end'));
    const status = () => box.json<{ problem: { why: string } | null }>(['team', 'status']);
    expect(await eventually(async () => (await status()).problem?.why === 'machine')).toBe(true);
    expect((await box.piton(['team', 'status'])).stdout.replace(/\s+/g, ' ')).toContain('the team has ended this machine');
    expect((await box.piton(['doctor'])).stdout.replace(/\s+/g, ' ')).toContain('the team has ended this machine');
    expect(await stored()).toBe(before);
    expect((await command('end', stage.tenant, 'box', '--yes')).stdout).toContain('has left');
    expect(await box.piton(['team', 'leave', '--yes'])).toMatchObject({
      code: 0,
      stdout: expect.not.stringContaining('could not be told'),
    });
    await join_();
    expect(await eventually(async () => (await stored()) > before)).toBe(true);
  }, 90_000);

  it('a role is shown and changed, and the last admin stays one', async () => {
    const role = (...words: readonly string[]) => command('person', 'role', stage.tenant, ...words);
    const people = async (): Promise<unknown> =>
      (await asked<readonly { name: string; role: string }[]>('person', 'list', stage.tenant)).map(({ name, role: is }) => [name, is]);
    expect((await role('Anna')).stdout).toContain('Anna is a member');
    for (const last of [await role('Ada', 'member', '--yes'), await command('person', 'delete', stage.tenant, 'Ada', '--yes')])
      expect(last).toMatchObject({ code: 2, stderr: expect.stringContaining('would have no admin') });
    expect((await role('Anna', 'admin', '--dry-run')).stdout).toContain('would make Anna an admin');
    expect((await role('Anna', 'admin')).code).toBe(1); // nobody said yes
    expect(await people()).toEqual(
      expect.arrayContaining([
        ['Ada', 'admin'],
        ['Anna', 'member'],
      ]),
    );
    expect((await role('Anna', 'admin', '--yes')).stdout).toContain('Anna is an admin from now on');
    expect(await asked('person', 'role', stage.tenant, 'Ada', 'auditor', '--yes')).toMatchObject({ role: 'auditor', changed: true });
    expect(await asked('person', 'role', stage.tenant, 'Ada', 'admin', '--yes')).toMatchObject({ role: 'admin', changed: true });
    expect((await role('Anna', 'owner')).code).toBe(2);
  }, 60_000);

  it('of a deleted person stays no name, no key and no text', async () => {
    expect((await command('person', 'delete', stage.tenant, 'Anna', '--dry-run')).stdout).toContain('A backup');
    expect(await all()).toContain('Anna');
    expect(await command('person', 'delete', stage.tenant, 'Anna', '--yes')).toMatchObject({ code: 0 });
    const left = await all();
    for (const gone of ['Anna', '"box"']) expect(left).not.toContain(gone);
    expect(await sql('SELECT * FROM piton.person_keys')).toEqual([]);
    expect(await asked<readonly { name: string }[]>('person', 'list', stage.tenant)).toMatchObject([{ name: 'Ada' }, { name: 'deleted' }]);
  }, 60_000);

  it('the log of it all is whole, names nobody, and says which entry was changed or is missing', async () => {
    const entries = await asked<readonly { number: number; action: string; hash: string }[]>('audit', 'list', stage.tenant);
    expect(entries.map(({ action }) => action)).toEqual([
      ...[
        'bodies.on',
        'bodies.off',
        'bodies.on',
        'person.exported',
        'person.exported',
        'machine.ended',
        'person.role',
        'person.role',
        'person.role',
        'person.deleted',
      ],
    ]);
    for (const word of ['Anna', 'Ada', '"box', `"${userInfo().username}`]) expect(JSON.stringify(entries)).not.toContain(word);
    const whole = await asked<{ ok: boolean; head: string }>('audit', 'verify', stage.tenant);
    expect(whole).toMatchObject({ ok: true, entries: 10, head: entries.at(-1)?.hash });
    const early = entries[2]?.hash ?? '';
    expect((await command('audit', 'verify', stage.tenant, '--head', early)).code).toBe(0);
    expect(await command('audit', 'verify', stage.tenant, '--head', 'f'.repeat(64))).toMatchObject({
      ...{ code: 1, stderr: expect.stringContaining('the end was cut off') },
    });

    const change = (text: string) =>
      sql(`ALTER TABLE piton.audit DISABLE TRIGGER only_appends; ${text}; ALTER TABLE piton.audit ENABLE TRIGGER only_appends`);
    await change(`DELETE FROM piton.audit WHERE number = 10`);
    expect((await command('audit', 'verify', stage.tenant)).code).toBe(0);
    expect((await command('audit', 'verify', stage.tenant, '--head', whole.head)).code).toBe(1);
    await change(`UPDATE piton.audit SET actor = 'somebody else' WHERE number = 4`);
    const changed = await command('audit', 'verify', stage.tenant);
    expect(changed).toMatchObject({ code: 1, stderr: expect.stringContaining('entry 4 was changed') });
    // What it says to do can be done, and shows the entry and the one before it.
    const remedy = /piton team (audit list \S+ --after \d+)/.exec(changed.stderr)?.[1]?.split(' ') ?? [];
    expect((await asked<readonly { number: number }[]>(...remedy)).map(({ number }) => number)).toEqual([3, 4, 5, 6, 7, 8, 9]);
    await change('DELETE FROM piton.audit WHERE number = 2');
    const broken = await command('audit', 'verify', stage.tenant, '--json');
    expect(broken.code).toBe(1);
    expect(JSON.parse(broken.stdout)).toMatchObject({ ok: false, number: 2 });
  }, 60_000);
});
