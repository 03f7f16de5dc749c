import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStage, type Stage } from './setup.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
});
afterEach(() => stage.end());

const bash = (command: string, id = command) => ({ tool_name: 'Bash', tool_input: { command }, tool_use_id: id });

it('a session is reported once when it starts and once when it ends, however often its agent reports it', async () => {
  for (const event of ['session-started', 'session-ended']) stage.listener(event, 'user');
  stage.fire('SessionStart', { source: 'startup' });
  stage.fire('SessionStart', { source: 'compact' });
  stage.fire('UserPromptSubmit', { prompt: 'hello' });
  for (const _ of [1, 2, 3]) stage.fire('SessionEnd', { reason: 'logout' });
  await eventually(() => stage.events('session-ended').length > 0);
  stage.settle();
  expect(stage.events()).toMatchObject([
    {
      event: 'session-started',
      session_id: 's1',
      agent: 'claude',
      source: 'startup',
      branch: 'main',
      repo: stage.work,
      checkpoint_id: null,
    },
    { event: 'session-ended', session_id: 's1', agent: 'claude', reason: 'logout', commit_sha: null },
  ]);
});

it('every deny is reported, also the one for a policy that could not answer, and no secret with it', async () => {
  stage.listener('decision-denied', 'user');
  const secret = `ghp_${'aB3dE5gH7j'.repeat(4).slice(0, 36)}`;
  stage.script('pre-tool-use', '10-guard', `grep -q 'rm -rf' && { echo "never with ${secret}" >&2; exit 2; }; exit 0`, 'user');
  const policy = { name: 'policy', event: 'user_prompt_submit', command: 'exit 9', fail_closed: true };
  writeFileSync(join(stage.config, 'settings.json'), JSON.stringify({ hooks: [policy] }));
  stage.fire('PreToolUse', bash('ls'));
  stage.fire('PreToolUse', bash('rm -rf a'));
  stage.fire('PreToolUse', bash('rm -rf b'));
  stage.fire('UserPromptSubmit', { prompt: 'hello' });
  await eventually(() => stage.events().length === 3);
  const denied = stage.events();
  expect(denied).toMatchObject([
    {
      event: 'decision-denied',
      decision: 'deny',
      tool: 'Bash',
      hook: 'user:pre-tool-use/10-guard',
      hook_event: 'pre_tool_use',
      session_id: 's1',
    },
    { decision: 'deny', tool: 'Bash' },
    { decision: 'deny', tool: null, hook: 'user:settings/policy', hook_event: 'user_prompt_submit' },
  ]);
  expect(JSON.stringify(denied)).not.toContain(secret);
  stage.settle(); // a run is noted after what it wrote can be read
  expect(stage.json<{ event: string; runs: { failed: null }[] }[]>('events', '--own', '--event', 'decision_denied')).toMatchObject([
    ...Array(3).fill({ event: 'decision-denied', runs: [{ failed: null }] }),
  ]);
});

it('a hook that fails is reported, a subscription that fails is reported, and one that fails on that is not', async () => {
  stage.listener('hook-failed', 'user');
  stage.script('hook-failed', '90-fails', 'exit 5', 'user');
  stage.script('post-tool-use', '10-breaks', 'echo no jq here >&2; exit 7', 'user');
  stage.script('decision-denied', '10-breaks', 'exit 8', 'user');
  stage.script('pre-tool-use', '10-guard', 'exit 2', 'user');
  stage.fire('PostToolUse', { ...bash('ls'), tool_response: {} });
  stage.fire('PreToolUse', bash('ls'));
  await eventually(() => stage.events().length === 2);
  const own = () => stage.json<{ event: string; runs: { hook: string; failed: string | null }[] }[]>('events', '--own');
  await eventually(() => own().filter(({ runs }) => runs.length > 0).length === 3);
  expect(own().filter(({ event }) => event !== 'session-started')).toHaveLength(3);
  expect(stage.events()).toMatchObject([
    { hook: 'user:post-tool-use/10-breaks', hook_event: 'post_tool_use', failed: 'exit', reason: expect.stringContaining('no jq here') },
    { hook: 'user:decision-denied/10-breaks', hook_event: 'decision-denied', failed: 'exit' },
  ]);
  const { stdout } = stage.piton('doctor');
  for (const hook of ['post-tool-use/10-breaks', 'decision-denied/10-breaks', 'hook-failed/90-fails']) expect(stdout).toContain(hook);
  const [, id = ''] = /piton hooks explain (\w+)/.exec(stdout.slice(stdout.indexOf('hook-failed/90-fails'))) ?? [];
  expect(stage.piton('events', 'show', id).stdout).toContain('user:hook-failed/90-fails failed, exit 5');
});

it('rewind reports what was restored and what it made, also when no server was running', async () => {
  for (const event of ['checkpoint-created', 'checkpoint-restored']) stage.listener(event, 'user');
  await stage.agentWrites('agent.txt', 'x\n');
  await stage.agentWrites('agent.txt', 'y\n', 's2');
  stage.piton('server', 'stop');
  const before = stage.events().length;
  expect(stage.piton('rewind', '--yes').status).toBe(0);
  expect(readFileSync(join(stage.work, 'agent.txt'), 'utf8')).toBe('x\n');
  await eventually(() => stage.events('checkpoint-restored').length === 1);
  const told = stage.events().slice(before);
  expect(told.map(({ event }) => event)).toEqual(['checkpoint-created', 'checkpoint-restored']);
  expect(told[1]).toMatchObject({ repo: stage.work, branch: 'main', commit_sha: null });
  const list = stage.json<{ id: string }[]>('checkpoints', 'list').map(({ id }) => id);
  expect(list).toEqual(expect.arrayContaining(told.map(({ checkpoint_id }) => checkpoint_id)));
});

it('a server that is killed in the middle leaves the event to the next one, with the same id', async () => {
  const [begun, go] = [join(stage.root, 'begun'), join(stage.root, 'go')];
  // What the dead server began goes on without it, and ends with this test.
  const stuck = `while [ -e '${begun}' ]; do sleep 0.1; done; exit`;
  const body = `line=$(cat); printf '%s\\n' "$line" >> '${begun}'; [ -e '${go}' ] || { ${stuck}; }; printf '%s\\n' "$line" >> '${stage.heard}'`;
  stage.script('decision-denied', '10-slow', body, 'user');
  stage.script('pre-tool-use', '10-guard', 'exit 2', 'user');
  stage.fire('PreToolUse', bash('ls'));
  await eventually(() => existsSync(begun));
  process.kill(stage.serverPid(), 'SIGKILL');
  writeFileSync(go, '');
  stage.fire('UserPromptSubmit', { prompt: 'on we go' });
  expect(await eventually(() => stage.events().length === 1)).toBe(true);
  const attempts = readFileSync(begun, 'utf8').split('\n').filter(Boolean);
  expect(attempts).toHaveLength(2);
  expect(new Set(attempts).size).toBe(1);
});

it('a server that retires finishes what it has begun', async () => {
  const go = join(stage.root, 'go');
  stage.script('decision-denied', '10-slow', `until [ -e '${go}' ]; do sleep 0.05; done; cat >> '${stage.heard}'`, 'user');
  stage.script('pre-tool-use', '10-guard', 'exit 2', 'user');
  stage.fire('PreToolUse', bash('ls'));
  const pid = stage.serverPid();
  process.kill(pid, 'SIGTERM');
  expect(stage.events()).toEqual([]);
  writeFileSync(go, '');
  expect(await eventually(() => stage.events().length === 1)).toBe(true);
  await eventually(() => !existsSync(`/proc/${pid}/stat`) || readFileSync(`/proc/${pid}/stat`, 'utf8').includes(') Z'));
  expect(stage.json<{ runs: object[] }[]>('events', '--own', '--event', 'decision-denied')).toMatchObject([{ runs: [{ did: 'ran' }] }]);
});

it('subscriptions see nothing of the agent’s environment, and an agent inside one fires nothing that comes back', async () => {
  const out = join(stage.root, 'env');
  const forwarder = join(stage.root, 'piton', 'state', 'runtime', 'current', 'piton-forward');
  const inner = JSON.stringify({ session_id: 'inner', hook_event_name: 'PreToolUse', cwd: stage.work, ...bash('inner') });
  stage.script('pre-tool-use', '10-guard', 'exit 2', 'user');
  const guard = { name: 'held', event: 'pre_tool_use', command: 'exit 2', fail_closed: true };
  writeFileSync(join(stage.config, 'settings.json'), JSON.stringify({ hooks: [guard] }));
  stage.piton('server', 'stop');
  stage.script(
    'decision-denied',
    '10-look',
    `env > '${out}.new'; printf '%s' '${inner}' | '${forwarder}' claude PreToolUse user 60000 - > '${out}.inner'; mv '${out}.new' '${out}'; cat >> '${stage.heard}'`,
    'user',
  );
  stage.fire('PreToolUse', bash('outer'), { ANTHROPIC_API_KEY: 'sk-ant-1234', GIT_DIR: '/elsewhere', CLAUDE_CODE_ENTRYPOINT: 'cli' });
  await eventually(() => stage.events().length === 1);
  const set = readFileSync(out, 'utf8').split('\n');
  const names = set.map((line) => line.split('=')[0]);
  // A subscription that calls piton means this one.
  expect(set).toContain(`PITON_HOME=${join(stage.root, 'piton')}`);
  expect(names).toEqual(expect.arrayContaining(['PATH', 'HOME', 'PITON_EVENT', 'PITON_SESSION_ID', 'PITON_AGENT']));
  for (const name of ['ANTHROPIC_API_KEY', 'GIT_DIR', 'CLAUDE_CODE_ENTRYPOINT', 'PITON_CHECKPOINT_ID', 'PITON_COMMIT_SHA'])
    expect(names).not.toContain(name);
  expect(readFileSync(`${out}.inner`, 'utf8')).toContain('deny');
  // The inner deny is on record, and nobody heard it. A run is noted after what it wrote can be read.
  stage.settle();
  const denied = stage.json<{ session_id: string; runs: object[] }[]>('events', '--own', '--event', 'decision-denied');
  expect(denied.map(({ session_id, runs }) => [session_id, runs.length]).sort()).toEqual([
    ['inner', 0],
    ['s1', 1],
  ]);
});

const hasBubblewrap = (process.env.PATH ?? '').split(delimiter).some((place) => existsSync(join(place, 'bwrap')));

it('modules and confined commands subscribe as well, in the order of hooks', async () => {
  const folder = join(stage.config, 'artifacts', 'note');
  mkdirSync(folder, { recursive: true });
  const head = ['type: hook', 'version: 1.0.0', 'hook_event: session_started', 'module: note.mjs', 'description: notes the session'];
  writeFileSync(join(folder, 'ARTIFACT.md'), `---\n${head.join('\n')}\n---\nNotes it.\n`);
  writeFileSync(
    join(folder, 'note.mjs'),
    `import { appendFileSync } from 'node:fs';\nexport default (event) => appendFileSync(${JSON.stringify(stage.heard)}, JSON.stringify(event) + '\\n');\n`,
  );
  const confined = {
    name: 'confined',
    event: 'session-started',
    command: `echo no > '${stage.root}/written'`,
    sandbox_profile: 'read-only',
  };
  writeFileSync(join(stage.config, 'settings.json'), JSON.stringify({ hooks: [confined] }));
  stage.fire('SessionStart', { source: 'startup' });
  await eventually(() => stage.events().length === 1);
  expect(stage.events()).toMatchObject([{ event: 'session-started', session_id: 's1' }]);
  const runs = () => stage.json<{ runs: { hook: string; failed: string | null }[] }[]>('events', '--own')[0]?.runs ?? [];
  await eventually(() => runs().length === 2);
  expect(runs().map(({ hook, failed }) => [hook, failed !== null])).toEqual([
    // Without bubblewrap it must not run at all; with it, it runs and its file goes nowhere.
    ['user:settings/confined', !hasBubblewrap],
    ['user:artifacts/note', false],
  ]);
  expect(existsSync(join(stage.root, 'written'))).toBe(false);
  rmSync(join(stage.config, 'settings.json'));
});
