import type { Decision, EventName } from '@piton/contracts';
import type { hookOf, resultOf } from './scenery.ts';

type Run = Parameters<typeof resultOf>[0];
const json = (value: unknown): Run => ({ stdout: JSON.stringify(value) });
export const specific = (hookEventName: string, fields: object): Run => json({ hookSpecificOutput: { hookEventName, ...fields } });

interface Row {
  readonly when: string;
  readonly event: EventName;
  readonly run: Run;
  readonly all?: readonly Decision[];
  readonly failed?: string;
  readonly userMessage?: string;
  readonly endRun?: boolean;
  readonly hook?: Parameters<typeof hookOf>[0];
}

export const deny = (reason: string): Decision => ({ decision: 'deny', reason });
const replace = (content: string): Decision => ({ decision: 'replace', content });
const onward = (reason: string): Decision => ({ decision: 'continue', reason });

export const ROWS: readonly Row[] = [
  // nothing
  { when: 'nothing is said', event: 'pre_tool_use', run: {} },
  { when: 'only blank lines are said', event: 'user_prompt_submit', run: { stdout: '\n \n' } },
  { when: 'an empty object is said', event: 'pre_tool_use', run: { stdout: '{}' } },
  { when: 'only unknown keys are said', event: 'pre_tool_use', run: json({ suppressOutput: true, colour: 'red' }) },
  // Claude Code's JSON before a tool
  {
    when: 'permissionDecision denies',
    event: 'pre_tool_use',
    run: specific('PreToolUse', { permissionDecision: 'deny', permissionDecisionReason: 'no' }),
    all: [deny('no')],
  },
  {
    when: 'a deny has no reason',
    event: 'pre_tool_use',
    run: specific('PreToolUse', { permissionDecision: 'deny' }),
    all: [deny('hook plain gave no reason')],
  },
  {
    when: 'permissionDecision asks',
    event: 'pre_tool_use',
    run: specific('PreToolUse', { permissionDecision: 'ask', permissionDecisionReason: 'sure?' }),
    all: [{ decision: 'ask', reason: 'sure?' }],
  },
  {
    when: 'permissionDecision allows',
    event: 'pre_tool_use',
    run: specific('PreToolUse', { permissionDecision: 'allow' }),
    all: [{ decision: 'allow' }],
  },
  { when: 'permissionDecision defers', event: 'pre_tool_use', run: specific('PreToolUse', { permissionDecision: 'defer' }) },
  {
    when: 'permissionDecision is a word that nobody knows',
    event: 'pre_tool_use',
    run: specific('PreToolUse', { permissionDecision: 'maybe' }),
    failed: 'unreadable',
  },
  {
    when: 'it allows another input and tells the model',
    event: 'pre_tool_use',
    run: specific('PreToolUse', { permissionDecision: 'allow', updatedInput: { command: 'ls' }, additionalContext: 'changed' }),
    all: [{ decision: 'allow' }, { decision: 'modify', input: { command: 'ls' } }, replace('changed')],
  },
  { when: 'the new input is no object', event: 'pre_tool_use', run: specific('PreToolUse', { updatedInput: 'ls' }), failed: 'unreadable' },
  {
    when: 'the hook of a kind answers with the generic name',
    event: 'pre_tool_use',
    hook: { event: 'pre_shell_execution' },
    run: specific('PreToolUse', { permissionDecision: 'allow' }),
    all: [{ decision: 'allow' }],
  },
  {
    when: 'hookEventName is missing',
    event: 'pre_tool_use',
    run: json({ hookSpecificOutput: { permissionDecision: 'allow' } }),
    all: [{ decision: 'allow' }],
  },
  {
    when: 'hookEventName is that of another event',
    event: 'pre_tool_use',
    run: specific('PostToolUse', { permissionDecision: 'allow' }),
    failed: 'unreadable',
  },
  { when: 'hookSpecificOutput is a list', event: 'pre_tool_use', run: json({ hookSpecificOutput: [] }), failed: 'unreadable' },
  // the old form
  { when: 'the old form blocks a tool', event: 'pre_tool_use', run: json({ decision: 'block', reason: 'no' }), all: [deny('no')] },
  {
    when: 'the old form approves',
    event: 'pre_tool_use',
    run: json({ decision: 'approve', reason: 'fine' }),
    all: [{ decision: 'allow', reason: 'fine' }],
  },
  { when: 'the old form blocks a prompt', event: 'user_prompt_submit', run: json({ decision: 'block', reason: 'no' }), all: [deny('no')] },
  { when: 'the old form blocks compaction', event: 'pre_compact', run: json({ decision: 'block', reason: 'no' }), all: [deny('no')] },
  {
    when: 'the old form blocks a stop',
    event: 'stop',
    run: json({ decision: 'block', reason: 'test first' }),
    all: [onward('test first')],
  },
  {
    when: 'the old form blocks the stop of a subagent',
    event: 'subagent_stop',
    run: json({ decision: 'block', reason: 'more' }),
    all: [onward('more')],
  },
  {
    when: 'the old form blocks after a tool',
    event: 'post_tool_use',
    run: json({ decision: 'block', reason: 'lint failed' }),
    all: [replace('lint failed')],
  },
  { when: 'a reason is no text', event: 'pre_tool_use', run: json({ decision: 'block', reason: 7 }), failed: 'unreadable' },
  // Piton's decisions
  { when: 'Piton: observe', event: 'pre_tool_use', run: json({ decision: 'observe' }) },
  { when: 'Piton: deny', event: 'pre_tool_use', run: json({ decision: 'deny', reason: 'no' }), all: [deny('no')] },
  {
    when: 'Piton: deny without a reason',
    event: 'pre_tool_use',
    run: json({ decision: 'deny' }),
    all: [deny('hook plain gave no reason')],
  },
  {
    when: 'Piton: ask',
    event: 'pre_tool_use',
    run: json({ decision: 'ask', reason: 'sure?' }),
    all: [{ decision: 'ask', reason: 'sure?' }],
  },
  { when: 'Piton: allow', event: 'pre_tool_use', run: json({ decision: 'allow' }), all: [{ decision: 'allow' }] },
  {
    when: 'Piton: modify',
    event: 'pre_tool_use',
    run: json({ decision: 'modify', input: { a: 1 }, reason: 'r' }),
    all: [{ decision: 'modify', input: { a: 1 }, reason: 'r' }],
  },
  { when: 'Piton: modify without input', event: 'pre_tool_use', run: json({ decision: 'modify' }), failed: 'unreadable' },
  { when: 'Piton: replace', event: 'session_start', run: json({ decision: 'replace', content: 'hello' }), all: [replace('hello')] },
  { when: 'Piton: replace without content', event: 'session_start', run: json({ decision: 'replace' }), failed: 'unreadable' },
  {
    when: 'Piton: rewrite',
    event: 'post_tool_use',
    run: json({ decision: 'rewrite', output: null }),
    all: [{ decision: 'rewrite', output: null }],
  },
  { when: 'Piton: rewrite without output', event: 'post_tool_use', run: json({ decision: 'rewrite' }), failed: 'unreadable' },
  { when: 'Piton: continue', event: 'stop', run: json({ decision: 'continue', reason: 'go on' }), all: [onward('go on')] },
  { when: 'a decision that nobody knows', event: 'pre_tool_use', run: json({ decision: 'denied' }), failed: 'unreadable' },
  // after a tool, at permission requests, at stop
  {
    when: 'the output is rewritten',
    event: 'post_tool_use',
    run: specific('PostToolUse', { updatedToolOutput: { stdout: 'x' } }),
    all: [{ decision: 'rewrite', output: { stdout: 'x' } }],
  },
  {
    when: 'the output of an MCP tool is rewritten in the old form',
    event: 'post_tool_use',
    run: specific('PostToolUse', { updatedMCPToolOutput: 'x' }),
    all: [{ decision: 'rewrite', output: 'x' }],
  },
  {
    when: 'after a failed tool the hook of a kind answers with either name',
    event: 'post_tool_use_failure',
    hook: { event: 'post_shell_execution' },
    run: specific('PostToolUse', { additionalContext: 'hm' }),
    all: [replace('hm')],
  },
  {
    when: 'context stands beside nothing, as hooks say it that look which agent runs them',
    event: 'session_start',
    run: json({ additionalContext: 'hm' }),
    all: [replace('hm')],
  },
  {
    when: 'a permission request is allowed',
    event: 'permission_request',
    run: specific('PermissionRequest', { decision: { behavior: 'allow' } }),
    all: [{ decision: 'allow' }],
  },
  {
    when: 'a permission request is allowed with another input',
    event: 'permission_request',
    run: specific('PermissionRequest', { decision: { behavior: 'allow', updatedInput: { a: 1 } } }),
    all: [{ decision: 'allow' }, { decision: 'modify', input: { a: 1 } }],
  },
  {
    when: 'a permission request is denied',
    event: 'permission_request',
    run: specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no' } }),
    all: [deny('no')],
  },
  {
    when: 'a permission request is denied and the run interrupted',
    event: 'permission_request',
    run: specific('PermissionRequest', { decision: { behavior: 'deny', message: 'no', interrupt: true } }),
    all: [deny('no')],
    endRun: true,
  },
  {
    when: 'a permission request gets a strange answer',
    event: 'permission_request',
    run: specific('PermissionRequest', { decision: { behavior: 'later' } }),
    failed: 'unreadable',
  },
  {
    when: 'at stop the model is told something',
    event: 'stop',
    run: specific('Stop', { additionalContext: 'one more' }),
    all: [onward('one more')],
  },
  // what may stand beside any answer
  { when: 'the person is told something', event: 'pre_tool_use', run: json({ systemMessage: 'look out' }), userMessage: 'look out' },
  {
    when: 'continue is false before a tool',
    event: 'pre_tool_use',
    run: json({ continue: false, stopReason: 'enough' }),
    all: [deny('enough')],
    endRun: true,
  },
  {
    when: 'continue is false beside a deny',
    event: 'pre_tool_use',
    run: json({ continue: false, stopReason: 'enough', decision: 'deny', reason: 'no' }),
    all: [deny('no')],
    endRun: true,
  },
  {
    when: 'continue is false after a tool',
    event: 'post_tool_use',
    run: json({ continue: false, stopReason: 'enough' }),
    userMessage: 'enough',
    endRun: true,
  },
  { when: 'continue is true', event: 'pre_tool_use', run: json({ continue: true }) },
  // plain text
  { when: 'text at session start', event: 'session_start', run: { stdout: 'be brief\n' }, all: [replace('be brief')] },
  { when: 'text at a prompt', event: 'user_prompt_submit', run: { stdout: 'be brief' }, all: [replace('be brief')] },
  { when: 'text before a tool', event: 'pre_tool_use', run: { stdout: 'checking' } },
  {
    when: 'text on any event with inject_output',
    event: 'pre_tool_use',
    hook: { injectOutput: true },
    run: { stdout: 'checking' },
    all: [replace('checking')],
  },
  {
    when: 'text at session start without inject_output',
    event: 'session_start',
    hook: { injectOutput: false },
    run: { stdout: 'be brief' },
  },
  {
    when: 'text that begins like JSON and does not end so',
    event: 'session_start',
    run: { stdout: '{ is a bracket' },
    all: [replace('{ is a bracket')],
  },
  { when: 'a list', event: 'session_start', run: { stdout: '[1]' }, all: [replace('[1]')] },
  { when: 'what looks like JSON and is none', event: 'session_start', run: { stdout: '{"a": }' }, failed: 'unreadable' },
  {
    when: 'a policy says plain text',
    event: 'pre_tool_use',
    hook: { failClosed: true },
    run: { stdout: 'checked 3 files {all}\nok' },
  },
  {
    when: 'a policy prints an object over several lines',
    event: 'pre_tool_use',
    hook: { failClosed: true },
    run: { stdout: '{\n  "decision": "deny",\n  "reason": "no"\n}\n' },
    all: [deny('no')],
  },
  ...[
    '{"decision":"deny","reason":"no"',
    '{"decision":"deny","reason":"no"}\nbye',
    'warn: x\n{"decision":"deny","reason":"no"}',
    'warn: x\r \t{"decision":"deny","reason":"no"}',
    '[{"decision":"deny"}]',
    'warn: x\n\n  [{"decision":"deny"}]\n',
  ].map(
    (stdout): Row => ({
      when: `a policy says ${JSON.stringify(stdout)}`,
      event: 'pre_tool_use',
      hook: { failClosed: true },
      run: { stdout },
      failed: 'unreadable',
    }),
  ),
  {
    when: 'a policy cuts its answer at a prompt',
    event: 'user_prompt_submit',
    hook: { failClosed: true },
    run: { stdout: '{"decision":"deny"' },
    failed: 'unreadable',
  },
  {
    when: 'a policy cuts its answer and exits 2',
    event: 'pre_tool_use',
    hook: { failClosed: true },
    run: { exitCode: 2, stderr: 'no', stdout: '{"decision":"allow"' },
    all: [deny('no')],
  },
  {
    when: 'JSON after a byte order mark',
    event: 'pre_tool_use',
    run: { stdout: '\ufeff{"decision":"deny","reason":"no"}' },
    all: [deny('no')],
  },
  // exit 2
  { when: 'exit 2 before a tool', event: 'pre_tool_use', run: { exitCode: 2, stderr: 'no\n' }, all: [deny('no')] },
  {
    when: 'exit 2 of a hook of a kind',
    event: 'pre_tool_use',
    hook: { event: 'pre_file_edit' },
    run: { exitCode: 2, stderr: 'no' },
    all: [deny('no')],
  },
  { when: 'exit 2 without a word', event: 'pre_tool_use', run: { exitCode: 2 }, all: [deny('hook plain gave no reason')] },
  { when: 'exit 2 at a prompt', event: 'user_prompt_submit', run: { exitCode: 2, stderr: 'no', stdout: 'ignored' }, all: [deny('no')] },
  { when: 'exit 2 before compaction', event: 'pre_compact', run: { exitCode: 2, stderr: 'no' }, all: [deny('no')] },
  { when: 'exit 2 at stop', event: 'stop', run: { exitCode: 2, stderr: 'test first' }, all: [onward('test first')] },
  { when: 'exit 2 at the stop of a subagent', event: 'subagent_stop', run: { exitCode: 2, stderr: 'more' }, all: [onward('more')] },
  { when: 'exit 2 after a tool', event: 'post_tool_use', run: { exitCode: 2, stderr: 'lint failed' }, all: [replace('lint failed')] },
  {
    when: 'exit 2 after a failed tool',
    event: 'post_tool_use_failure',
    run: { exitCode: 2, stderr: 'try again' },
    all: [replace('try again')],
  },
  { when: 'exit 2 after a tool without a word', event: 'post_tool_use', run: { exitCode: 2 } },
  { when: 'exit 2 at a permission request', event: 'permission_request', run: { exitCode: 2, stderr: 'no' } },
  { when: 'exit 2 at session start', event: 'session_start', run: { exitCode: 2, stderr: 'no' }, failed: 'exit' },
  {
    when: 'exit 2 with JSON that allows',
    event: 'pre_tool_use',
    run: { exitCode: 2, stderr: 'no', ...json({ decision: 'allow' }) },
    all: [{ decision: 'allow' }, deny('no')],
  },
  {
    when: 'exit 2 with JSON that denies',
    event: 'pre_tool_use',
    run: { exitCode: 2, stderr: 'noise', ...json({ decision: 'deny', reason: 'no' }) },
    all: [deny('no')],
  },
  { when: 'exit 2 with broken JSON', event: 'pre_tool_use', run: { exitCode: 2, stderr: 'no', stdout: '{"a":}' }, all: [deny('no')] },
  // failures
  { when: 'another exit code', event: 'pre_tool_use', run: { exitCode: 1, stderr: 'jq: not found' }, failed: 'exit' },
  {
    when: 'another exit code at session start, with text',
    event: 'session_start',
    run: { exitCode: 1, stdout: 'half a sentence' },
    failed: 'exit',
  },
  {
    when: 'another exit code with JSON that denies',
    event: 'pre_tool_use',
    run: { exitCode: 1, ...json({ decision: 'deny', reason: 'no' }) },
    all: [deny('no')],
  },
  { when: 'another exit code with JSON that says nothing', event: 'pre_tool_use', run: { exitCode: 1, stdout: '{}' }, failed: 'exit' },
  { when: 'the shell did not find the command', event: 'pre_tool_use', run: { exitCode: 127, stderr: 'sh: x: not found' }, failed: 'exit' },
  { when: 'a signal ended it', event: 'pre_tool_use', run: { exitCode: 139 }, failed: 'crash' },
  {
    when: 'it timed out',
    event: 'pre_tool_use',
    run: { exitCode: -1, timedOut: true, ...json({ decision: 'allow' }) },
    failed: 'timeout',
  },
  {
    when: 'it did not start',
    event: 'pre_tool_use',
    run: { exitCode: 126, notStarted: true, stderr: 'permission denied' },
    failed: 'spawn',
  },
  { when: 'its output was cut', event: 'session_start', run: { stdout: 'x'.repeat(100), stdoutCut: true }, failed: 'unreadable' },
  {
    when: 'its output was cut and it exits 2',
    event: 'pre_tool_use',
    run: { exitCode: 2, stderr: 'no', stdout: 'x', stdoutCut: true },
    all: [deny('no')],
  },
];
