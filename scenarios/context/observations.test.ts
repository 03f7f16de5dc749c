import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// What Piton has learnt from commands, and the person who reads it, and takes it back where it is wrong.
interface Observation {
  readonly id: string;
  readonly kind: string;
  readonly session: string;
  readonly agent: string;
  readonly expiresUs: number | null;
  readonly body: Readonly<Record<string, unknown>>;
}

let box: Sandbox;
let work: string;
beforeEach(async () => {
  box = sandbox();
  work = box.repository();
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
});
afterEach(() => box.end());

const send = (hook_event_name: string, session_id: string, more: object) =>
  fire(box, { ...{ session_id, hook_event_name, cwd: work, transcript_path: '/none' }, ...more });
const passed = (command: string) =>
  send('PostToolUse', 'one', {
    ...{ tool_name: 'Bash', tool_use_id: command, tool_input: { command } },
    tool_response: { stdout: '3 passed', stderr: '', interrupted: false },
  });
const failed = (command: string) =>
  send('PostToolUseFailure', 'one', { tool_name: 'Bash', tool_use_id: 'f', tool_input: { command }, error: 'Exit code 1\nno module x' });
const list = (...words: string[]) => box.json<Observation[]>(['observations', ...words], { cwd: work });
const piton = (...words: string[]) => box.piton(words, { cwd: work });

describe('piton observations', () => {
  it('says that there is none, and how to see all if a filter left none', async () => {
    expect((await piton('observations')).stdout).toBe('Nothing was observed yet.\n');
    expect((await piton('observations', '--kind', 'fix')).stdout).toMatch(/^No observations match\. List all: .*piton observations\n$/);
    expect(await piton('observations', '--kind', 'fixes')).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('known: crash, commit'),
    });
  });

  it('lists what was learnt with its session, its events, and until when it is kept', async () => {
    await failed('npm test');
    await send('PostToolUse', 'one', {
      ...{ tool_name: 'Write', tool_use_id: 'w', tool_input: { file_path: join(work, 'x.ts'), content: '' } },
      tool_response: { filePath: 'x.ts' },
    });
    await passed('npm test');
    await eventually(async () => (await list()).length === 2);
    const [fix, works] = (await list()).sort((a, b) => a.kind.localeCompare(b.kind));
    expect(fix).toMatchObject({
      kind: 'fix',
      body: { command: 'npm test', error: expect.stringContaining('no module x'), fixedBy: 'changes in x.ts' },
    });
    expect(works).toMatchObject({ kind: 'works', agent: 'claude', body: { command: 'npm test', purpose: 'test' } });
    const days = (one: Observation | undefined): number => Math.round(((one?.expiresUs ?? 0) / 1000 - Date.now()) / 86_400_000);
    expect([days(works), days(fix)]).toEqual([30, 90]);
    const events = (fix?.body.events ?? []) as string[];
    expect(events).toHaveLength(3);

    const { stdout } = await piton('observations');
    expect(stdout).toMatch(/^TIME +AGENT +KIND +WHAT +UNTIL +ID\n/);
    expect(stdout).toMatch(/claude +fix +npm test: .*no module x.* → changes in x\.ts +\d{4}-\d\d-\d\d +[0-9A-Z]{8,10}\n/);
    const shown = await piton('observations', 'show', (fix?.id ?? '').slice(0, 10));
    expect(shown.stdout).toContain(`fix  ${fix?.id}`);
    expect(shown.stdout).toContain('an error and what fixed it: npm test');
    for (const event of events) expect((await piton('events', 'show', event)).code).toBe(0);
    expect(await list('--kind', 'fix')).toEqual([fix]);
    expect(await list('--session', '@')).toHaveLength(2);
    expect(await box.json(['observations', '--here'], { cwd: box.repository('other') })).toEqual([]);
  });

  it('deletes one for good: it is told to no session, and not observed again', async () => {
    await passed('npm run lint:all');
    await eventually(async () => (await list()).length === 1);
    await send('UserPromptSubmit', 'one', { prompt: 'leave something open' });
    const todos = [{ content: 'something open', status: 'pending' }];
    await send('PostToolUse', 'one', { tool_name: 'TodoWrite', tool_use_id: 't', tool_input: { todos }, tool_response: {} });
    await send('Stop', 'one', { stop_hook_active: false });
    let asked = 0;
    const told = () => send('SessionStart', `new ${asked++}`, { source: 'startup' });
    await eventually(async () => (await told()).includes('npm run lint:all'), 20_000);

    expect((await piton('observations', 'delete', '@', '--dry-run')).stdout).toMatch(/works +npm run lint:all\nNothing was deleted\.\n$/);
    expect(await piton('observations', 'delete', '@')).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes') });
    expect(await list()).toHaveLength(1);
    expect(await piton('observations', 'delete', '@', '--yes')).toMatchObject({ code: 0 });
    expect(await list()).toEqual([]);
    const answer = await told();
    expect(answer).toContain('something open');
    expect(answer).not.toContain('lint:all');

    await passed('npm run lint:all');
    await passed('npm run build');
    await eventually(async () => (await list()).length === 1);
    expect((await list())[0]?.body.command).toBe('npm run build');
  });

  it('does not delete what happened: a crash or a commit is a part of the story of its session', async () => {
    await passed('npm test');
    await eventually(async () => (await list()).length === 1);
    expect(await piton('observations', 'delete', 'ZZZZ', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no observation starts with'),
    });
    expect(await piton('observations', 'delete', '@~1', '--yes')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('before the first'),
    });
  });

  it('is refused to an agent: what it did wrong is not its own to take back', async () => {
    await passed('npm test');
    await eventually(async () => (await list()).length === 1);
    const said = await box.piton(['observations', 'delete', '@', '--yes'], {
      cwd: work,
      env: { CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: undefined },
    });
    expect(said).toMatchObject({ code: 1, stderr: expect.stringContaining('--yes is not allowed under an agent') });
    expect(await list()).toHaveLength(1);
  });
});
