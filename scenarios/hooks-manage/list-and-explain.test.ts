import { existsSync, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

interface Row {
  readonly id: string;
  readonly event: string;
  readonly status: string;
  readonly why: string | null;
  readonly runs: number;
  readonly failures: number;
  readonly lastRun: string | null;
  readonly lastFailure: { readonly event: string; readonly how: string; readonly exitCode: number; readonly note: string | null } | null;
  readonly p95Ms: number | null;
}
interface Listing {
  readonly hooks: readonly Row[];
  readonly notes: readonly string[];
  readonly problems: readonly { readonly problem: string }[];
}

const GUARD = '#!/bin/sh\ncase "$PITON_TOOL_COMMAND" in *secret-thing*) echo "leave it alone" >&2; exit 2 ;; esac\n';
const artifact = (head: string) =>
  `---\ntype: hook\nversion: 1.0.0\ndescription: Watches what goes over the wire\nhook_event: pre_tool_use\n${head}\n---\n`;

let box: Sandbox;
let repository: string;
beforeAll(async () => {
  box = sandbox();
  repository = box.repository();
  mkdirSync(join(box.home, '.claude'));
  await box.piton(['init', '--agent', 'claude']);
  box.write(join(box.config, 'hooks/pre-tool-use/10-guard'), GUARD, 0o755);
  box.write(join(box.config, 'hooks/pre-tool-use/20-broken'), '#!/bin/sh\necho oops >&2\nexit 7\n', 0o755);
  box.write(join(box.config, 'hooks/pre-tool-use/30-plain'), '#!/bin/sh\n');
  box.write(
    join(box.config, 'artifacts/net/wire/ARTIFACT.md'),
    artifact('hook_action: exit 2\nmode: shadow\ntags: [network, Security]\nsensitivity: high'),
  );
  box.write(join(box.config, 'artifacts/other/ARTIFACT.md'), artifact('hook_action: "true"\ntarget_harnesses: [codex]'));
  box.write(
    join(box.config, 'artifacts/own-guard/ARTIFACT.md'),
    artifact('hook_action: |\n  case "$PITON_TOOL_COMMAND" in *own-thing*) exit 2 ;; esac'),
  );
  box.write(join(repository, '.piton/hooks/pre-tool-use/10-guard'), GUARD, 0o755);
  await fire(box, claude.start('first', repository));
  await fire(box, claude.shell('first', repository, 'ls -la', 'toolu_1'));
  await fire(box, claude.shell('first', repository, 'cat secret-thing', 'toolu_2'));
  await fire(box, claude.shell('first', repository, 'cat own-thing', 'toolu_3'));
});
afterAll(() => box.end());

const list = async (...args: string[]): Promise<Listing> => {
  const listing = await box.json<Listing>(['hooks', 'list', ...args], { cwd: repository });
  return { ...listing, hooks: listing.hooks.filter(({ id }) => !id.startsWith('piton:')) };
};
const row = async (id: string): Promise<Row | undefined> => (await list()).hooks.find((each) => each.id === id);
const denied = async (command: string): Promise<string> => {
  const events = await box.json<{ eventId: string }[]>(['events', '--event', 'pre_tool_use', '--search', command]);
  return events.at(-1)?.eventId as string;
};

describe('piton hooks list', () => {
  it('has the hooks in the order in which they run: settings, artifacts, executables; user, then project', async () => {
    expect((await list()).hooks.map(({ id }) => id)).toEqual([
      'user:artifacts/net/wire',
      'user:artifacts/other',
      'user:artifacts/own-guard',
      'user:pre-tool-use/10-guard',
      'user:pre-tool-use/20-broken',
      'user:pre-tool-use/30-plain',
      'project:pre-tool-use/10-guard',
    ]);
  });

  it('shows the state of each', async () => {
    const standing = new Map((await list()).hooks.map(({ id, status }) => [id, status]));
    expect(Object.fromEntries(standing)).toMatchObject({
      'user:artifacts/net/wire': 'shadow',
      'user:artifacts/other': 'never',
      'user:pre-tool-use/10-guard': 'ready',
      'user:pre-tool-use/30-plain': 'not executable',
      'project:pre-tool-use/10-guard': 'not trusted',
    });
    expect((await row('user:artifacts/other'))?.why).toContain('codex');
  });

  it('shows the results of each, and the last failure', async () => {
    expect(await row('user:pre-tool-use/10-guard')).toMatchObject({ runs: 3, failures: 0, lastFailure: null, p95Ms: expect.any(Number) });
    expect(await row('user:pre-tool-use/20-broken')).toMatchObject({
      runs: 3,
      failures: 3,
      lastRun: expect.any(String),
      lastFailure: { how: 'exit', exitCode: 7 },
    });
    expect(await row('project:pre-tool-use/10-guard')).toMatchObject({ runs: 0, lastRun: null });
    const said = await box.piton(['hooks'], { cwd: repository });
    expect(said.stdout).toMatch(/user:pre-tool-use\/20-broken: failed 3 of 3 times, last with exit, exit 7.*hooks explain 01/);
  });

  it('begins with the guard that is built in', async () => {
    const [first] = (await box.json<{ hooks: object[] }>(['hooks', 'list'], { cwd: repository })).hooks;
    expect(first).toMatchObject({ id: 'piton:own-files', builtIn: true, status: 'ready', event: 'pre_tool_use' });
  });

  it('explains who decides beside whom, equal names, and what is wrong', async () => {
    const { stdout } = await box.piton(['hooks'], { cwd: repository });
    expect(stdout).toMatch(/pre_tool_use: 3 hooks run, in this order: user:artifacts\/own-guard, user:pre-tool-use\/10-guard/);
    expect(stdout).toContain('2 hooks are named 10-guard');
    expect(stdout).toContain('30-plain is not executable');
    expect(stdout).toContain('trust project:pre-tool-use/10-guard');
  });

  it('filters by words over name, description and tags, by tag, event and agent', async () => {
    const ids = async (...args: string[]) => (await list(...args)).hooks.map(({ id }) => id);
    expect(await ids('WIRE', 'net')).toEqual(['user:artifacts/net/wire']);
    expect(await ids('security')).toEqual(['user:artifacts/net/wire']);
    expect(await ids('--tag', 'security')).toEqual(['user:artifacts/net/wire']);
    expect(await ids('--tag', 'secur')).toEqual([]);
    expect(await ids('--event', 'stop')).toEqual([]);
    expect(await ids('--agent', 'claude', 'artifacts')).toEqual(['user:artifacts/net/wire', 'user:artifacts/own-guard']);
    expect(await box.piton(['hooks', 'list', '--event', 'nope'])).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('no event is named'),
    });
  });

  it('shows a failure at once: in the trace, in the list and by doctor', async () => {
    box.write(join(box.config, 'hooks/stop/10-late'), '#!/bin/sh\nexit 3\n', 0o755);
    await fire(box, claude.stop('first', repository));
    expect(await row('user:stop/10-late')).toMatchObject({ failures: 1, lastFailure: { exitCode: 3 } });
    const id = (await row('user:stop/10-late'))?.lastFailure?.event as string;
    expect((await box.piton(['hooks', 'explain', id])).stdout).toMatch(/user:stop\/10-late ran for .* and failed \(exit, exit 3\)/);
    expect((await box.piton(['doctor'], { cwd: repository })).stdout).toMatch(/user:stop\/10-late failed 1 time/);
  });

  it('has subscriptions to Piton’s own events at its end, and how they fare', async () => {
    box.write(join(box.config, 'hooks/decision-denied/10-bell'), '#!/bin/sh\nexit 4\n', 0o755);
    await fire(box, claude.shell('first', repository, 'cat secret-thing', 'toolu_9'));
    await expect.poll(async () => (await row('user:decision-denied/10-bell'))?.failures).toBe(1);
    expect((await list()).hooks.at(-1)).toMatchObject({ event: 'decision-denied', status: 'ready', lastFailure: { exitCode: 4 } });
    expect((await list('--event', 'decision-denied')).hooks).toHaveLength(1);
    const id = (await row('user:decision-denied/10-bell'))?.lastFailure?.event as string;
    expect((await box.piton(['hooks', 'explain', id])).stdout).toContain('user:decision-denied/10-bell failed, exit 4');
  });

  it('works before anything was set up', async () => {
    const fresh = sandbox();
    try {
      expect(await fresh.piton(['hooks'])).toMatchObject({ code: 0, stdout: expect.stringContaining('No hooks yet') });
    } finally {
      await fresh.end();
    }
  });
});

describe('piton hooks explain', () => {
  it('explains in words what happened, which hooks ran, what was decided and what the agent got', async () => {
    const id = await denied('secret-thing');
    const tell = async () => (await box.piton(['hooks', 'explain', id])).stdout;
    // It runs after the agent has its answer.
    await expect.poll(tell).toMatch(/- user:artifacts\/net\/wire ran after the answer for .* and would have returned deny/);
    const stdout = await tell();
    expect(stdout).toMatch(/Claude Code was about to use a tool: Bash: cat secret-thing, in \S+work on branch main/);
    expect(stdout).toContain('It fired PreToolUse, which is pre_tool_use (also pre_shell_execution).');
    expect(stdout).toMatch(/- user:pre-tool-use\/10-guard ran for .* and returned deny: “leave it alone”\./);
    expect(stdout).toMatch(/- user:pre-tool-use\/20-broken ran for .* and failed \(exit, exit 7\).*oops/);
    expect(stdout).toContain('- user:pre-tool-use/30-plain did not run: it is not executable');
    expect(stdout).toContain('- project:pre-tool-use/10-guard did not run: it is not trusted');
    expect(stdout).toContain('- user:artifacts/other did not run: it does not run in this agent');
    expect(stdout).toContain('Decision: deny, by user:pre-tool-use/10-guard. “leave it alone”');
    expect(stdout).toContain('Claude Code got deny.');
    expect(stdout).toMatch(/Native answer \(exit 0\):\n {2}\{"hookSpecificOutput".*"permissionDecision":"deny"/);
    expect(stdout).toMatch(/Time: hooks .*, Piton /);
  });

  it('is one object as JSON', async () => {
    const told = await box.json<{ decided: string; hooks: string[] }>(['hooks', 'explain', await denied('ls -la')]);
    expect(told.decided).toMatch(/made no decision/);
    expect(told.hooks.length).toBeGreaterThan(3);
  });
});

describe('a deny that was wrong', () => {
  it('becomes a case of the hook that said it, in which it says nothing', async () => {
    const id = await denied('secret-thing');
    const said = await box.piton(['hooks', 'explain', id, '--wrong', 'the thing is public', '--hook', '10-guard']);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    const file = join(box.config, 'fixtures/user/pre-tool-use/10-guard', `${id}.json`);
    expect(JSON.parse(box.read(file))).toMatchObject({
      name: 'the thing is public',
      agent: 'claude',
      event: 'pre_tool_use',
      native_event: 'PreToolUse',
      payload: { tool_input: { command: 'cat secret-thing' } },
      cwd: repository,
      expect: { decision: 'observe' },
    });
    expect((await box.piton(['hooks', 'explain', id, '--wrong', '--hook', '10-guard'])).stdout).toContain('Already saved');
    expect(JSON.parse(box.read(file)).name).toBe('the thing is public');
  });

  it("lies beside an artifact of the user's own", async () => {
    const id = await denied('own-thing');
    await box.piton(['hooks', 'explain', id, '--wrong', '--hook', 'own-guard']);
    expect(JSON.parse(box.read(join(box.config, `artifacts/own-guard/tests/${id}.json`)))).toMatchObject({
      expect: { decision: 'observe' },
    });
    expect((await row('user:artifacts/own-guard'))?.status).toBe('ready');
  });

  it('names the hooks to choose from where several denied', async () => {
    await fire(box, claude.shell('first', repository, 'cat secret-thing own-thing twice', 'toolu_5'));
    // The one on trial may have run by now: it would have denied too.
    const said = await box.piton(['hooks', 'explain', await denied('twice'), '--wrong']);
    expect(said).toMatchObject({ code: 1, stderr: expect.stringMatching(/[23] hooks denied/) });
    for (const id of ['user:artifacts/own-guard', 'user:pre-tool-use/10-guard']) expect(said.stderr).toContain(`--hook ${id}`);
  });

  it('is refused where nobody said deny, and under an agent', async () => {
    const started = (await box.json<{ eventId: string }[]>(['events', '--event', 'session_start']))[0]?.eventId as string;
    expect(await box.piton(['hooks', 'explain', started, '--wrong'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('no hook denied'),
    });
    const id = await denied('own-thing');
    const under = await box.piton(['hooks', 'explain', id, '--wrong'], { env: { CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: undefined } });
    expect(under).toMatchObject({ code: 1, stderr: expect.stringContaining('under an agent') });
    expect(existsSync(join(box.config, 'fixtures/user/artifacts'))).toBe(false);
  });
});
