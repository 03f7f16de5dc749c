import type { Agent, CanonicalEvent, CapabilityTable, EventName } from '@piton/contracts';
import { OBSERVE } from '@piton/contracts';
import { expect, it } from 'vitest';
import { withSessionEffects } from '../src/session/effects.ts';
import { SessionMemory } from '../src/session/memory.ts';

const now = { how: 'now' } as const;
const event = (name: EventName): CanonicalEvent => ({
  event: name,
  names: [name],
  agent: 'some',
  nativeEvent: name,
  sessionId: 's',
  cwd: '/code',
  portable: {},
  raw: {},
});

/** What each event of a session gets, if something was deferred before it. */
function givenTo(capabilities: CapabilityTable, ...names: EventName[]): (string | undefined)[] {
  const sessions = new SessionMemory({ read: () => [], append: () => {} });
  sessions.defer(event('session_start'), 'kept');
  return names.map((name) => withSessionEffects({ sessions }, { capabilities } as Agent, event(name), OBSERVE, false).reduced.content);
}

const TAKES = { session_start: { replace: now }, user_prompt_submit: { replace: now }, post_tool_use: { replace: now } } as const;

it('delivers deferred content at the next event that takes context, once', () => {
  expect(givenTo(TAKES, 'post_tool_use', 'user_prompt_submit')).toEqual(['kept', undefined]);
  expect(givenTo(TAKES, 'user_prompt_submit', 'post_tool_use')).toEqual(['kept', undefined]);
  const later = { session_start: { replace: { how: 'deferred', until: 'a tool' } }, pre_tool_use: { replace: now } } as const;
  expect(givenTo(later, 'session_start', 'user_prompt_submit', 'pre_tool_use')).toEqual([undefined, undefined, 'kept']);
});

it('does not give a subagent what is for its session', () => {
  const sessions = new SessionMemory({ read: () => [], append: () => {} });
  sessions.defer(event('pre_compact'), 'kept');
  const given = (one: CanonicalEvent) => withSessionEffects({ sessions }, { capabilities: TAKES } as unknown as Agent, one, OBSERVE, false);
  expect(given({ ...event('post_tool_use'), agentId: 'sub' }).reduced.content).toBeUndefined();
  expect(given(event('post_tool_use')).reduced.content).toBe('kept');
});
