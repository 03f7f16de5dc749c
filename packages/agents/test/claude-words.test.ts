import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent } from '../src/index.ts';
import { CLAUDE_MODES, CLAUDE_WORDS } from './claude-documented.ts';
import { everyPayloadOf } from './every-agent.ts';

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('what %s says', (_id, agent) => {
  it('is in the words of Claude Code, in every payload', () => {
    const wrong = everyPayloadOf(agent).flatMap(({ name, payload, context }) => {
      const { event, portable } = agent.decode(payload, context);
      const words = { ...CLAUDE_WORDS[event], ...(portable.permission_mode !== undefined && { permission_mode: CLAUDE_MODES }) };
      return Object.entries(words)
        .filter(([field, known]) => portable[field] !== undefined && !known.includes(portable[field] as string))
        .map(([field]) => `${name} ${event}.${field}: ${JSON.stringify(portable[field])}`);
    });
    expect(wrong).toEqual([]);
  });
});

interface Case {
  readonly agent: string;
  readonly native: string;
  readonly payload: object;
  readonly said: object;
}

describe('a word of another agent', () => {
  const start = (agent: string, native: string, source: string, said: string): Case => ({
    agent,
    native,
    payload: { source, reason: source },
    said: { source: said },
  });
  const end = (agent: string, native: string, reason: string, said: string): Case => ({
    agent,
    native,
    payload: { reason },
    said: { reason: said },
  });
  const mode = (agent: string, permission_mode: string, said: string): Case => ({
    agent,
    native: 'Stop',
    payload: { permission_mode },
    said: { permission_mode: said },
  });
  const note = (agent: string, native: string, notification_type: string, said: string): Case => ({
    agent,
    native,
    payload: { notification_type },
    said: { notification_type: said },
  });
  const cases: readonly Case[] = [
    start('copilot', 'sessionStart', 'new', 'startup'),
    start('copilot', 'SessionStart', 'resume', 'resume'),
    start('vscode', 'SessionStart', 'new', 'startup'),
    start('pi', 'session_start', 'new', 'clear'),
    start('pi', 'session_start', 'reload', 'resume'),
    start('pi', 'session_start', 'fork', 'fork'),
    end('copilot', 'sessionEnd', 'user_exit', 'prompt_input_exit'),
    end('copilot', 'sessionEnd', 'complete', 'other'),
    end('copilot', 'sessionEnd', 'timeout', 'other'),
    end('gemini', 'SessionEnd', 'exit', 'other'),
    end('gemini', 'SessionEnd', 'prompt_input_exit', 'prompt_input_exit'),
    end('gemini', 'SessionEnd', 'never heard of', 'other'),
    end('pi', 'session_shutdown', 'quit', 'other'),
    end('pi', 'session_shutdown', 'new', 'clear'),
    mode('qwen', 'yolo', 'bypassPermissions'),
    mode('qwen', 'auto-edit', 'acceptEdits'),
    mode('qwen', 'auto_edit', 'acceptEdits'),
    mode('qwen', 'plan', 'plan'),
    mode('droid', 'off', 'default'),
    mode('droid', 'spec', 'plan'),
    mode('droid', 'auto-low', 'acceptEdits'),
    mode('droid', 'auto-medium', 'auto'),
    mode('droid', 'auto-high', 'bypassPermissions'),
    note('gemini', 'Notification', 'ToolPermission', 'permission_prompt'),
    note('copilot', 'notification', 'agent_idle', 'idle_prompt'),
    note('copilot', 'notification', 'something new', 'something new'),
  ];
  it.each(cases)('$agent, $native: $payload', ({ agent, native, payload, said }) => {
    const { portable, raw } = findAgent(agent)?.decode(payload, { nativeEvent: native, cwd: '/', variables: {} }) ?? {};
    expect(portable).toMatchObject(said);
    expect(raw).toEqual(payload);
  });
  it('is what conditions on the source compare', () => {
    const event = findAgent('copilot')?.decode({ source: 'new' }, { nativeEvent: 'sessionStart', cwd: '/', variables: {} });
    expect(event?.source).toBe('startup');
  });
});
