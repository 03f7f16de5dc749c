import type { PageNow, Waiting } from '@piton/contracts/page';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { claude, fire } from '../first-day/payloads.ts';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';
import { openPage, type Page } from './browser.ts';

const COMMAND = 'rm -rf build && make';

let box: Sandbox;
let work: string;
let page: Page;
const call = () => claude.shell('one', work, COMMAND, 'toolu_1');
const named = <T extends object>(payload: T, hook_event_name: string, more: object = {}) =>
  ({ ...payload, ...more, hook_event_name }) as T & { hook_event_name: string; cwd: string };

beforeAll(async () => {
  box = sandbox();
  work = box.repository();
  await box.piton(['init', '--agent', 'claude', '--yes'], { cwd: work });
  await fire(box, claude.start('one', work));
  await fire(box, claude.prompt('one', work, 'build it'));
  page = await openPage(box, [], { cwd: work });
});
afterAll(async () => {
  await page.stop();
  await box.end();
});

const stored = async (): Promise<Waiting[]> => (await box.json<{ waiting: Waiting[] }>(['status'], { cwd: work })).waiting;

it('appears in status and on the page with the exact command, and leaves both when the tool has run', async () => {
  await fire(box, call());
  expect(await stored()).toEqual([]);
  const { tool_use_id: _, ...asked } = call();
  await fire(box, named(asked, 'PermissionRequest'));
  await fire(box, named(asked, 'Notification', { message: 'Claude needs your permission', notification_type: 'permission_prompt' }));

  const before = Date.now();
  const [wait, ...others] = await stored();
  expect(others).toEqual([]);
  expect(wait).toMatchObject({
    agent: 'claude',
    for: 'permission',
    tool: 'Bash',
    what: COMMAND,
    root: work,
    message: 'Claude needs your permission',
  });
  expect(wait?.since).toBeLessThanOrEqual(before);
  const now = await page.get<PageNow>('/api/now');
  expect(now.waiting).toEqual([wait]);
  expect(now.running).toMatchObject([{ session: { id: wait?.session, waiting: true }, call: { what: { text: COMMAND, cut: 0 } } }]);
  const { stdout } = await box.piton(['status'], { cwd: work });
  expect(stdout).toContain(`waits for your permission (Bash), in ${work}`);
  expect(stdout).toContain(COMMAND);

  await fire(box, named(call(), 'PostToolUse', { tool_response: { stdout: '', stderr: '' } }));
  expect(await stored()).toEqual([]);
  expect((await page.get<PageNow>('/api/now')).waiting).toEqual([]);
});

it('an agent that is only idle waits for nobody', async () => {
  await fire(box, named(call(), 'Notification', { message: 'Claude is waiting for your input', notification_type: 'idle_prompt' }));
  expect(await stored()).toEqual([]);
});
