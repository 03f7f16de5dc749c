import { describe, expect, it } from 'vitest';
import { plan } from '../src/index.ts';
import { hookOf, toolEvent } from './scenery.ts';

const event = toolEvent('pre_tool_use', 'Bash', { command: 'ls' });
const named = (name: string, parts = {}) => hookOf({ id: `user:settings/${name}`, name, ...parts });

describe('plan', () => {
  it('keeps the order, and puts hooks that only watch after the answer', () => {
    const { deciding, observing, skipped } = plan(event, [named('a'), named('watch', { observe: true }), named('b', { matcher: 'Bash' })]);
    expect(deciding.map(({ name }) => name)).toEqual(['a', 'b']);
    expect(observing.map(({ name }) => name)).toEqual(['watch']);
    expect(skipped).toEqual([]);
  });

  it('says why a hook does not run', () => {
    const { deciding, skipped } = plan(event, [
      named('off', { enabled: false }),
      named('other', { matcher: 'Edit' }),
      named('foreign', { status: { kind: 'not-trusted', note: 'piton trust' } }),
      named('foreign-other', { matcher: 'Edit', status: { kind: 'not-trusted', note: 'piton trust' } }),
      named('mode', { status: { kind: 'not-executable', note: 'chmod +x it' } }),
      named('bad', { matcher: '((', status: { kind: 'broken', note: 'what' } }),
      named('changed', { status: { kind: 'changed', note: 'the copy runs' } }),
    ]);
    expect(deciding.map(({ name }) => name)).toEqual(['changed']);
    expect(skipped.map((entry) => entry.did === 'skipped' && [entry.hook.split('/')[1], entry.why, entry.note])).toEqual([
      ['off', 'disabled', undefined],
      ['other', 'no-match', undefined],
      ['foreign', 'not-trusted', 'piton trust'],
      ['foreign-other', 'no-match', undefined],
      ['mode', 'not-executable', 'chmod +x it'],
      ['bad', 'broken', 'what'],
    ]);
  });

  it('looks anew for another tool, and for a call whose tool nobody can tell, though the hooks in force are the same', () => {
    const hooks = [
      named('bash', { matcher: 'Bash' }),
      named('edit', { matcher: 'Edit' }),
      named('policy', { matcher: 'Edit', failClosed: true }),
    ];
    const chosen = (happening: typeof event) => plan(happening, hooks).deciding.map(({ name }) => name);
    const { tool: _, ...unknown } = event;
    expect(chosen(event)).toEqual(['bash']);
    expect(chosen(toolEvent('pre_tool_use', 'Edit', { file_path: '/a' }))).toEqual(['edit', 'policy']);
    expect(chosen(unknown)).toEqual(['policy']);
    expect(chosen(event)).toEqual(['bash']);
  });

  it('keeps a policy that cannot run, so that it is denied for', () => {
    const broken = named('bad', { failClosed: true, status: { kind: 'broken', note: 'what' } });
    const untrusted = named('foreign', { failClosed: true, status: { kind: 'not-trusted', note: 'piton trust' } });
    const { deciding, skipped } = plan(event, [broken, untrusted]);
    expect(deciding).toEqual([broken]);
    // A repository that was just cloned must not be able to deny.
    expect(skipped).toMatchObject([{ why: 'not-trusted' }]);
  });

  it('does not look at the conditions of a hook that nobody trusts, which may take long', () => {
    const when = { command: 'another *' };
    const untrusted = named('foreign', { failClosed: true, when, status: { kind: 'not-trusted', note: 'piton trust' } });
    const { deciding, skipped } = plan(event, [named('own'), untrusted]);
    expect(deciding.map(({ name }) => name)).toEqual(['own']);
    expect(skipped).toMatchObject([{ why: 'not-trusted' }]);
  });
});
