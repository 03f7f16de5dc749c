import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// Codex and others read no answer when a turn fails: whoever follows the events sees what to do at once.
let box: Sandbox;
let work: string;
beforeEach(async () => {
  box = sandbox();
  work = box.repository();
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
});
afterEach(() => box.end());

const send = (hook_event_name: string, more: object) =>
  fire(box, { ...{ session_id: 'one', hook_event_name, cwd: work, transcript_path: '/none' }, ...more });
const failed = (error: string, last_assistant_message: string) => send('StopFailure', { error, last_assistant_message });

it.each([[], ['--json']])('events tail says what to do after a failed turn, at once, and after no other: %j', async (...how) => {
  await send('UserPromptSubmit', { prompt: 'begin' });
  const tail = box.start(['events', 'tail', ...how], { cwd: work });
  let out = '';
  tail.stdout?.on('data', (chunk: Buffer) => (out += chunk.toString('utf8')));
  const ended = new Promise((resolve) => tail.on('close', resolve));
  // It begins with what comes after its start.
  await eventually(async () => {
    await send('Notification', { message: 'here', notification_type: 'idle_prompt' });
    return out.includes('notification');
  });
  await failed('rate_limit', 'You hit your limit · resets 3pm (UTC)');
  await eventually(() => out.includes('Wait until'));
  tail.kill('SIGINT');
  await ended;
  expect(out.match(/Wait until \\?"3pm \(UTC\)\\?", or continue in another agent: [^ ]*piton handoff\.?/g)).toHaveLength(1);
});

it('events show has it too, and a cause without advice of its own says to repeat the prompt', async () => {
  await failed('odd', 'Something broke.');
  await eventually(async () => (await box.piton(['events', '--json'], { cwd: work })).stdout.includes('stop_failure'));
  expect((await box.piton(['events', 'show', '@'], { cwd: work })).stdout).toMatch(/^advice +Piton: .* Repeat the prompt\.$/m);
  expect((await box.json<{ advice: string }>(['events', 'show', '@'], { cwd: work })).advice).toContain('Repeat the prompt.');
  await send('Notification', { message: 'here', notification_type: 'idle_prompt' });
  await eventually(async () => (await box.piton(['events', '--json'], { cwd: work })).stdout.includes('notification'));
  expect(await box.json(['events', 'show', '@'], { cwd: work })).not.toHaveProperty('advice');
});
