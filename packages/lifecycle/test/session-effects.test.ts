import type { Agent, CanonicalEvent, CapabilityTable, EventName } from '@piton/contracts';
import { OBSERVE } from '@piton/contracts';
import { expect, it } from 'vitest';
import { withSessionEffects } from '../src/session-effects.ts';
import { SessionMemory } from '../src/session-memory.ts';

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

it('delivers deferred content at the next session start or prompt, once', () => {
  const capabilities = { session_start: { replace: now }, user_prompt_submit: { replace: now }, post_tool_use: { replace: now } };
  expect(givenTo(capabilities, 'post_tool_use', 'user_prompt_submit', 'user_prompt_submit')).toEqual([undefined, 'kept', undefined]);
});

it('delivers it at the next event that can carry it, if the agent takes nothing there', () => {
  const later = { session_start: { replace: { how: 'deferred', until: 'a tool' } }, pre_tool_use: { replace: now } } as const;
  expect(givenTo(later, 'user_prompt_submit', 'pre_tool_use', 'pre_tool_use')).toEqual([undefined, 'kept', undefined]);
});
