import type { Frame } from '@piton/contracts';
import { expect } from 'vitest';

/** What the agent is given; undefined where a stand-in cannot tell and leaves it to the deny that lies ready. */
export type Answer = object | undefined;

/** A case that a composition cannot be put into, and why. */
export interface Left {
  readonly left: string;
}

/** One hook and one event, and what the agent must be answered. */
export interface Case {
  readonly name: string;
  /** As it stands in settings.json; it is `fail_closed` unless it says otherwise. */
  readonly hook: Readonly<Record<string, unknown>>;
  readonly module?: string;
  readonly payload: (work: string) => object | string;
  readonly agent?: string;
  readonly nativeEvent?: string;
  /** What no forwarder sends: the server is given this frame as a plugin gives it, and nobody can run a command for it. */
  readonly frame?: Partial<Frame>;
  /** Of the server, and of the others unless they say otherwise. */
  readonly answer: Answer;
  readonly rehearsal?: Answer | Left;
  readonly standIn?: { readonly answer: Answer; readonly why: string };
}

const call = (tool: string, input: object) => (work: string) => ({
  ...{ session_id: 's1', hook_event_name: 'PreToolUse', cwd: work, tool_name: tool, tool_input: input, tool_use_id: 'toolu_1' },
});
const bash = call('Bash', { command: 'make' });
const said = (over: object): Answer => ({ hookSpecificOutput: { hookEventName: 'PreToolUse', ...over } });
const denied = (reason: string | RegExp): Answer =>
  said({ permissionDecision: 'deny', permissionDecisionReason: typeof reason === 'string' ? reason : expect.stringMatching(reason) });
const ASKED = said({ permissionDecision: 'ask', permissionDecisionReason: 'sure?' });
const NOTHING: Answer = {};
const json = (answer: object): string => `printf '%s' '${JSON.stringify(answer)}'`;
const NO_JSON: Left = { left: 'a case of a hook’s tests holds its payload as JSON' };
const LAST_RESORT = { answer: undefined, why: 'it cannot tell which hooks would have wanted this event: the deny that lies ready holds' };
const PATCH = '*** Begin Patch\n*** Add File: a.txt\n+a\n*** Add File: secret.txt\n+b\n*** End Patch\n';
/** Longer than a path may be, and shorter than a payload. */
const NO_PATH = `/${'x'.repeat(5000)}`;

export const CASES: readonly Case[] = [
  { name: 'a hook that says nothing', hook: { command: 'exit 0' }, payload: bash, answer: NOTHING },
  { name: 'a deny by exit code', hook: { command: 'echo not in here >&2; exit 2' }, payload: bash, answer: denied('not in here') },
  {
    name: 'a deny in JSON',
    hook: { command: json({ decision: 'deny', reason: 'by policy' }) },
    payload: bash,
    answer: denied('by policy'),
  },
  {
    name: 'an ask',
    hook: { command: json({ decision: 'ask', reason: 'sure?' }) },
    payload: bash,
    answer: denied(/^sure\? .*nobody can answer/),
    rehearsal: ASKED, // a person who tries a hook out is one who could answer
  },
  {
    name: 'an ask where a person can answer',
    hook: { module: 'lifecycle.mjs' },
    module: 'export default () => ({ decision: "ask", reason: "sure?" });',
    payload: bash,
    frame: { terminal: true },
    answer: ASKED,
  },
  {
    name: 'a changed input',
    hook: { command: json({ decision: 'modify', input: { command: 'make -n' } }), may: ['modify'] },
    payload: bash,
    answer: said({ updatedInput: { command: 'make -n' } }),
  },
  {
    name: 'context for the model',
    hook: { command: json({ decision: 'replace', content: 'mind the gap' }) },
    payload: bash,
    answer: said({ additionalContext: 'mind the gap' }),
  },
  { name: 'a hook of another tool', hook: { command: 'exit 2', matcher: 'Write' }, payload: bash, answer: NOTHING },
  {
    name: 'a hook of the kind of tool',
    hook: { command: 'echo "$PITON_TOOL_COMMAND" >&2; exit 2', event: 'pre_shell_execution' },
    payload: bash,
    answer: denied('make'),
  },
  { name: 'a crash', hook: { command: 'kill -s KILL $$' }, payload: bash, answer: denied(/lifecycle/) },
  { name: 'an exit code that means nothing', hook: { command: 'exit 7' }, payload: bash, answer: denied(/lifecycle/) },
  { name: 'a hook that is too slow', hook: { command: 'sleep 20', timeout: 1 }, payload: bash, answer: denied(/lifecycle/) },
  { name: 'a hook that does not start', hook: { command: 'exec /nowhere/program' }, payload: bash, answer: denied(/lifecycle/) },
  {
    name: 'a module',
    hook: { module: 'lifecycle.mjs' },
    module: 'export default ({ tool_input }) => ({ decision: "deny", reason: "no " + tool_input.command });',
    payload: bash,
    answer: denied('no make'),
  },
  {
    name: 'a module that throws',
    hook: { module: 'lifecycle.mjs' },
    module: 'export default () => { throw new Error("out of order"); };',
    payload: bash,
    answer: denied(/out of order/),
  },
  {
    name: 'a call on several files, of which one is denied',
    hook: { command: 'case "$PITON_TOOL_FILES" in *secret*) echo not that one >&2; exit 2;; esac', event: 'pre_file_edit' },
    agent: 'codex',
    payload: (work) => ({ ...call('apply_patch', { command: PATCH })(work), session_id: 's2' }),
    answer: denied(/not that one/),
  },
  {
    name: 'a tool call without an id',
    hook: { command: 'grep -q \'"tool_use_id":"piton_\' || { echo it has no id >&2; exit 2; }' },
    payload: (work) => ({ ...bash(work), tool_use_id: undefined }),
    answer: NOTHING,
  },
  {
    name: 'a directory that is no possible path',
    hook: { command: 'exit 0' },
    payload: (work) => ({ ...bash(work), cwd: NO_PATH }),
    answer: NOTHING,
  },
  {
    name: 'a directory with a zero in its name',
    hook: { command: 'pwd >&2; exit 2' },
    payload: (work) => ({ ...bash(work), cwd: `${work}\0` }),
    answer: denied(/^\/.*\/work$/),
  },
  {
    name: 'a registration without a timeout: thirty seconds',
    hook: { module: 'lifecycle.mjs' },
    module: 'export default () => undefined;',
    payload: bash,
    frame: { timeoutMs: 0 },
    answer: NOTHING,
    rehearsal: { left: 'it takes the timeout that init would write' },
  },
  {
    name: 'a payload that is no JSON',
    hook: { command: 'exit 0', matcher: 'Bash' },
    payload: () => '{ "session_id": ',
    answer: denied(/lifecycle/),
    rehearsal: NO_JSON,
    standIn: LAST_RESORT,
  },
  {
    name: 'no payload at all',
    hook: { command: 'exit 0', matcher: 'Bash' },
    payload: () => '',
    answer: denied(/lifecycle/),
    rehearsal: NO_JSON,
    standIn: LAST_RESORT,
  },
  {
    name: 'a payload that was cut',
    hook: { module: 'lifecycle.mjs', matcher: 'Bash' },
    module: 'export default () => undefined;',
    payload: bash,
    frame: { truncated: true },
    answer: denied(/lifecycle/),
    rehearsal: NO_JSON,
    standIn: LAST_RESORT,
  },
  {
    name: 'an agent that nobody knows',
    hook: { command: 'exit 2' },
    agent: 'nobody',
    payload: bash,
    answer: undefined,
    rehearsal: { left: 'a case names an agent that is known' },
  },
  {
    name: 'a hook that need not hold',
    hook: { command: 'exit 2', fail_closed: false },
    payload: bash,
    answer: denied(/lifecycle/),
    standIn: { answer: NOTHING, why: 'only fail_closed hooks run without a server' },
  },
  {
    name: 'a hook that need not hold, and crashes',
    hook: { command: 'kill -s KILL $$', fail_closed: false },
    payload: bash,
    answer: NOTHING,
  },
];
