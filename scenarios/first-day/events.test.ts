import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from './payloads.ts';
import { type Sandbox, sandbox } from './sandbox.ts';

interface Row {
  readonly eventId: string;
  readonly event: string;
  readonly session: string;
  readonly decision: string | null;
}

let box: Sandbox;
let repository: string;
beforeAll(async () => {
  box = sandbox();
  repository = box.repository();
  await box.piton(['init', '--agent', 'claude']);
  box.write(
    join(box.config, 'hooks/pre-tool-use/10-guard'),
    '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *secret-thing*) echo "leave it alone" >&2; exit 2 ;; esac\n',
    0o755,
  );
  box.write(join(box.config, 'hooks/pre-tool-use/20-broken'), '#!/bin/sh\necho oops >&2\nexit 7\n', 0o755);
  const cwd = repository;
  for (const payload of [
    claude.start('first', cwd),
    claude.prompt('first', cwd, 'please list the files'),
    claude.shell('first', cwd, 'ls -la', 'toolu_1'),
    claude.shell('first', cwd, 'cat secret-thing', 'toolu_2'),
    claude.stop('first', cwd),
    claude.end('first', cwd),
    claude.start('second', cwd),
    claude.prompt('second', cwd, 'evil \u001b[2J\u001b[31mprompt'),
  ]) {
    await fire(box, payload);
  }
});
afterAll(() => box.end());

const list = (...args: string[]): Promise<Row[]> => box.json<Row[]>(['events', ...args]);

describe('piton events', () => {
  it('lists what happened, oldest first, with the decision', async () => {
    const events = (await list()).filter((row) => !('derived' in row && row.derived));
    expect(events.map(({ event }) => event)).toEqual([
      'session_start',
      'user_prompt_submit',
      'pre_tool_use',
      'pre_tool_use',
      'stop',
      'session_end',
      'session_start',
      'user_prompt_submit',
    ]);
    expect(events[3]?.decision).toBe('deny');
    const said = await box.piton(['events']);
    expect(said.stdout).toMatch(/claude +Bash: cat secret-thing +denied by 10-guard: leave it alone +01/);
    expect(said.stdout).toMatch(/claude +“please list the files”/);
  });

  it('has one row for one deny, and all of its events with --all', async () => {
    const rows = async (...args: string[]): Promise<string[]> =>
      (await box.piton(['events', ...args])).stdout.split('\n').filter((line) => line.includes('secret-thing'));
    expect(await rows()).toHaveLength(1);
    expect(await rows('--denied')).toHaveLength(1);
    expect((await rows('--all')).length).toBeGreaterThan(1);
    expect((await rows('--all')).join()).toContain('(derived)');
    expect((await box.piton(['events', '--denied'])).stdout).toMatch(/1 event\. /);
  });

  it('names what it leaves out', async () => {
    const said = (await box.piton(['events', '--limit', '2'])).stdout;
    expect(said).toMatch(/The last 2 of 8 events\. More: --limit 20\./);
    expect((await box.piton(['events'])).stdout).toMatch(/8 events\. /);
    expect((await box.piton(['sessions', '--limit', '1'])).stdout).toContain('The last 1 of 2 sessions.');
  });

  it('lists only what happened here', async () => {
    const elsewhere = box.repository('elsewhere');
    expect((await box.piton(['events', '--here'], { cwd: repository })).stdout).toContain('please list the files');
    for (const args of [
      ['events', '--here'],
      ['sessions', '--here'],
    ]) {
      expect((await box.piton(args, { cwd: elsewhere })).stdout).toContain('match');
      expect((await box.piton(args, { cwd: box.home })).stdout).toContain('please list the files');
    }
  });

  it('has IDs that are taken everywhere, and @ for the latest', async () => {
    const rows = (await box.piton(['events'])).stdout.split('\n').filter((line) => line.includes('claude'));
    const shortIds = rows.map((line) => line.split(' ').at(-1) ?? '');
    const found = await Promise.all(shortIds.map((id) => box.json<Row>(['events', 'show', id])));
    expect(found.map(({ event }) => event)).toEqual([
      'session_start',
      'user_prompt_submit',
      'pre_tool_use',
      'pre_tool_use',
      'stop',
      'session_end',
      'session_start',
      'user_prompt_submit',
    ]);
    expect(await box.json<Row>(['events', 'show', '@'])).toMatchObject({ eventId: found[7]?.eventId });
    expect(await box.json<Row>(['events', 'show', '@~2'])).toMatchObject({ eventId: found[5]?.eventId });
    expect(await box.json(['hooks', 'explain', '@~4'])).toMatchObject({ event: found[3]?.eventId });
    // The latest deny, wherever it is.
    expect(await box.json(['hooks', 'explain'])).toMatchObject({ event: found[3]?.eventId });
    expect(await box.json(['sessions', 'show', '@'])).toMatchObject({ providerRef: 'second' });
    expect(await box.json(['sessions', 'show', '@~1'])).toMatchObject({ providerRef: 'first' });
    expect(await list('--session', '@~1')).toHaveLength(await list('--session', 'first').then(({ length }) => length));
    const beyond = await box.piton(['events', 'show', '@~99']);
    expect([beyond.code, beyond.stderr]).toEqual([1, expect.stringContaining('@~99 is before the first event')]);
    expect((await box.piton(['events', '--session', 'nobody'])).stderr).toContain('no session starts with "nobody"');
  });

  it('says by itself what is registered, what happened last and what to do next', async () => {
    const said = (await box.piton([], { cwd: repository })).stdout;
    expect(said).toMatch(/^agents +Claude Code$/m);
    expect(said).toMatch(/^hooks here +2 active$/m);
    expect(said).toMatch(/^last +\d+ .* ago +claude +session ended/m);
    expect(said).toMatch(/piton events +what happened, and why$/m);
    expect(said.split('\n').length).toBeLessThan(15);
  });

  it('lets no recorded text steer the terminal', async () => {
    for (const args of [['events'], ['sessions'], ['sessions', 'show', 'second']])
      expect((await box.piton(args)).stdout).not.toContain('\u001b');
  });

  it('filters by limit, session, event in any spelling, time and text', async () => {
    expect(await list('--limit', '2')).toHaveLength(2);
    expect(await list('--session', 'second')).toHaveLength(2);
    expect((await list('--event', 'pre-prompt')).map(({ event }) => event)).toEqual(['user_prompt_submit', 'user_prompt_submit']);
    expect(await list('--since', '1h')).not.toHaveLength(0);
    expect(await list('--since', '2999-01-01')).toHaveLength(0);
    expect((await list('--search', 'list the files')).map(({ event }) => event)).toEqual(['user_prompt_submit']);
  });

  it('shows one in full, by the beginning of its id: envelope, hooks, decision, delivery', async () => {
    const denied = (await list('--event', 'pre_tool_use')).find(({ decision }) => decision === 'deny') as Row;
    const said = await box.piton(['events', 'show', denied.eventId]);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('user:pre-tool-use/10-guard (pre_tool_use) ran, exit 2');
    expect(said.stdout).toContain('leave it alone');
    expect(said.stdout).toContain('deny reached the agent');
    expect(said.stdout).toContain('"schemaVersion": 1');
    expect(await box.json(['events', 'show', denied.eventId.slice(0, 24)])).toMatchObject({ eventId: denied.eventId });
  });

  it('distinguishes a hook that failed from one that made no decision', async () => {
    const harmless = (await list('--search', 'ls -la')).find(({ event }) => event === 'pre_tool_use') as Row;
    const said = await box.piton(['events', 'show', harmless.eventId]);
    expect(said.stdout).toMatch(/10-guard \(pre_tool_use\) ran, exit 0 .+ returned observe/);
    expect(said.stdout).toMatch(/20-broken \(pre_tool_use\) ran, exit 7 .+ failed/);
  });

  it('says that an id fits none or too many', async () => {
    expect((await box.piton(['events', 'show', 'ZZZZ'])).stderr).toContain('no event starts with');
    const many = await box.piton(['events', 'show', '01']);
    expect(many.code).toBe(1);
    expect(many.stderr).toContain('more than one event');
    expect(many.stderr).toMatch(/01[0-9A-Z]{24} +\S+ startup/);
  });

  it('watches, and ends with its reader', async () => {
    const tail = box.start(['events', 'tail', '--json']);
    let out = '';
    tail.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
    const ended = new Promise((resolve) => tail.on('close', resolve));
    // It shows only what comes after it began, and nobody can see when that is: fire until it does.
    await expect
      .poll(
        async () => {
          await fire(box, claude.prompt('second', repository, 'watched'));
          return out.split('\n').filter(Boolean).length;
        },
        { interval: 500 },
      )
      .toBeGreaterThan(0);
    expect(JSON.parse(out.split('\n')[0] as string)).toMatchObject({ event: 'user_prompt_submit', prompt: 'watched' });
    tail.kill('SIGINT');
    expect(await ended).toBe(0);
  });
});

describe('piton sessions', () => {
  it('lists them with turns, tools and denials', async () => {
    const sessions = await box.json<{ providerRef: string; turns: number; tools: number; denials: number }[]>(['sessions']);
    expect(sessions.map(({ providerRef }) => providerRef)).toEqual(['first', 'second']);
    expect(sessions[0]).toMatchObject({ turns: 1, denials: 1 });
    expect((await box.piton(['sessions'])).stdout).toContain('please list the files');
  });

  it('shows one by the agent’s own id: prompts, tools, denials', async () => {
    const said = await box.piton(['sessions', 'show', 'first']);
    expect(said.code).toBe(0);
    expect(said.stdout).toContain('“please list the files”');
    expect(said.stdout).toContain('Bash: ls -la');
    expect(said.stdout).toMatch(/✗ Bash: cat secret-thing\n +denied by 10-guard: leave it alone/);
    expect((await box.piton(['sessions', 'show', 'nobody'])).stderr).toContain('piton sessions');
  });
});

describe('piton doctor', () => {
  it('names the hook that failed and where to look', async () => {
    const { findings } = await box.json<{ findings: { id: string; what: string; remedy: string }[] }>(['doctor']);
    const failed = findings.filter(({ id }) => id === 'hook.failed');
    expect(failed).toHaveLength(1);
    expect(failed[0]?.what).toContain('20-broken');
    expect(failed[0]?.remedy).toMatch(/piton hooks explain [0-9A-Z]{26}/);
  });
});
