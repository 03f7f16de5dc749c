import { describe, expect, it } from 'vitest';
import { sameJson } from '../src/event-change.ts';
import { decide, observe, plan } from '../src/index.ts';
import { optionsOf, resultOf, shellHook, toolEvent } from './scenery.ts';

/** So deep that no JSON text can be made of it. */
function deep(): Record<string, unknown> {
  let value: Record<string, unknown> = {};
  for (let level = 0; level < 100_000; level++) value = { a: value };
  return value;
}
const deepCall = () => toolEvent('pre_tool_use', 'Bash', { command: 'ls', more: deep() });

describe('a hook that cannot be run because something throws', () => {
  it('has crashed, and denies as a policy', async () => {
    const hooks = [shellHook('plain', ':'), shellHook('policy', ':', { failClosed: true })];
    const { reduced, trace } = await decide(optionsOf(deepCall(), hooks));
    expect(trace).toMatchObject([
      { did: 'ran', failed: 'crash', said: { decision: 'observe' } },
      { did: 'ran', failed: 'crash', said: { decision: 'deny' } },
    ]);
    expect(reduced).toMatchObject({ verdict: 'deny', reason: expect.stringContaining('hook policy is fail_closed and did not answer') });
  });

  it('does not keep the others from running', async () => {
    const hooks = [shellHook('strange', ':'), shellHook('guard', 'echo no >&2; exit 2')];
    const decision = `{"decision":${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    const { spawn, ...options } = optionsOf(toolEvent('pre_tool_use', 'Bash', { command: 'ls' }), hooks);
    const { reduced, trace } = await decide({
      ...options,
      spawn: (request) => (request.hook.name === 'strange' ? Promise.resolve(resultOf({ stdout: decision })) : spawn(request)),
    });
    expect(trace).toMatchObject([{ failed: 'crash', exitCode: 0 }, { said: { decision: 'deny', reason: 'no' } }]);
    expect(reduced).toMatchObject({ verdict: 'deny', reason: 'no' });
  });

  it('has crashed where it only watches', async () => {
    expect(await observe(optionsOf(deepCall(), [shellHook('watcher', ':', { observe: true })]))).toMatchObject([
      { failed: 'crash', observed: true },
    ]);
  });

  it('is in the plan as a policy if nobody can say whether its conditions hold', () => {
    const when = { input: { more: '*secret*' } };
    const { deciding, skipped } = plan(deepCall(), [
      shellHook('plain', ':', { when }),
      shellHook('policy', ':', { when, failClosed: true }),
    ]);
    expect(deciding.map(({ name }) => name)).toContain('policy');
    expect(skipped).toEqual([]);
  });
});

it('inputs are compared however deep they are', () => {
  expect(sameJson(deep(), deep())).toBe(true);
  expect(sameJson({ a: deep(), b: [1, { c: 2 }] }, { b: [1, { c: 2 }], a: deep() })).toBe(true);
  expect(sameJson({ a: deep(), b: [1, { c: 2 }] }, { b: [1, { c: 3 }], a: deep() })).toBe(false);
  expect(sameJson({ a: deep() }, { b: deep() })).toBe(false);
  expect(sameJson({ a: {} }, { a: [] })).toBe(false);
  expect(sameJson({ a: undefined }, { b: undefined })).toBe(false);
});
