import { factsOf } from '@piton/context';
import type { LedgerEntry } from '@piton/store';
import { describe, expect, it } from 'vitest';
import { eventOf, recordedSession } from './recorded.ts';

const factsIn = (agent: string, folder: string): LedgerEntry[] =>
  recordedSession(agent, folder).flatMap(({ event, endsInTranscript }) => [...factsOf(event, null, { endsInTranscript })]);

const command = (text: string, ok: boolean | null, exitCode: number | null, detail: string | null = null): LedgerEntry => ({
  ...{ kind: 'command', command: text, cwd: '/proj/repo', purpose: null, ok, exitCode, detail },
});

/** Read from the recordings by hand. */
describe('the facts of a recorded session', () => {
  it('of Claude Code: what was written, every command with its exit code, the to-do list item by item, the answer', () => {
    expect(factsIn('claude', '2.1.325/session')).toEqual([
      command('echo hi > shell-ran.txt; echo hi', true, 0),
      { kind: 'file', path: '/proj/repo/a.txt', tool: 'Write' },
      { kind: 'file', path: '/proj/repo/a.txt', tool: 'Edit' },
      command('echo oops >&2; exit 3', false, 3, 'oops'),
      { kind: 'todos', partial: true, items: [{ id: '1', text: 'first', status: 'open' }] },
      { kind: 'todos', partial: true, items: [{ id: '1', text: '', status: 'done' }] },
      // A subagent's.
      command('ls', true, 0),
      { kind: 'answer', text: 'Final answer.' },
    ]);
  });

  it('of Codex, whose events do not say how a command ended', () => {
    expect(factsIn('codex', '0.166.0/session')).toEqual([
      command('echo hi > shell-ran.txt; echo hi', null, null),
      { kind: 'file', path: '/proj/repo/a.txt', tool: 'Write' },
      { kind: 'file', path: '/proj/repo/a.txt', tool: 'Edit' },
      command('cat a.txt', null, null),
      command('echo oops >&2; exit 3', null, null),
      { kind: 'todos', items: [{ text: 'first', status: 'active' }] },
      command('ls', null, null),
      { kind: 'answer', text: 'Final answer.' },
    ]);
  });

  it('of Gemini CLI', () => {
    expect(factsIn('gemini', '0.61.0/session')).toEqual([
      command('echo hi > shell-ran.txt; echo hi', true, 0),
      { kind: 'file', path: '/proj/repo/a.txt', tool: 'Write' },
      { kind: 'file', path: '/proj/repo/a.txt', tool: 'Edit' },
      command('echo oops >&2; exit 3', false, 3, 'oops'),
      { kind: 'todos', items: [{ text: 'first', status: 'active' }] },
      { kind: 'answer', text: 'Running a command.\nFinal answer.' },
    ]);
  });
});

describe('what the person chose', () => {
  it('is an answered question and an accepted plan, as Claude Code reports them', () => {
    expect(factsIn('claude', '2.1.325/choices')).toEqual([
      { kind: 'choice', question: 'Which store?', answer: 'SQLite' },
      // Its model wrote no plan, and in another session one.
      { kind: 'choice', question: 'plan', answer: 'accepted' },
      { kind: 'choice', question: 'plan', answer: 'Keep it in SQLite, then test it.' },
    ]);
  });

  const accepted = (tool_input: object, tool_response: object) => {
    const call = { session_id: 's', cwd: '/proj/repo', hook_event_name: 'PostToolUse', tool_name: 'ExitPlanMode', tool_use_id: 't' };
    return factsOf(eventOf('claude', 'PostToolUse', { ...call, transcript_path: '/t', tool_input, tool_response }).event, null);
  };
  it.each([
    ['in the result', {}, { plan: 'Write it, then test it.', isAgent: false }],
    ['in the call', { plan: 'Write it, then test it.' }, { isAgent: false }],
  ])('has the plan itself where it is %s', (_, input, response) => {
    expect(accepted(input, response)).toEqual([{ kind: 'choice', question: 'plan', answer: 'Write it, then test it.' }]);
  });
  /** As these programs end the tool: by their texts, in their payloads. */
  const ended = (agent: string, tool_name: string, tool_input: object, llmContent: string): readonly LedgerEntry[] => {
    const call = { session_id: 's', cwd: '/proj/repo', transcript_path: '/t', tool_name, tool_input };
    const tool_response = { llmContent, returnDisplay: { plan: 'x' } };
    const timestamp = '2026-11-15T09:00:00.000Z';
    const [event, payload] =
      agent === 'gemini'
        ? ['AfterTool', { ...call, timestamp, tool_response }]
        : [
            'PostToolUse',
            agent === 'kimi'
              ? { ...call, tool_call_id: 't', tool_output: llmContent }
              : { ...call, tool_use_id: 't', timestamp, tool_response },
          ];
    return factsOf(eventOf(agent, event, { ...payload, hook_event_name: event }).event, null);
  };
  const plan = 'Write it: it must not fail, and nothing is rejected.';
  it.each([
    ['qwen', 'exit_plan_mode', 'User approved. You can now start coding. Start with updating your todo list if applicable.', plan],
    ['gemini', 'exit_plan_mode', 'Plan approved. Switching.\n\nThe approved implementation plan is stored at: /p.md', plan],
    ['kimi', 'ExitPlanMode', `Plan mode deactivated. All tools are now available.\n\n## Approved Plan:\n${plan}`, plan],
    ['qwen', 'exit_plan_mode', 'Plan execution was not approved. Remaining in plan mode.', undefined],
    ['qwen', 'exit_plan_mode', 'Plan approval is stale because the approval mode changed. No action was taken.', undefined],
    ['qwen', 'exit_plan_mode', 'Leader rejected the plan. Revise the plan based on the feedback and call exit_plan_mode again.', undefined],
    ['gemini', 'exit_plan_mode', 'Plan rejected. User feedback: approved it is not', undefined],
    [
      'gemini',
      'exit_plan_mode',
      'User cancelled the plan approval dialog. The plan was not approved and you are still in Plan Mode.',
      undefined,
    ],
    ['kimi', 'ExitPlanMode', 'Plan rejected by user. Plan mode remains active.', undefined],
    ['kimi', 'ExitPlanMode', `Plan mode deactivated.\n\n## Plan (auto-approved, not user-reviewed):\n${plan}`, undefined],
  ])('is a plan of %s that was accepted, and no other: %s %s', (agent, tool, said, accepted) => {
    const choices = ended(agent, tool, { plan }, said).filter(({ kind }) => kind === 'choice');
    expect(choices).toEqual(accepted === undefined ? [] : [{ kind: 'choice', question: 'plan', answer: accepted }]);
  });
  it('is an answer of Gemini CLI, which numbers its questions, and none where the person went away', () => {
    const input = { questions: [{ question: 'Which store?', header: 'Store', type: 'choice' }] };
    expect(ended('gemini', 'ask_user', input, '{"answers":{"0":"SQLite"}}')).toEqual([
      { kind: 'choice', question: 'Which store?', answer: 'SQLite' },
    ]);
    for (const said of ['{"answers":{}}', 'User dismissed ask_user dialog without answering.', '{"answers'])
      expect(ended('gemini', 'ask_user', input, said)).toEqual([]);
  });
  it('is cut where it is long, and none without an answer', () => {
    expect(accepted({}, { plan: 'x'.repeat(5000) })).toMatchObject([{ answer: expect.stringMatching(/^x{399}…$/) }]);
    const call = { session_id: 's', cwd: '/r', hook_event_name: 'PostToolUse', tool_name: 'AskUserQuestion', tool_use_id: 't' };
    const { event } = eventOf('claude', 'PostToolUse', {
      ...call,
      transcript_path: '/t',
      tool_input: { questions: [] },
      tool_response: {},
    });
    expect(factsOf(event, null)).toEqual([]);
  });
});

const ran = (text: string, stdout = ''): LedgerEntry | undefined => {
  const payload = {
    session_id: 's',
    cwd: '/proj/repo',
    hook_event_name: 'PostToolUse',
    tool_name: 'Bash',
    tool_use_id: 't',
    transcript_path: '/t',
  };
  const { event } = eventOf('claude', 'PostToolUse', {
    ...payload,
    tool_input: { command: text },
    tool_response: { stdout, stderr: '', interrupted: false },
  });
  return factsOf(event, null)[0];
};

describe('what a command is for', () => {
  it.each([
    ['npm test', 'test'],
    ['npm run test:unit -- --watch=false', 'test'],
    ['cd app && npx --yes vitest run a.test.ts', 'test'],
    ['python3 -m pytest -q', 'test'],
    ['uv run pytest', 'test'],
    ['cargo test --all', 'test'],
    ['go test ./...', 'test'],
    ['CI=1 timeout 60 npm t', 'test'],
    ['npm run build', 'build'],
    ['make', 'build'],
    ['npx tsc --noEmit', 'lint'],
    ['pnpm lint', 'lint'],
    ['npm run build && npm test', 'test'],
    ['echo npm test', null],
    ['grep -rn "npm test" .', null],
    ['cat test.txt', null],
    ['npm install', null],
    ['ls test', null],
  ])('%s: %s', (text, purpose) => expect(ran(text)).toMatchObject({ purpose }));
});

describe('whether tests passed', () => {
  it.each([
    ['the exit code says it', 'npm test', '', true],
    ['also after a change of directory', 'cd x; npm test', '', true],
    ['a pipe hides it, and nothing else says it', 'npm test | tail -3', 'bye', null],
    ['a pipe hides it, and the counts say it', 'npm test 2>&1 | tail -3', ' Tests  1 failed | 3 passed (4)', false],
    ['a pipe hides it, and the counts say that all passed', 'npx vitest run | tail', ' Tests  12 passed (12)', true],
    ['what follows hides it', 'npm test; echo done', 'done', null],
    ['an alternative hides it', 'npm test || true', '', null],
    ['pytest', 'pytest | tail -1', '=== 2 failed, 5 passed in 0.12s ===', false],
    ['node, as TAP', 'npm test | tail', '# tests 3\n# pass 3\n# fail 0\n# cancelled 0', true],
    ['node, as TAP, and one fails', 'npm test | tail', '# tests 3\n# pass 2\n# fail 1\n# cancelled 0', false],
    ['node, as it writes since 23', 'npm test | tail', 'ℹ tests 3\nℹ pass 3\nℹ fail 0\nℹ cancelled 0', true],
    ['node, as it writes since 23, and one fails', 'node --test | tail', 'ℹ tests 3\nℹ pass 2\nℹ fail 1\nℹ cancelled 0', false],
    ['cargo', 'cargo test | cat', 'test result: ok. 4 passed; 0 failed; 0 ignored', true],
  ])('%s', (_, text, output, ok) => expect(ran(text, output)).toMatchObject({ purpose: 'test', ok }));
});

it('nobody knows how a command ends that was left in the background', () => {
  const { event } = eventOf('claude', 'PostToolUse', {
    ...{ session_id: 's', cwd: '/proj/repo', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't', transcript_path: '/t' },
    tool_input: { command: 'npm test', run_in_background: true },
    tool_response: { stdout: '', stderr: '', interrupted: false, backgroundTaskId: 'b1' },
  });
  expect(factsOf(event, null)).toMatchObject([{ kind: 'command', ok: null, exitCode: null, background: true }]);
});

describe('a commit', () => {
  it('is read from what git printed', () => {
    const { event } = eventOf('claude', 'PostToolUse', {
      ...{ session_id: 's', cwd: '/proj/repo', hook_event_name: 'PostToolUse', tool_name: 'Bash', tool_use_id: 't', transcript_path: '/t' },
      tool_input: { command: 'git add -A && git commit -m "Fix the thing"' },
      tool_response: { stdout: '[main 1a2b3c4] Fix the thing\n 1 file changed, 1 insertion(+)', stderr: '', interrupted: false },
    });
    expect(factsOf(event, null)[1]).toEqual({ kind: 'commit', sha: '1a2b3c4', subject: 'Fix the thing' });
  });

  it('is none where something else printed it', () => expect(ran('cat log.txt', '[main 1a2b3c4] Fix')).toMatchObject({ kind: 'command' }));
});

describe('a turn that failed', () => {
  const failed = (error: string, details: string) =>
    factsOf(
      eventOf('claude', 'StopFailure', {
        ...{ session_id: 's', cwd: '/proj/repo', transcript_path: '/t', hook_event_name: 'StopFailure', error, error_details: details },
        last_assistant_message: details,
      }).event,
      null,
    )[0];
  it.each([
    ['rate_limit', '429 Too Many Requests', 'rate-limit', null],
    ['rate_limit', "You've hit your limit · resets 3pm (Europe/Berlin)", 'rate-limit', '3pm (Europe/Berlin)'],
    ['unknown', 'Claude AI usage limit reached|1780000000', 'rate-limit', '2026-05-28T20:26:40.000Z'],
    ['billing_error', 'Credit balance is too low', 'billing', null],
    ['server_error', 'API Error: 529 overloaded_error', 'outage', null],
    ['invalid_request', 'prompt is too long: 210000 tokens > 200000 maximum', 'context', null],
    ['authentication_failed', 'Invalid API key', 'login', null],
    ['unknown', 'something else', 'other', null],
  ])('%s, %s: %s', (error, details, cause, resetsAt) => expect(failed(error, details)).toMatchObject({ kind: 'failure', cause, resetsAt }));
});

it('a denial says what was denied, why and by which hooks', () => {
  const { event } = eventOf('claude', 'PreToolUse', {
    ...{ session_id: 's', cwd: '/proj/repo', hook_event_name: 'PreToolUse', tool_name: 'Bash', tool_use_id: 't', transcript_path: '/t' },
    tool_input: { command: 'rm -rf /' },
  });
  const said = { decision: 'deny', reason: 'no' } as const;
  const trace = [
    { hook: 'guard', scope: 'user', event: 'pre_tool_use', did: 'ran', exitCode: 2, durationMs: 1, said, stdout: '', stderr: '' },
    { hook: 'other', scope: 'user', event: 'pre_tool_use', did: 'skipped', why: 'no-match' },
  ] as const;
  const outcome = { decision: { ...said, verdict: 'deny' }, trace, delivered: [{ decision: 'deny', how: 'now' }] } as const;
  expect(factsOf(event, outcome)).toEqual([{ kind: 'denial', tool: 'Bash', what: 'rm -rf /', reason: 'no', by: ['guard'] }]);
});
