import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import type {
  PageHook,
  PageItem,
  PageLanes,
  PageList,
  PageOverview,
  PageRepository,
  PageSession,
  PageTree,
  PageTurn,
} from '@piton/contracts/page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page } from './browser.ts';

let box: Sandbox;
let work: string;
let page: Page;
let repository: string;
const HOOK = '#!/bin/sh\nexit 0\n';

beforeAll(async () => {
  box = sandbox();
  work = box.repository();
  const git = (...args: string[]): string =>
    execFileSync('git', ['-c', 'user.name=Me', '-c', 'user.email=me@example.org', ...args], { cwd: work, env: box.env, encoding: 'utf8' });
  for (const name of ['kept.txt', 'deleted.txt', 'folder/deep.txt']) box.write(join(work, name), 'mine\n');
  box.write(join(work, '.gitignore'), 'ignored.txt\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Mine');
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
  box.write(join(work, '.piton/hooks/pre_tool_use/10-of-this-project'), HOOK, 0o755);
  box.write(join(box.config, 'hooks/pre_tool_use/10-mine'), HOOK, 0o755);
  await fire(box, claude.start('one', work));
  await fire(box, claude.prompt('one', work, 'write the marmot'));
  const write = {
    ...claude.shell('one', work, '', 'toolu_1'),
    tool_name: 'Write',
    tool_input: { file_path: join(work, 'new.txt'), content: 'x\n' },
  };
  await fire(box, write);
  box.write(join(work, 'new.txt'), 'x\n');
  await fire(box, { ...write, hook_event_name: 'PostToolUse' });
  git('add', 'new.txt');
  git('commit', '-q', '-m', 'Add the marmot');
  await fire(box, claude.stop('one', work));
  // Piton was set up while this one was at work: nobody heard its prompt.
  const began = claude.shell('two', work, 'make', 'toolu_2');
  await fire(box, began);
  await fire(box, { ...began, hook_event_name: 'PostToolUse' });
  await box.piton(['checkpoints'], { cwd: work });
  box.write(join(work, 'untracked é.txt'), 'y\n');
  box.write(join(work, 'folder/beside.txt'), 'y\n');
  box.write(join(work, 'ignored.txt'), 'y\n');
  rmSync(join(work, 'deleted.txt'));
  page = await openPage(box, [], { cwd: work });
  repository = (await page.get<PageList<PageRepository>>('/api/repositories')).items[0]?.id ?? '';
});
afterAll(async () => {
  await page?.stop();
  await box?.end();
});

it('draws the commit of a session in its lane', async () => {
  const { lanes } = await page.get<PageLanes>('/api/lanes');
  const marks = lanes.find(({ session }) => session.title === 'write the marmot')?.marks ?? [];
  expect(marks).toMatchObject([{ kind: 'commit', label: expect.stringContaining('Add the marmot') }]);
});

it('counts the commit in its session and in its turn', async () => {
  const { items } = await page.get<PageList<PageSession>>('/api/sessions');
  const session = items.find(({ title }) => title === 'write the marmot');
  expect(session?.commits).toBe(1);
  const turns = await page.get<PageList<PageTurn>>(`/api/sessions/${session?.id}/turns`);
  expect(turns.items.map(({ commits }) => commits)).toEqual([1]);
});

it('shows what was done in a session whose prompt nobody heard', async () => {
  const { items } = await page.get<PageList<PageSession>>('/api/sessions');
  const id = items.find(({ title }) => title === null)?.id ?? '';
  const turns = await page.get<PageList<PageTurn>>(`/api/sessions/${id}/turns`);
  const lines = await Promise.all(
    turns.items.map(({ number }) => page.get<PageList<PageItem>>(`/api/sessions/${id}/items?turn=${number}`)),
  );
  const calls = lines.flatMap((line) => line.items).filter((item) => item.kind === 'tool');
  expect(calls).toMatchObject([{ command: { text: 'make' } }]);
});

describe('hooks', () => {
  it('of every repository are listed, each once, those of the person first', async () => {
    const { items } = await page.get<PageList<PageHook>>('/api/hooks');
    const listed = items.filter(({ builtIn }) => !builtIn).map(({ name, scope, root }) => [name, scope, root]);
    expect(listed).toEqual([
      [expect.stringContaining('10-mine'), 'user', null],
      [expect.stringContaining('10-of-this-project'), 'project', work],
    ]);
  });

  it('of one repository are listed alone', async () => {
    const { items } = await page.get<PageList<PageHook>>(`/api/hooks?repository=${repository}`);
    expect(items.filter(({ scope }) => scope === 'project').map(({ root }) => root)).toEqual([work]);
  });
});

describe('the tree without a moment', () => {
  const namesIn = async (path: string) => {
    const { entries } = await page.get<PageTree>(`/api/repositories/${repository}/tree?path=${path}`);
    return entries.map(({ name, kind, changed }) => [name, kind, changed]);
  };

  it('is that of the working tree: with what is in no commit, without what was deleted', async () => {
    expect(await namesIn('')).toEqual([
      ['.piton', 'folder', true],
      ['folder', 'folder', true],
      ['.gitignore', 'file', false],
      ['kept.txt', 'file', false],
      ['new.txt', 'file', false],
      ['untracked é.txt', 'file', true],
    ]);
  });

  it('also below a folder', async () => {
    expect(await namesIn('folder')).toEqual([
      ['beside.txt', 'file', true],
      ['deep.txt', 'file', false],
    ]);
  });
});

describe('days', () => {
  const dayIn = (zone: string): string => new Intl.DateTimeFormat('en-CA', { timeZone: zone }).format(new Date());

  it.each(['Pacific/Kiritimati', 'Pacific/Pago_Pago', 'Asia/Kathmandu'])('are those of who looks, in %s', async (zone) => {
    const before = dayIn(zone);
    const { days, totals } = await page.get<PageOverview>(`/api/overview?days=3&zone=${encodeURIComponent(zone)}`);
    expect([before, dayIn(zone)]).toContain(days.at(-1)?.day);
    expect(totals.tools).toBe(2);
    expect(days.reduce((sum, { tools }) => sum + tools, 0)).toBe(2);
  });

  it.each(['Nowhere/At_All', '', 'x'.repeat(5000)])('of a zone that is none (%#) are refused', async (zone) => {
    await expect(page.get(`/api/overview?zone=${zone}`)).rejects.toThrow('400');
  });
});
