import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { waitsAtEnd } from '@piton/context';
import type { CanonicalEvent, EventName } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { eventOf, recordedSession } from './recorded.ts';

const AGENTS = join(import.meta.dirname, '../../agents/src');
const SECOND = 1_000_000;
type Happened = ReturnType<typeof headers>[number];

/** As the store has them, two seconds apart. */
const headers = (events: readonly CanonicalEvent[]) =>
  events.map(({ event, source, agentId, tool }, at) => ({
    ...{
      eventId: String(at),
      event,
      source: source ?? null,
      agentId: agentId ?? null,
      wallUs: at * 2 * SECOND,
      derived: false,
      canary: false,
    },
    tool: tool
      ? {
          name: tool.name,
          nativeName: tool.nativeName,
          kind: tool.kind,
          useId: tool.useId ?? null,
          command: tool.command ?? null,
          files: tool.files,
        }
      : null,
  }));

const recorded = (agent: string, folder: string) => headers(recordedSession(agent, folder).map(({ event }) => event));
function documented(agent: string, native: string, file = native): CanonicalEvent {
  const payload = JSON.parse(readFileSync(join(AGENTS, agent, 'fixtures/documented', `${file}.json`), 'utf8')) as unknown;
  return eventOf(agent, native, payload).event;
}
const nobody = () => false;
const waitsAfter = (events: readonly Happened[], count: number) => waitsAtEnd(events.slice(0, count), nobody);

/** A session in which nothing is about any agent. */
function call(event: EventName, command: string | null, more: Partial<Happened> = {}): Happened {
  const tool = command === null ? null : { name: 'Bash', nativeName: 'Bash', kind: 'shell' as const, useId: null, command, files: [] };
  return { eventId: `${event} ${command}`, event, source: null, agentId: null, wallUs: 0, derived: false, canary: false, tool, ...more };
}
const inOrder = (...events: Happened[]): Happened[] => events.map((event, at) => ({ ...event, wallUs: event.wallUs || at * 2 * SECOND }));
const commands = (events: readonly Happened[]) => waitsAtEnd(events, nobody).map(({ since }) => since.tool?.command);

describe('in sessions as agents played them', () => {
  it('somebody is waited for from the permission request of Claude Code on, until the agent stops', () => {
    const events = recorded('claude', '2.1.325/permission');
    const at = events.findIndex(({ event }) => event === 'permission_request');
    expect(waitsAfter(events, at)).toEqual([]);
    expect(waitsAfter(events, at + 1)).toMatchObject([
      { for: 'permission', since: { event: 'permission_request', tool: events[at]?.tool } },
    ]);
    expect(waitsAfter(events, events.findIndex(({ event }) => event === 'stop') + 1)).toEqual([]);
  });

  it('the request and the notification of Copilot CLI are one wait, and its next call ends it', () => {
    const events = recorded('copilot', '1.0.102/permission');
    const perRequest = events.flatMap(({ event }, at) => (event === 'permission_request' ? [at] : []));
    expect(perRequest).toHaveLength(3);
    for (const at of perRequest) {
      expect(waitsAfter(events, at + 2)).toMatchObject([
        { since: events[at], notice: { event: 'notification', source: 'permission_prompt' } },
      ]);
      expect(waitsAfter(events, at + 3)).toEqual([]);
    }
    expect(waitsAtEnd(events, nobody)).toEqual([]);
  });

  it.each([
    ['claude', '2.1.325/session'],
    ['claude', '2.1.325/compact'],
    ['codex', '0.166.0/session'],
    ['copilot', '1.0.102/session'],
    ['copilot', '1.0.102/session-pascal'],
    ['copilot', '1.0.102/patch-pascal'],
    ['droid', '0.215.0/session'],
    ['gemini', '0.61.0/session'],
    ['kilo', '7.7.7'],
    ['opencode', '1.18.33'],
    ['cline', '3.0.65/session'],
  ])('nobody is waited for after a session of %s (%s) that went through', (agent, folder) => {
    expect(waitsAtEnd(recorded(agent, folder), nobody)).toEqual([]);
  });

  it('what Qwen Code notifies of a login is no question', () => {
    const events = recorded('qwen', '0.24.4/session');
    const at = events.findIndex(({ event }) => event === 'notification');
    expect(events[at]?.source).toBe('auth_success');
    expect(waitsAfter(events, at + 1)).toEqual([]);
  });
});

describe('payloads that agents document', () => {
  it.each([
    ['claude', 'Notification'],
    ['copilot', 'notification', 'Notification'],
    ['droid', 'Notification'],
    ['gemini', 'Notification'],
    ['qwen', 'Notification'],
  ])('%s asks for a permission by a notification alone', (agent, native, file = native) => {
    expect(waitsAtEnd(headers([documented(agent, native, file)]), nobody)).toMatchObject([{ for: 'permission', notice: {} }]);
  });

  it.each([
    ['codex', 'PermissionRequest', 'npm publish'],
    ['claude', 'PermissionRequest', 'rm -rf node_modules'],
    ['qwen', 'PermissionRequest', 'rm -rf node_modules'],
    ['opencode', 'permission.asked', 'echo hi > shell-ran.txt; echo hi'],
    ['kilo', 'permission.asked', 'echo hi > shell-ran.txt; echo hi'],
  ])('%s asks by %s, with the exact command', (agent, native, command) => {
    expect(commands(headers([documented(agent, native)]))).toEqual([command]);
  });
});

describe('a wait ends', () => {
  const asked = inOrder(call('pre_tool_use', 'make'), call('permission_request', 'make'));

  it.each<[string, Happened]>([
    ['when the call ran', call('post_tool_use', 'make')],
    ['when it ran and failed', call('post_tool_use_failure', 'make')],
    ['when it was refused', call('permission_denied', 'make')],
    ['when the agent calls something else', call('pre_tool_use', 'ls')],
    ['at the next prompt', call('user_prompt_submit', null)],
    ['at the end of the turn', call('stop', null)],
    ['when the turn failed', call('stop_failure', null)],
    ['at the end of the session', call('session_end', null, { source: 'other' })],
    ['when the session is taken up again', call('session_start', null, { source: 'resume' })],
  ])('%s', (_, event) => {
    expect(commands(asked)).toEqual(['make']);
    expect(commands(inOrder(...asked, event))).toEqual([]);
  });

  it.each<[string, Happened]>([
    ['another call ran that was begun with it', call('post_tool_use', 'ls')],
    ['another call of the same answer begins', call('pre_tool_use', 'ls', { wallUs: 2 * SECOND + 300_000 })],
    ['a subagent calls something', call('pre_tool_use', 'ls', { agentId: 'a1' })],
    ['a subagent gets its task', call('user_prompt_submit', null, { source: 'subagent' })],
    ['the agent is idle elsewhere', call('notification', null, { source: 'idle_prompt' })],
    ['a test event comes', call('stop', null, { canary: true })],
    ['an event follows from a deny of ours', call('post_tool_use_failure', 'make', { derived: true })],
  ])('not when %s', (_, event) => {
    expect(commands(inOrder(...asked, event))).toEqual(['make']);
  });

  it('by ids, where two calls are the same', () => {
    const tool = (useId: string) => ({ name: 'Bash', nativeName: 'Bash', kind: 'shell' as const, useId, command: 'make', files: [] });
    const two = inOrder(
      call('permission_request', 'make', { tool: tool('one') }),
      call('permission_request', 'make', { tool: tool('two') }),
      call('post_tool_use', 'make', { tool: tool('one') }),
    );
    expect(waitsAtEnd(two, nobody)).toMatchObject([{ since: { tool: { useId: 'two' } } }]);
  });

  it('of a subagent with it, and not of another', () => {
    const asking = inOrder(
      call('permission_request', 'a', { agentId: 'one' }),
      call('permission_request', 'b', { agentId: 'two' }),
      call('subagent_stop', null, { agentId: 'one' }),
    );
    expect(commands(asking)).toEqual(['b']);
  });
});

it('a request that a hook has answered waits for nobody', () => {
  const asked = inOrder(call('pre_tool_use', 'make'), call('permission_request', 'make'));
  expect(waitsAtEnd(asked, (event) => event.event === 'permission_request')).toEqual([]);
});

it('a question of the agent waits for an answer', () => {
  const tool = { name: 'AskUserQuestion', nativeName: 'AskUserQuestion', kind: 'other' as const, useId: null, command: null, files: [] };
  expect(waitsAtEnd([call('permission_request', null, { tool })], nobody)).toMatchObject([{ for: 'answer' }]);
  const dialog = call('notification', null, { source: 'elicitation_dialog' });
  expect(waitsAtEnd([dialog], nobody)).toMatchObject([{ for: 'answer', call: null }]);
  expect(waitsAtEnd([dialog, call('notification', null, { source: 'elicitation_complete' })], nobody)).toEqual([]);
});
