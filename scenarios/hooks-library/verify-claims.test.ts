import { afterAll, beforeAll, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

let box: Sandbox;
let work: string;
beforeAll(async () => {
  box = sandbox();
  work = box.repository();
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
  expect(await box.piton(['hooks', 'add', 'verify-claims'], { cwd: work })).toMatchObject({ code: 0 });
});
afterAll(() => box.end());

/** A turn in which the tests failed, and its last words. */
async function endedTurn(session: string, says: string, again = false): Promise<string> {
  const call = claude.shell(session, work, 'npm test', `toolu_${session}`);
  await fire(box, claude.start(session, work));
  await fire(box, claude.prompt(session, work, 'fix the tests'));
  await fire(box, call);
  await fire(box, { ...call, hook_event_name: 'PostToolUseFailure', error: 'Exit code 1\nTests  2 failed' } as typeof call);
  const stop = { ...claude.stop(session, work), stop_hook_active: again, last_assistant_message: says };
  return fire(box, stop);
}

it('says nothing to the agent in shadow, and records what it would have said', async () => {
  const answer = await endedTurn('shadow', 'All tests pass now.');
  expect(answer).not.toContain('npm test');
  await expect
    .poll(async () => {
      const events = await box.json<{ eventId: string; providerRef: string }[]>(['events', 'list', '--event', 'stop']);
      const stop = events.find(({ providerRef }) => providerRef === 'shadow');
      return stop && JSON.stringify(await box.json(['events', 'show', stop.eventId]));
    })
    .toContain('the last test run');
});

it('makes the agent continue with the facts once it is promoted, and only once', async () => {
  expect(await box.piton(['hooks', 'promote', 'verify-claims', '--yes'], { cwd: work })).toMatchObject({ code: 0 });
  const answer = await endedTurn('enforced', 'All tests pass now.');
  expect(JSON.parse(answer)).toMatchObject({ decision: 'block', reason: expect.stringContaining('the last test run, "npm test", failed') });
  expect(await endedTurn('again', 'All tests pass now.', true)).not.toContain('npm test');
  expect(await endedTurn('honest', 'Two tests still fail.')).not.toContain('npm test');
});
