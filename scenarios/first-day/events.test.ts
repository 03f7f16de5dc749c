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
    expect(said.stdout).toMatch(/pre_tool_use +Bash: cat secret-thing +deny/);
    expect(said.stdout).toMatch(/user_prompt_submit +“please list the files”/);
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
    expect(said.stdout).toMatch(/✗ Bash: cat secret-thing\n +deny: leave it alone/);
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
