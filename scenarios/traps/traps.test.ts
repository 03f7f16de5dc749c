import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ask, createTestHome, eventually, removeHome, selectAll, serverPids, type TestHome, writeHook } from '@piton/testing';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { fireAs, type Recorded, recorded } from './setup.ts';

let home: TestHome;
beforeEach(() => {
  home = createTestHome();
});
afterEach(() => removeHome(home));

const rows = async (sql: string) => {
  await ask(home, 'POST', '/v1/flush');
  return selectAll(home.places.store, sql);
};
const noted = (): string[] => {
  const file = join(home.root, 'noted');
  return existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [];
};
/** A hook that notes what it was given, and says something. */
const hook = (event: string, noting: string, says = '') =>
  writeHook(home, event, '10-note', `#!/bin/sh\ninput=$(cat)\nprintf '%s\\n' "${noting}" >> "${join(home.root, 'noted')}"\n${says}\n`);
const pick = (events: readonly Recorded[], event: string): Recorded => {
  const found = events.find((each) => each.event === event);
  if (!found) throw new Error(`${event} was not recorded`);
  return found;
};

describe('double fire from Claude’s files', () => {
  /** One call of Copilot CLI's, in the dialect of either registration, as it sends them in a project that has both. */
  const bothDialects = (): [Recorded, Recorded] => {
    const camel = pick(recorded(home, 'copilot', '1.0.102/session'), 'preToolUse');
    const pascal = pick(recorded(home, 'copilot', '1.0.102/session-pascal'), 'PreToolUse');
    return [camel, { ...pascal, payload: { ...pascal.payload, session_id: camel.payload.sessionId } }];
  };

  it('is one event: its hook runs once, and the deny goes to both in the words of the agent that asked', async () => {
    hook('pre-shell-execution', '$PITON_AGENT', 'echo "not today" >&2; exit 2');
    const [camel, pascal] = bothDialects();
    const answers = await Promise.all([
      fireAs(home, 'copilot', camel.event, camel.payload),
      fireAs(home, 'claude', pascal.event, pascal.payload, { scope: 'project' }),
    ]);
    for (const { stdout, stderr, code } of answers) {
      expect({ stderr, code }).toEqual({ stderr: '', code: 0 });
      expect(stdout).toContain('not today');
      expect(stdout).toContain('"permissionDecision":"deny"');
    }
    expect(noted()).toEqual(['copilot']);
    expect(await rows('SELECT agent, event FROM events WHERE derived = 0')).toEqual([{ agent: 'copilot', event: 'pre_tool_use' }]);
  });

  it('gives context to one of them', async () => {
    hook('pre-tool-use', 'x', `echo '{"decision":"replace","content":"TOKEN_CONTEXT"}'`);
    const [camel, pascal] = bothDialects();
    const answers = await Promise.all([
      fireAs(home, 'copilot', camel.event, camel.payload),
      fireAs(home, 'claude', pascal.event, pascal.payload, { scope: 'project' }),
    ]);
    expect(answers.filter(({ stdout }) => stdout.includes('TOKEN_CONTEXT'))).toHaveLength(1);
  });

  it('is recorded as the claiming agent’s where only Claude’s file has us, with the registration by which it came', async () => {
    const [, pascal] = bothDialects();
    await fireAs(home, 'claude', pascal.event, pascal.payload, { scope: 'project' });
    expect(await rows('SELECT agent, via FROM events')).toEqual([{ agent: 'copilot', via: 'claude:PreToolUse:project' }]);
    expect(await rows('SELECT agent FROM sessions')).toEqual([{ agent: 'copilot' }]);
  });
});

describe('double fire from two levels', () => {
  it('is one event, whichever comes first', async () => {
    hook('pre-shell-execution', 'ran', 'echo no >&2; exit 2');
    const call = pick(recorded(home, 'codex', '0.166.0/session'), 'PreToolUse');
    const answers = await Promise.all(
      (['user', 'project'] as const).map((scope) => fireAs(home, 'codex', call.event, call.payload, { scope })),
    );
    expect(answers.map(({ stdout }) => stdout.includes('deny'))).toEqual([true, true]);
    expect(noted()).toEqual(['ran']);
    expect(await rows('SELECT count(*) AS n FROM events WHERE derived = 0')).toEqual([{ n: 1 }]);
  });

  it('two events of one registration are two, however alike', async () => {
    const { event, payload } = pick(recorded(home, 'copilot', '1.0.102/session'), 'preToolUse');
    await fireAs(home, 'copilot', event, payload);
    await fireAs(home, 'copilot', event, payload);
    expect(await rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 2 }]);
  });
});

describe('stop loops without a cap', () => {
  it('Codex is kept from stopping eight times in a row, and then may stop; the trace says why', async () => {
    writeHook(home, 'stop', '10-go-on', '#!/bin/sh\necho "not yet" >&2; exit 2\n');
    const { event, payload } = pick(recorded(home, 'codex', '0.166.0/session'), 'Stop');
    const answers: string[] = [];
    for (let times = 0; times < 9; times++) answers.push((await fireAs(home, 'codex', event, payload)).stdout);
    expect(answers.map((answer) => answer.includes('not yet'))).toEqual([...Array(8).fill(true), false]);
    const outcomes = await rows(`SELECT outcome FROM events WHERE derived = 0`);
    expect(outcomes.filter(({ outcome }) => String(outcome).includes('refused too often'))).toHaveLength(1);
  });
});

describe('context budgets', () => {
  it('what Codex will cut is said in the trace', async () => {
    hook('user-prompt-submit', 'x', `head -c 20000 /dev/zero | tr '\\0' x`);
    const { event, payload } = pick(recorded(home, 'codex', '0.166.0/session'), 'UserPromptSubmit');
    const { stdout } = await fireAs(home, 'codex', event, payload);
    expect(stdout.length).toBeGreaterThan(19_000);
    const [row] = await rows(`SELECT delivered FROM decisions`);
    expect(JSON.parse(String(row?.delivered))).toMatchObject([{ decision: 'replace', how: 'degraded', note: expect.stringMatching(/\d/) }]);
  });
});

describe('repeated prompt events', () => {
  it('the reason of a refused stop, which Copilot CLI sends as a prompt, begins no turn', async () => {
    writeHook(
      home,
      'stop',
      '10-go-on',
      `#!/bin/sh\ncase "$(cat)" in *'"stop_hook_active":true'*) ;; *) echo "TOKEN_GO on" >&2; exit 2 ;; esac\n`,
    );
    for (const { event, payload } of recorded(home, 'copilot', '1.0.102/continued')) await fireAs(home, 'copilot', event, payload);
    expect(await rows('SELECT turns, tools, phase FROM sessions')).toEqual([{ turns: 1, tools: 1, phase: 'ended' }]);
    expect(await rows(`SELECT source FROM events WHERE event = 'user_prompt_submit' ORDER BY seq`)).toEqual([
      { source: null },
      { source: 'continuation' },
    ]);
  });
});

describe('subagents that look like the main agent', () => {
  it('the task of a subagent of Codex begins no turn', async () => {
    const events = recorded(home, 'codex', '0.166.0/session');
    for (const { event, payload } of events) await fireAs(home, 'codex', event, payload);
    const prompts = events.filter(({ event }) => event === 'UserPromptSubmit');
    expect(prompts.map(({ payload }) => 'agent_id' in payload)).toEqual([false, true]);
    expect(await rows('SELECT turns FROM sessions')).toEqual([{ turns: 1 }]);
    expect(await rows(`SELECT count(*) AS n FROM events WHERE agent_id IS NOT NULL AND event = 'subagent_start'`)).toEqual([{ n: 1 }]);
  });
});

describe('a subagent in a session of its own', () => {
  it('is linked to the session that called it', async () => {
    for (const { event, payload } of recorded(home, 'droid', '0.215.0/session')) await fireAs(home, 'droid', event, payload);
    expect(
      await rows(
        `SELECT child.provider_ref AS child, parent.provider_ref AS parent FROM sessions child JOIN sessions parent ON parent.id = child.parent_id`,
      ),
    ).toEqual([{ child: '1029ceb6-d58e-41a7-8779-8ee55b6b98af', parent: '3b6adb19-63c2-4b70-8d96-a0d1c2866ef3' }]);
  });
});

describe('empty prompt events', () => {
  it('of Qwen Code begin no turn and run no hook for prompts, and are recorded', async () => {
    hook('user-prompt-submit', 'prompted');
    const events = recorded(home, 'qwen', '0.24.4/session');
    const prompts = events.filter(({ event }) => event === 'UserPromptSubmit');
    for (const { event, payload } of events) await fireAs(home, 'qwen', event, payload);
    const empty = prompts.filter(({ payload }) => payload.prompt === '').length;
    expect(empty).toBeGreaterThan(0);
    expect(noted()).toHaveLength(prompts.length - empty);
    expect(await rows(`SELECT count(*) AS n FROM events WHERE native_event = 'UserPromptSubmit'`)).toEqual([{ n: prompts.length }]);
    expect(await rows('SELECT turns FROM sessions')).toEqual([{ turns: 1 }]);
  });
});

describe('missing tool-call ids', () => {
  it('are paired by order: a hook reads the same id at both ends, and so does the record', async () => {
    for (const event of ['pre-tool-use', 'post-tool-use'])
      hook(event, `$(printf %s \\"$input\\" | sed 's/.*\\"tool_use_id\\":\\"\\([^\\"]*\\)\\".*/\\1/')`);
    const events = recorded(home, 'copilot', '1.0.102/session').slice(0, 8);
    for (const { event, payload } of events) await fireAs(home, 'copilot', event, payload);
    const seen = noted();
    expect(seen).toHaveLength(4);
    expect(seen[0]).toMatch(/^piton_[0-9A-Z]{26}$/);
    expect([seen[1], seen[3]]).toEqual([seen[0], seen[2]]);
    expect(seen[2]).not.toBe(seen[0]);
    const ids = (await rows(`SELECT tool_use_id AS id FROM events WHERE event IN ('pre_tool_use', 'post_tool_use') ORDER BY seq`)) as {
      id: string;
    }[];
    expect(ids.map(({ id }) => id)).toEqual(seen);
  });
});

describe('session ends that come several times', () => {
  it('are recorded each, and their hooks run once', async () => {
    hook('session-end', 'ended');
    const { event, payload } = pick(recorded(home, 'codex', '0.166.0/session'), 'SessionEnd');
    for (let times = 0; times < 3; times++) await fireAs(home, 'codex', event, payload);
    expect(await rows(`SELECT count(*) AS n FROM events WHERE event = 'session_end'`)).toEqual([{ n: 3 }]);
    // The agent has its answer before they run; a server that is told to go waits for them.
    await ask(home, 'POST', '/v1/retire');
    expect(await eventually(() => serverPids(home).length === 0)).toBe(true);
    expect(noted()).toEqual(['ended']);
  });
});

describe('event names unknown to this version', () => {
  it('are recorded as other with their own name, and reported by doctor once, as a note', async () => {
    const payload = { session_id: 's1', hook_event_name: 'BrandNew', cwd: home.work, detail: 1 };
    for (let times = 0; times < 2; times++)
      expect(await fireAs(home, 'claude', 'BrandNew', payload)).toMatchObject({ code: 0, stderr: '' });
    expect(await rows('SELECT event, native_event FROM events')).toEqual([
      { event: 'other', native_event: 'BrandNew' },
      { event: 'other', native_event: 'BrandNew' },
    ]);
    const troubles = ((await ask<{ troubles: { what: string; kind?: string }[] }>(home, 'GET', '/v1/status'))?.body.troubles ?? []).filter(
      ({ what }) => what.includes('BrandNew'),
    );
    expect(troubles).toEqual([expect.objectContaining({ kind: 'note' })]);
  });
});
