import type { HookDefinition } from '@piton/hooks';
import { describe, expect, it } from 'vitest';
import { stateOf } from '../../src/hooks/hook-state.ts';
import { orderNotes } from '../../src/hooks/order-notes.ts';

const HERE = new Set(['claude']);
const hook = (name: string, given: Partial<HookDefinition> = {}): HookDefinition => ({
  id: `user:settings/${name}`,
  name,
  scope: 'user',
  event: 'pre_tool_use',
  source: '/c/settings.json',
  argv: ['/bin/sh', '-c', 'true'],
  env: {},
  matcher: '',
  timeoutMs: 1000,
  enabled: true,
  observe: false,
  failClosed: false,
  injectOutput: undefined,
  may: [],
  root: null,
  status: { kind: 'ready' },
  ...given,
});
const word = (given: Partial<HookDefinition>) => stateOf(hook('x', given), HERE).word;
const notes = (...hooks: HookDefinition[]) => orderNotes(hooks.map((each) => ({ hook: each, state: stateOf(each, HERE) })));

describe('the state of a hook', () => {
  it.each<[string, Partial<HookDefinition>]>([
    ['ready', {}],
    ['disabled', { enabled: false, status: { kind: 'broken', note: 'x' } }],
    ['broken', { status: { kind: 'broken', note: 'x' }, shadow: true, observe: true }],
    ['not executable', { status: { kind: 'not-executable', note: 'x' } }],
    ['not trusted', { status: { kind: 'not-trusted', note: 'x' } }],
    ['changed', { status: { kind: 'changed', note: 'x' } }],
    ['shadow', { shadow: true, observe: true }],
    ['observes', { observe: true }],
    ['never', { targets: ['codex', 'gemini'] }],
    ['ready', { targets: ['codex', 'claude'] }],
  ])('is %s', (expected, given) => {
    expect(word(given)).toBe(expected);
  });

  it('names the agents without which it never runs', () => {
    expect(stateOf(hook('x', { targets: ['codex'] }), HERE).why).toContain('codex');
  });
});

describe('the notes below the list', () => {
  it('name at most a dozen hooks in one line', () => {
    const [note = ''] = notes(...Array.from({ length: 1000 }, (_, number) => hook(`h${number}`, {})));
    expect(note).toMatch(/1000 hooks run.*h0, .*h11, and so on as listed\.$/);
    expect(note).not.toContain('h12');
  });

  it('leave out hooks that are alone on their events', () => {
    expect(notes(hook('a'), hook('b', { event: 'stop' }))).toEqual([]);
  });

  it('name the hooks that decide on one event, in order, and which decision overrides which', () => {
    const [order, rule] = notes(hook('b'), hook('a'), hook('watcher', { observe: true }), hook('off', { enabled: false }));
    expect(order).toBe('pre_tool_use: 2 hooks run, in this order: user:settings/b, user:settings/a.');
    expect(rule).toMatch(/deny overrides ask, ask overrides allow, allow overrides observe/);
  });

  it('say that hooks of the generic event run before those of the specific one', () => {
    expect(notes(hook('a'), hook('b', { event: 'pre_shell_execution' }))[0]).toMatch(
      /pre_tool_use run before those of pre_shell_execution/,
    );
  });

  it('list hooks with the same name', () => {
    const twin = hook('a', { id: 'project:settings/a', scope: 'project', event: 'stop', root: '/r' });
    expect(notes(hook('a'), twin)).toEqual(['2 hooks are named a, and all of them run: user:settings/a, project:settings/a.']);
  });
});
