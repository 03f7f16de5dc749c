// Compiled, never run: by this repository's own check, and by strangers' settings against the package (`package.test.ts`).
import { defineHook, Event, fire, type Hook, type HookResult, matchesEvent, run } from '../../src/library/index.ts';

/** The compiler takes all of these. */
export const right: readonly Hook[] = [
  { name: 'c', event: Event.PrePrompt, command: 'true', timeout: 5, injectOutput: true, enabled: true, matcher: '' },
  defineHook({ name: 'd', event: 'pre_tool_use', run: ({ tool_input }) => ({ decision: 'deny', reason: String(tool_input.command) }) }),
  defineHook({ name: 's', event: 'pre_tool_use', run: (_, { signal, env }) => (signal.aborted ? null : env.TOOL_NAME) }),
  defineHook({ name: 'p', event: 'user_prompt_submit', run: async ({ prompt }) => prompt.toUpperCase() }),
  defineHook({ name: 'o', event: 'stop', observe: true, group: 'g', run: async () => {} }),
  defineHook({ name: 'b', event: 'pre_tool_use', run: () => ({ decision: 'block', reason: 'as Claude Code says it' }) }),
  defineHook({ name: 'h', event: 'pre_tool_use', run: () => ({ hookSpecificOutput: { permissionDecision: 'deny' } }) }),
  defineHook({
    name: 'i',
    event: 'pre_tool_use',
    run: ({ tool_input }) => ({ decision: 'modify', input: { ...tool_input, command: 'ls' } }),
  }),
  defineHook({ name: 'm', event: 'stop', module: './x.mjs' }),
];
export const results = (): Promise<HookResult[]> => run(right, 'pre_tool_use', 'Bash', { A: 'b' });
export const matched = right.map((hook) => matchesEvent(hook, 'stop'));

/** And none of these. */
export const wrong: readonly (() => unknown)[] = [
  // @ts-expect-error nothing to run
  () => defineHook({ name: 'x', event: 'stop' }),
  // @ts-expect-error an event that is none
  () => defineHook({ name: 'x', event: 'sometime', command: 'true' }),
  // @ts-expect-error two things to run
  () => defineHook({ name: 'x', event: 'stop', command: 'true', run: () => undefined }),
  // @ts-expect-error no name
  () => defineHook({ event: 'stop', command: 'true' }),
  // @ts-expect-error a field that is none
  () => defineHook({ name: 'x', event: 'stop', command: 'true', timeuot: 5 }),
  // @ts-expect-error a time limit in words
  () => defineHook({ name: 'x', event: 'stop', command: 'true', timeout: '5s' }),
  // @ts-expect-error a switch in words
  () => defineHook({ name: 'x', event: 'stop', command: 'true', injectOutput: 'yes' }),
  // @ts-expect-error a mode that is none
  () => defineHook({ name: 'x', event: 'stop', command: 'true', mode: 'maybe' }),
  // @ts-expect-error a module that is no path
  () => defineHook({ name: 'x', event: 'stop', module: 5 }),
  // @ts-expect-error a kind that is none
  () => defineHook({ name: 'x', event: 'pre_tool_use', command: 'true', when: { kind: 'shel' } }),
  // @ts-expect-error a condition that is none
  () => defineHook({ name: 'x', event: 'pre_tool_use', command: 'true', when: { comand: 'x' } }),
  // @ts-expect-error a decision that is none
  () => defineHook({ name: 'x', event: 'pre_tool_use', run: () => ({ decision: 'denny', reason: 'no' }) }),
  // @ts-expect-error a deny without a reason
  () => defineHook({ name: 'x', event: 'pre_tool_use', run: () => ({ decision: 'deny' }) }),
  // @ts-expect-error a change without its input
  () => defineHook({ name: 'x', event: 'pre_tool_use', run: async () => ({ decision: 'modify', inputs: {} }) }),
  // @ts-expect-error an answer that is none
  () => defineHook({ name: 'x', event: 'pre_tool_use', run: () => 5 }),
  // @ts-expect-error a field of the input taken for text
  () => defineHook({ name: 'x', event: 'pre_tool_use', run: ({ tool_input }) => tool_input.command.trim() }),
  // @ts-expect-error the input of a tool where there may be none
  () => defineHook({ name: 'x', event: 'stop', run: ({ tool_input }) => String(tool_input.command) }),
  // @ts-expect-error a prompt where there may be none
  () => defineHook({ name: 'x', event: 'session_start', run: ({ prompt }) => prompt.trim() }),
  // @ts-expect-error a variable that is no text
  () => run([], 'stop', '', { DEPTH: 1 }),
  // @ts-expect-error an option that is none
  () => fire([], 'stop', { toolNme: 'Bash' }),
  // @ts-expect-error a verdict that is none
  () => fire([], 'stop').then(({ decision }) => decision.verdict === 'maybe'),
  // @ts-expect-error a field of a result that is none
  () => run([], 'stop').then((results) => results[0]?.exit),
];
