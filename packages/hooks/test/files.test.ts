import type { CanonicalEvent } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { decide, observe, plan } from '../src/index.ts';
import { optionsOf, shellHook, toolEvent } from './scenery.ts';

/** One native call that edits three files, as a decoder hands it over. */
function patch(event: 'pre_tool_use' | 'post_tool_use' = 'pre_tool_use'): CanonicalEvent {
  const plain = toolEvent(event, 'Edit', { patch: '*** Begin Patch' }, 'edit');
  const calls = [
    { file: '/w/a.ts', name: 'Edit', input: { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' } },
    { file: '/w/new.ts', name: 'Write', input: { file_path: '/w/new.ts', content: 'new' } },
  ];
  return { ...plain, tool: { ...(plain.tool as NonNullable<typeof plain.tool>), files: ['/w/a.ts', '/w/new.ts', '/w/c.env'], calls } };
}
const decided = async (event: CanonicalEvent, ...hooks: ReturnType<typeof shellHook>[]) =>
  decide(optionsOf(event, plan(event, hooks).deciding));
const notes = (trace: Awaited<ReturnType<typeof decided>>['trace']): (string | undefined)[] => trace.map((entry) => entry.note);
const print = (decision: object): string => `echo '${JSON.stringify(decision)}'`;

describe('one call on several files', () => {
  it('runs a hook once for each, with the call on that file', async () => {
    const show = shellHook('show', 'echo "$TOOL_NAME $PITON_TOOL_FILES $(cat)"', { injectOutput: true });
    const { reduced, trace } = await decided(patch(), show);
    const lines = (reduced.content ?? '').split('\n').map((line) => {
      const [name, file, ...json] = line.split(' ');
      return [name, file, (JSON.parse(json.join(' ')) as { tool_input: unknown }).tool_input];
    });
    expect(lines).toEqual([
      ['Edit', '/w/a.ts', { file_path: '/w/a.ts', old_string: 'x', new_string: 'y' }],
      ['Write', '/w/new.ts', { file_path: '/w/new.ts', content: 'new' }],
      // The decoder made no call of this one.
      ['Edit', '/w/c.env', { patch: '*** Begin Patch', file_path: '/w/c.env' }],
    ]);
    expect(notes(trace)).toEqual(['for /w/a.ts', 'for /w/new.ts', 'for /w/c.env']);
  });

  it('is denied by one deny', async () => {
    const guard = shellHook('guard', 'case "$PITON_TOOL_FILES" in *.env) echo "no secrets" >&2; exit 2 ;; esac');
    expect((await decided(patch(), guard)).reduced).toMatchObject({ verdict: 'deny', reason: 'no secrets' });
  });

  it('is allowed only by a hook that allows every file', async () => {
    const some = shellHook('some', `case "$PITON_TOOL_FILES" in *.ts) ${print({ decision: 'allow' })} ;; esac`);
    const all = shellHook('all', print({ decision: 'allow' }));
    const matched = shellHook('matched', print({ decision: 'allow' }), { matcher: 'Write' });
    expect((await decided(patch(), some)).reduced.verdict).toBe('observe');
    expect((await decided(patch(), matched)).reduced.verdict).toBe('observe');
    expect((await decided(patch(), all)).reduced.verdict).toBe('allow');
  });

  it('runs a hook only for the files that its matcher and conditions name', async () => {
    const write = shellHook('write', 'exit 0', { matcher: 'Write' });
    const secrets = shellHook('secrets', 'exit 0', { when: { file: '*.env' } });
    const none = shellHook('none', 'exit 0', { matcher: 'Bash' });
    const { trace } = await decided(patch(), write, secrets, none);
    expect(trace.map((entry) => [entry.hook, entry.note])).toEqual([
      ['user:settings/write', 'for /w/new.ts'],
      ['user:settings/secrets', 'for /w/c.env'],
    ]);
  });

  it('takes no changed input, and says so', async () => {
    const change = shellHook('change', print({ decision: 'modify', input: { file_path: '/w/other' } }));
    const { reduced, trace } = await decided(patch(), change);
    expect(reduced).toEqual({ decision: 'observe', verdict: 'observe' });
    expect(notes(trace)[0]).toContain('no effect on a call that edits several files');
  });

  it('denies for a policy that fails on one of them', async () => {
    const policy = shellHook('policy', 'case "$PITON_TOOL_FILES" in *new*) exit 7 ;; esac', { failClosed: true });
    expect((await decided(patch(), policy)).reduced.verdict).toBe('deny');
  });

  it('is watched file by file', async () => {
    const watch = shellHook('watch', ':', { observe: true, event: 'post_file_edit' });
    const event = patch('post_tool_use');
    const trace = await observe(optionsOf(event, plan(event, [watch]).observing));
    expect(trace.map((entry) => entry.did)).toEqual(['ran', 'ran', 'ran']);
  });
});

describe('a call on one file', () => {
  it('runs a hook once', async () => {
    const event = toolEvent('pre_tool_use', 'Edit', { file_path: '/w/a.ts' }, 'edit');
    expect((await decided(event, shellHook('h', ':'))).trace).toHaveLength(1);
  });
});
