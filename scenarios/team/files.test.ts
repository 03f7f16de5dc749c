import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type FakeTeamServer, startTeamServer } from '../../apps/cli/test/team/team-server.ts';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

interface Problem {
  readonly id: string;
  readonly stops: boolean;
  readonly where: string;
  readonly remedy: string;
}
interface Status {
  readonly joined: object | null;
  readonly sender: number | null;
  readonly problem: { readonly why: string } | null;
  readonly records: number;
  readonly files: readonly Problem[];
  readonly sent: readonly { readonly number: number }[];
}

/** What happens to a file. Root may read what is closed to anybody else, so a link that leads to itself stands for it. */
const DAMAGE: Readonly<Record<string, (file: string) => void>> = {
  missing: () => {},
  empty: (file) => writeFileSync(file, '', { mode: 0o600 }),
  broken: (file) => writeFileSync(file, '{"version":1,\u0000\ufffd', { mode: 0o600 }),
  'of another form': (file) => writeFileSync(file, '{"version":1,"problem":5,"position":"x"}\n', { mode: 0o600 }),
  unreadable: (file) => symlinkSync(file, file),
  'a folder': (file) => mkdirSync(file),
};
const FILES = { 'key.pem': 'key.pem', 'state.json': 'state.json', 'sent.jsonl': 'sent.jsonl', 'a kept upload': 'sent/1.json.gz' } as const;
const REJOIN = /piton team leave/;

describe('every file of a machine that is in a team', () => {
  let server: FakeTeamServer;
  let box: Sandbox;
  let work: string;
  beforeAll(async () => {
    server = await startTeamServer();
    box = sandbox();
    work = box.repository();
    await box.piton(['init', '--agent', 'claude']);
    await fire(box, claude.start('one', work));
    await join_();
  }, 60_000);
  afterAll(async () => {
    await box?.end();
    server?.close();
  }, 60_000);

  const file = (name: string): string => join(box.state, 'team', name);
  const status = () => box.json<Status>(['team', 'status']);
  const join_ = () => box.piton(['team', 'join', `${server.url}/#good-code`, '--yes']);
  const recorded = async (): Promise<readonly string[]> =>
    (await box.json<readonly { eventId: string }[]>(['events', 'list', '--limit', '1000'])).map(({ eventId }) => eventId).sort();
  /** An event that is sent again in a later version is the same one. */
  const received = (): readonly string[] => [
    ...new Set([...server.records.values()].flatMap((one) => (one.type === 'piton.event.v1' ? [one.data.eventId] : []))),
  ];
  /** Everything that is recorded has arrived, and nothing of it twice. */
  const arrived = async (): Promise<void> => {
    const isThere = async (): Promise<boolean> => {
      const there = new Set(received());
      return (await recorded()).every((id) => there.has(id));
    };
    expect(await eventually(isThere)).toBe(true);
    expect(server.doubled()).toBe(0);
  };
  let events = 0;
  const work_ = (): Promise<string> => fire(box, claude.prompt('one', work, `prompt ${++events}`));
  const leaveAndJoin = async (): Promise<void> => {
    expect((await box.piton(['team', 'leave', '--yes'])).code).toBe(0);
    expect(existsSync(join(box.state, 'team'))).toBe(false);
    expect((await join_()).code).toBe(0);
  };
  /** The remedy, as it was said. */
  async function mend({ remedy }: Problem): Promise<void> {
    if (REJOIN.test(remedy)) return leaveAndJoin();
    if (!remedy.startsWith('nothing to do')) execFileSync('/bin/sh', ['-c', remedy]);
  }

  const cases = Object.keys(FILES).flatMap((name) => Object.keys(DAMAGE).map((damage) => [name, damage] as const));
  it.each(cases)(
    '%s %s: is said, nothing leaves that could not be shown, nothing is lost, and the remedy works',
    async (name, damage) => {
      await work_();
      await arrived();
      const broken = file(FILES[name as keyof typeof FILES]);
      if (name === 'a kept upload') mkdirSync(join(broken, '..'), { recursive: true });
      const before = received().length;
      rmSync(broken, { recursive: true, force: true });
      DAMAGE[damage]?.(broken);

      const seen = await status();
      const about = seen.files.filter(({ where }) => where === broken);
      // What is kept of an upload may be gone: then it is said of the upload.
      if (name === 'a kept upload' && damage === 'missing') {
        expect(about).toEqual([]);
        return;
      }
      expect(about).toHaveLength(1);
      const [found] = about as [Problem];
      const text = (await box.piton(['team', 'status'])).stdout.replace(/\s+/g, '');
      expect(text).toContain(broken);
      expect(text).toContain(found.remedy.replace(/\s+/g, ''));
      const { findings } = await box.json<{ findings: readonly Problem[] }>(['doctor']);
      expect(findings).toContainEqual(expect.objectContaining({ where: broken, remedy: found.remedy }));

      if (found.stops) {
        await eventually(async () => (await status()).problem?.why === 'files' || damage === 'a folder');
        await work_();
        await recorded();
        expect(received()).toHaveLength(before);
        await mend(found);
      } else {
        await mend(found);
        await work_();
      }
      await arrived();
      expect(await eventually(async () => (await status()).files.length === 0 && (await status()).problem === null)).toBe(true);
      // No upload took the number of another, and what left can be shown.
      const { sent } = await status();
      expect(new Set(sent.map(({ number }) => number)).size).toBe(sent.length);
      const last = await box.piton(['team', 'status', '--what', String(sent.at(-1)?.number)]);
      expect(server.batches).toContain(last.stdout);
    },
    60_000,
  );

  it.each(Object.keys(DAMAGE))(
    'membership.json %s: nothing leaves, status and doctor say so, and leaving works',
    async (damage) => {
      await work_();
      await arrived();
      const { sender } = await status();
      expect(sender).not.toBeNull();
      rmSync(file('membership.json'));
      DAMAGE[damage]?.(file('membership.json'));
      const said = await box.piton(['team', 'status']);
      expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('cannot read which team') });
      expect(said.stderr).toMatch(REJOIN);
      expect((await box.piton(['doctor'])).stdout).toMatch(REJOIN);
      expect((await join_()).stderr).toMatch(REJOIN);
      // The sender has seen it, too.
      expect(await eventually(() => !existsSync(`/proc/${sender}`))).toBe(true);
      const before = received().length;
      await work_();
      expect(received()).toHaveLength(before);
      await leaveAndJoin();
      await arrived();
    },
    60_000,
  );

  it('a limit that is set in membership.json holds from the next record on', async () => {
    const membership = JSON.parse(readFileSync(file('membership.json'), 'utf8')) as { repositories: string[] };
    writeFileSync(file('edited'), JSON.stringify({ ...membership, repositories: ['github.com/nobody/nothing'] }));
    renameSync(file('edited'), file('membership.json'));
    const before = received().length;
    expect(await eventually(async () => (await status()).sender !== null)).toBe(true);
    await work_();
    await work_();
    const { scanned } = await box.json<{ scanned: number }>(['team', 'status']);
    expect(await eventually(async () => (await box.json<{ scanned: number }>(['team', 'status'])).scanned > scanned)).toBe(true);
    expect(received()).toHaveLength(before);
    await leaveAndJoin();
    await arrived();
  }, 60_000);

  it('a key that others may read is named, and everything goes on', async () => {
    chmodSync(file('key.pem'), 0o644);
    const { files } = await status();
    expect(files).toMatchObject([{ id: 'team.key-open', stops: false }]);
    await mend(files[0] as Problem);
    expect((await status()).files).toEqual([]);
    await work_();
    await arrived();
    expect(readdirSync(join(box.state, 'team')).sort()).toContain('membership.json');
  }, 60_000);
});
