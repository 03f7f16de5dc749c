import { readdirSync } from 'node:fs';
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
