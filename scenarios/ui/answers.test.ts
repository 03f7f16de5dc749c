import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import type {
  PageBacktest,
  PageCommit,
  PageDiff,
  PageEvent,
  PageFile,
  PageHealth,
  PageHits,
  PageHook,
  PageHookRun,
  PageItem,
  PageLanes,
  PageList,
  PageOverview,
  PageRepository,
  PageRepositoryDetail,
  PageSession,
  PageSessionDetail,
  PageStep,
  PageTree,
  PageTurn,
  PageWholeText,
} from '@piton/contracts/page';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page } from './browser.ts';

const LONG = `echo ${'long '.repeat(4000)}`;
const MARKUP = '<img src=x onerror=alert(1)>';

let box: Sandbox;
let work: string;
let page: Page;
let id: string;
let repository: string;
const git = (...args: string[]): string =>
  execFileSync('git', ['-c', 'user.name=Me', '-c', 'user.email=me@example.org', ...args], { cwd: work, encoding: 'utf8' }).trim();
const turned = <T extends object>(payload: T, hook_event_name: string, more: object = {}) =>
  ({ ...payload, ...more, hook_event_name }) as T & { hook_event_name: string; cwd: string };
const edit = (file: string, content: string, use: string) => ({
  ...claude.shell('one', work, '', use),
  tool_name: 'Write',
  tool_input: { file_path: join(work, file), content },
});

/** A day of one agent: our own truth for everything below. */
beforeAll(async () => {
  box = sandbox();
  work = box.repository();
  box.write(join(work, 'src/a.txt'), 'mine\n');
  git('add', '-A');
  git('commit', '-q', '-m', 'Mine');
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
  box.write(
    join(box.config, 'hooks/pre_tool_use/10-no-rm'),
    '#!/bin/sh\ngrep -q "rm -rf" && { echo "no rm here" >&2; exit 2; }\nexit 0\n',
    0o755,
  );
  await fire(box, claude.start('one', work));
  await fire(box, claude.prompt('one', work, `write the marmot ${MARKUP}`));
  const write = edit('src/b.txt', 'theirs\n', 'toolu_1');
  await fire(box, write);
  box.write(join(work, 'src/b.txt'), 'theirs\n');
  await fire(box, turned(write, 'PostToolUse', { tool_response: { filePath: 'src/b.txt', content: 'theirs\n' } }));
  await fire(box, claude.shell('one', work, 'rm -rf build', 'toolu_2'));
  const long = claude.shell('one', work, LONG, 'toolu_3');
  await fire(box, long);
  await fire(box, turned(long, 'PostToolUse', { tool_response: { stdout: MARKUP, stderr: '' } }));
  await fire(box, claude.stop('one', work));
  await fire(box, claude.prompt('one', work, 'again'));
  await fire(box, claude.stop('one', work));
  await box.piton(['checkpoints'], { cwd: work });
  page = await openPage(box, [], { cwd: work });
  const sessions = await page.get<PageList<PageSession>>('/api/sessions');
  id = sessions.items[0]?.id ?? '';
  repository = sessions.items[0]?.repository ?? '';
});
afterAll(async () => {
  await page.stop();
  await box.end();
});

it('lists the session with what was counted in it', async () => {
  const { items, next } = await page.get<PageList<PageSession>>('/api/sessions');
  expect([items.length, next]).toEqual([1, null]);
  expect(items[0]).toMatchObject({
    agent: 'claude',
    turns: 2,
    tools: 3,
    denials: 1,
    root: work,
    phase: 'idle',
    waiting: false,
    parent: null,
  });
  expect(items[0]?.title).toBe(`write the marmot ${MARKUP}`);
  expect((await page.get<PageList<PageSession>>('/api/sessions?agent=codex')).items).toEqual([]);
  expect((await page.get<PageList<PageSession>>('/api/sessions?denied=1&phase=idle')).items).toHaveLength(1);
});

it('has the session in full, with commands to copy', async () => {
  const detail = await page.get<PageSessionDetail>(`/api/sessions/${id}`);
  expect(detail.files).toEqual(['src/b.txt']);
  expect(detail.commands.map(({ does }) => does)).toEqual(['resume', 'handoff', 'export']);
  expect(detail.time.hooksMs).toBeGreaterThan(0);
});

it('has its turns, part by part, from either end', async () => {
  const all = await page.get<PageList<PageTurn>>(`/api/sessions/${id}/turns`);
  expect(all.items.map(({ number, tools, denials, closed }) => [number, tools, denials, closed])).toEqual([
    [1, 3, 1, 'stop'],
    [2, 0, 0, 'stop'],
  ]);
  expect(all.items[0]?.checkpoints.length).toBeGreaterThan(0);
  const first = await page.get<PageList<PageTurn>>(`/api/sessions/${id}/turns?limit=1&order=last`);
  expect(first.items.map(({ number }) => number)).toEqual([2]);
  const rest = await page.get<PageList<PageTurn>>(`/api/sessions/${id}/turns?limit=1&order=last&after=${first.next}`);
  expect([rest.items.map(({ number }) => number), rest.next]).toEqual([[1], null]);
});

describe('the line of a turn', () => {
  const items = (query = '') => page.get<PageList<PageItem>>(`/api/sessions/${id}/items?turn=1${query}`);

  it('has the prompt, each call with input and output, and checkpoints, in order of time', async () => {
    const { items: line } = await items();
    expect(line.map(({ at }) => at)).toEqual(line.map(({ at }) => at).sort((one, other) => one - other));
    expect(line.find(({ kind }) => kind === 'prompt')).toMatchObject({ text: { text: `write the marmot ${MARKUP}`, cut: 0, whole: null } });
    const tools = line.filter((item) => item.kind === 'tool');
    expect(tools.map(({ name, state }) => [name, state])).toEqual([
      ['Write', 'done'],
      ['Bash', 'denied'],
      ['Bash', 'done'],
    ]);
    expect(JSON.parse(tools[0]?.input?.text ?? '')).toEqual({ file_path: join(work, 'src/b.txt'), content: 'theirs\n' });
    expect(tools[2]?.output?.text).toBe(MARKUP);
    expect(line.some(({ kind }) => kind === 'checkpoint')).toBe(true);
  });

  it('has the decision with its trace, and the command that calls it wrong', async () => {
    const denied = (await items()).items.find((item) => item.kind === 'tool' && item.state === 'denied');
    expect(denied?.decision).toMatchObject({ decision: 'deny', reason: 'no rm here', by: ['user:pre_tool_use/10-no-rm'] });
    expect(denied?.decision?.trace.find(({ hook }) => hook.endsWith('10-no-rm'))).toMatchObject({
      did: 'ran',
      said: 'deny',
      exitCode: 2,
      stderr: { text: 'no rm here\n' },
    });
    expect(denied?.commands.map(({ does }) => does)).toEqual(['explain', 'wrong-deny']);
    expect(denied?.commands[1]?.command).toContain(`hooks explain ${denied?.event} --wrong`);
    const event = await page.get<PageEvent>(`/api/events/${denied?.event}`);
    expect(event).toMatchObject({ name: 'pre_tool_use', tool: { command: 'rm -rf build' }, decision: denied?.decision });
  });

  it('cuts what is long, and has the whole of it at another address', async () => {
    const tools = (await items()).items.filter((item) => item.kind === 'tool');
    const { command } = tools[2] ?? {};
    expect(command?.text.length).toBeLessThan(LONG.length);
    expect(command && command.text.length + command.cut).toBe(LONG.length);
    expect(await page.get<PageWholeText>(command?.whole ?? '')).toEqual({ text: LONG, cut: 0 });
  });

  it('is the same in parts', async () => {
    const all = (await items()).items.map((item) => item.id);
    const parts: string[] = [];
    for (let after = '', at = 0; at < all.length + 1; at += 1) {
      const part = await items(`&limit=2${after}`);
      parts.push(...part.items.map((item) => item.id));
      if (part.next === null) break;
      after = `&after=${part.next}`;
    }
    expect(parts).toEqual(all);
    expect(new Set(all).size).toBe(all.length);
  });
});

it('shows lanes with calls, the denial and the turns', async () => {
  const { lanes } = await page.get<PageLanes>('/api/lanes');
  expect(lanes).toHaveLength(1);
  expect(lanes[0]?.spans.map(({ kind, state }) => [kind, state])).toEqual([
    ['turn', 'done'],
    ['turn', 'done'],
    ['tool', 'done'],
    ['tool', 'denied'],
    ['tool', 'done'],
  ]);
  expect(lanes[0]?.marks.map(({ kind }) => kind)).toEqual(['denial']);
});

describe('the repository', () => {
  const at = <T>(path = '') => page.get<T>(`/api/repositories/${repository}${path}`);

  it('is listed, with its head and branch', async () => {
    const { items } = await page.get<PageList<PageRepository>>('/api/repositories');
    expect(items).toMatchObject([{ id: repository, root: work, sessions: 1, watched: true, missing: false }]);
    const detail = await at<PageRepositoryDetail>();
    expect(detail).toMatchObject({ head: git('rev-parse', 'HEAD'), branch: git('symbolic-ref', '--short', 'HEAD') });
    expect(detail.checkpoints).toBeGreaterThan(0);
    expect((await at<PageList<PageCommit>>('/commits')).items.map(({ subject, sha }) => [subject, sha])).toEqual([
      ['Mine', git('rev-parse', 'HEAD')],
    ]);
  });

  it('has a step for each checkpoint, a tree at each, and a diff between any two', async () => {
    const { items: steps } = await at<PageList<PageStep>>(`/steps?session=${id}`);
    const wrote = steps.find(({ files }) => files?.includes('src/b.txt'));
    expect(wrote).toMatchObject({ session: id, by: 'agent' });
    const tree = await at<PageTree>(`/tree?at=${wrote?.id}&path=src`);
    expect(tree.entries.map(({ name, changed }) => [name, changed])).toEqual([
      ['a.txt', false],
      ['b.txt', true],
    ]);
    expect((await at<PageTree>(`/tree?at=${wrote?.id}`)).entries.find(({ name }) => name === 'src')).toMatchObject({
      kind: 'folder',
      changed: true,
    });
    const diff = await at<PageDiff>(`/checkpoints/${wrote?.id}`);
    expect(diff.files).toMatchObject([
      { path: 'src/b.txt', change: 'added', added: 1, removed: 0, patch: { text: '@@ -0,0 +1 @@\n+theirs\n', cut: 0 } },
    ]);
    expect(diff.commands.map(({ does }) => does)).toEqual(['rewind', 'explain']);
    const back = await at<PageDiff>(`/diff?at=${git('rev-parse', 'HEAD')}&from=${wrote?.id}`);
    expect(back.files).toMatchObject([{ path: 'src/b.txt', change: 'deleted', removed: 1 }]);
  });

  it('says who wrote each line', async () => {
    const file = await at<PageFile>('/file?path=src/b.txt');
    expect(file.runs).toMatchObject([
      { by: 'agent', agent: 'claude', session: id, from: 1, lines: ['theirs'], prompt: `write the marmot ${MARKUP}` },
    ]);
    expect((await at<PageFile>('/file?path=src/a.txt')).runs).toMatchObject([{ by: 'human', lines: ['mine'] }]);
    expect((await at<PageFile>('/file?path=nothing')).why).toBe('missing');
  });

  it.each([
    '/tree?at=--output=x',
    '/tree?at=HEAD~1',
    '/diff?at=main:x',
    '/tree?at=HEAD&path=../..',
    '/file?path=../../etc/passwd',
    '/diff',
    '/checkpoints/01ARZ3NDEKTSV4RRFFQ69G5FAV',
    '/tree?at=ffffffffffffffff',
  ])('answers %s with what is wrong', async (path) => {
    const before = git('status', '--porcelain');
    await expect(at(path)).rejects.toThrow(/ (?:400|404) \{"problem":"(?:bad-request|not-found)"/);
    expect(git('status', '--porcelain')).toBe(before);
  });
});

it('lists hooks with what they did, and the calls behind the numbers', async () => {
  const { items } = await page.get<PageList<PageHook>>(`/api/hooks?repository=${repository}`);
  const hook = items.find(({ name }) => name.includes('no-rm'));
  expect(hook).toMatchObject({ scope: 'user', mode: 'enforce', runs: 3, failures: 0, said: { deny: 1, observe: 2 } });
  const runs = await page.get<PageList<PageHookRun>>(`/api/hooks/runs?hook=${encodeURIComponent(hook?.id ?? '')}&said=deny`);
  expect(runs.items).toMatchObject([{ what: 'rm -rf build', said: 'deny', session: id, stderr: { text: 'no rm here\n' } }]);
});

it('has what the last backtest of a hook found, with its calls, and nothing before there was one', async () => {
  const hook = 'user:pre_tool_use/10-no-rm';
  const path = `/api/hooks/backtest?hook=${encodeURIComponent(hook)}`;
  expect(await page.get<PageBacktest | null>(path)).toBeNull();
  const { code } = await box.piton(['hooks', 'backtest', hook, '--unsandboxed'], { cwd: work });
  expect(code).toBe(0);
  expect(await page.get<PageBacktest | null>(path)).toMatchObject({
    ...{ looked: 3, ran: 3, denied: 1, asked: 0, failed: 0, cut: 0 },
    calls: [{ what: expect.stringContaining('rm -rf build'), said: 'deny', reason: 'no rm here', session: id, agent: 'claude' }],
  });
});

it('searches, and marks what matches', async () => {
  const { hits } = await page.get<PageHits>('/api/search?q=marm');
  expect(hits).toMatchObject([{ session: id, place: 'prompt' }]);
  expect(hits[0]?.excerpt.filter(({ match }) => match).map(({ text }) => text)).toEqual(['marm']);
});

it('knows what doctor knows', async () => {
  const health = await page.get<PageHealth>('/api/health');
  const { findings } = await box.json<{ findings: { kind: string }[] }>(['doctor'], { cwd: work });
  expect(health.problems.map(({ kind }) => kind)).toEqual(findings.map(({ kind }) => kind));
});

it('adds up the day, by agent and repository', async () => {
  const overview = await page.get<PageOverview>('/api/overview?days=2');
  const sums = { sessions: 1, turns: 2, tools: 3, denials: 1, failures: 0, files: 1, tokens: null, cost: null };
  expect(overview).toMatchObject({
    counting: false,
    totals: sums,
    agents: [{ agent: 'claude', ...sums }],
    repositories: [{ root: work, repository, ...sums }],
  });
  expect(overview.days).toHaveLength(2);
  expect(overview.days.reduce((all, { tools }) => all + tools, 0)).toBe(3);
  expect((await page.get<PageOverview>(`/api/overview?days=2&repository=${repository}`)).totals).toEqual(overview.totals);
  await expect(page.get('/api/overview?days=0')).rejects.toThrow('400');
});
