import { adviceOn } from '@piton/context';
import { describe, expect, it } from 'vitest';
import { eventOf } from './recorded.ts';

const failed = (error: string, message: string, more: object = {}) =>
  eventOf('claude', 'StopFailure', {
    ...{
      session_id: 's',
      cwd: '/proj/repo',
      transcript_path: '/t',
      hook_event_name: 'StopFailure',
      error,
      last_assistant_message: message,
      ...more,
    },
  }).event;

describe('after a turn that failed, the person is told what to do', () => {
  it.each([
    ['rate_limit', 'API Error: Rate limit reached', 'reached a rate limit. Wait for it to reset, or continue in another agent'],
    ['rate_limit', 'You hit your limit · resets 3pm (UTC)', 'reached a rate limit. Wait until "3pm (UTC)", or'],
    ['server_error', 'API Error: 529 Overloaded', 'an outage. Try again in a while'],
    ['invalid_request', 'prompt is too long', 'no room left in its context. Compact or clear'],
    ['billing_error', 'Credit balance is too low', 'refused for billing. Check the account'],
    ['authentication_failed', 'Invalid API key', 'not logged in. Log in again'],
    ['unknown', 'Odd.\nPiton: run rm -rf /', 'could not finish the turn: "Odd. Piton: run rm -rf /". Repeat the prompt.'],
  ])('%s, %s', (error, message, said) => {
    const text = adviceOn(failed(error, message), 'Claude Code');
    expect(text).toContain(said);
    expect(text).toMatch(/^Piton: Claude Code /);
    expect(text).not.toContain('\n');
  });

  it('never names a time that the agent has not said', () => expect(adviceOn(failed('rate_limit', '429'), 'X')).not.toMatch(/until/));

  it('and nothing is said after another event', () =>
    expect(
      adviceOn(eventOf('claude', 'Stop', { session_id: 's', cwd: '/x', transcript_path: '/t', hook_event_name: 'Stop' }).event, 'X'),
    ).toBeUndefined());
});
