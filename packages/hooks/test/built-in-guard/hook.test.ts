import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { BUILT_IN_GUARD_ID, createBuiltInGuard, createRegistry, decide, plan } from '../../src/index.ts';
import { optionsOf, parseSettings, put, shellHook, temporary, toolEvent } from '../scenery.ts';
import { DISK, PLACES } from './grounds.ts';

function home() {
  const base = temporary();
  const config = join(base, 'config');
  const builtInGuard = createBuiltInGuard(PLACES, DISK);
  const registry = createRegistry({ config, trustDir: join(base, 'trust'), parseSettings, builtInGuard });
  return { base, registry, place: { cwd: base, sessionRoot: null }, settings: join(config, 'settings.json') };
}
type Home = ReturnType<typeof home>;
const bash = (command: string) => toolEvent('pre_tool_use', 'Bash', { command });

async function said({ registry, place }: Home, command: string, ...others: ReturnType<typeof shellHook>[]) {
  const event = bash(command);
  const { deciding, skipped } = plan(event, [...registry.hooksFor(place, event.names), ...others]);
  return { ...(await decide(optionsOf(event, deciding))), skipped, deciding };
}

describe('the built-in guard', () => {
  it('denies by the engine, says the way forward, and stands in the trace', async () => {
    const { reduced, trace } = await said(home(), 'rm -rf .piton');
    expect(reduced).toMatchObject({
      verdict: 'deny',
      reason: expect.stringMatching(/rm may change \.piton.*ask them to do it themselves/),
    });
    expect(trace).toMatchObject([{ hook: BUILT_IN_GUARD_ID, event: 'pre_tool_use', did: 'ran', exitCode: 0, said: { decision: 'deny' } }]);
  });

  it('neither runs nor leaves a word where it has nothing to say', async () => {
    expect(await said(home(), 'cat .piton/settings.json')).toMatchObject({ deciding: [], skipped: [], trace: [] });
  });

  it('asks instead, or is off, as the user’s own settings say, at once', async () => {
    const at = home();
    put(at.settings, '{ "guard": "ask" }');
    expect((await said(at, 'rm -rf .piton')).reduced.verdict).toBe('ask');
    put(at.settings, '{ "guard": "off" }   ');
    const off = await said(at, 'rm -rf .piton');
    expect(off.reduced.verdict).toBe('observe');
    expect(off.skipped).toMatchObject([{ hook: BUILT_IN_GUARD_ID, why: 'disabled' }]);
  });

  it('goes on denying where the setting makes no sense or the file is broken, and says so', async () => {
    const at = home();
    put(at.settings, '{ "guard": "never" }');
    expect((await said(at, 'rm -rf .piton')).reduced.verdict).toBe('deny');
    expect(at.registry.list(at.place).problems).toMatchObject([{ problem: expect.stringContaining('"guard" is not one of') }]);
    put(at.settings, '{ "guard": "off"   ');
    expect((await said(at, 'rm -rf .piton')).reduced.verdict).toBe('deny');
  });

  it('is not switched off by a project, nor with the user’s other hooks', async () => {
    const at = home();
    put(join(at.base, '.git/HEAD'), '');
    put(join(at.base, '.piton/settings.json'), '{ "guard": "off", "hooks_enabled": false }');
    put(at.settings, '{ "hooks_enabled": false }');
    expect((await said(at, 'rm -rf .piton')).reduced.verdict).toBe('deny');
    expect(at.registry.list(at.place).problems).toMatchObject([{ problem: expect.stringContaining('"guard" has no effect here') }]);
  });

  it('is listed once, first', () => {
    const { registry, place, settings } = home();
    expect(registry.list(place).hooks).toMatchObject([{ id: BUILT_IN_GUARD_ID, event: 'pre_tool_use', enabled: true, source: settings }]);
  });

  it('judges what another hook made of the call', async () => {
    const change = shellHook('change', `printf '{"decision":"modify","input":{"command":"rm -rf .piton"}}'`);
    const { reduced } = await said(home(), 'ls', change);
    expect(reduced.verdict).toBe('deny');
  });

  it('wins over a hook that allows, also where the agent asks', async () => {
    const at = home();
    put(at.settings, '{ "guard": "ask" }');
    const event = toolEvent('permission_request', 'Bash', { command: 'rm -rf .piton' });
    const yes = shellHook('yes', `printf '{"decision":"allow"}'`, { event: 'permission_request' });
    const { deciding } = plan(event, [...at.registry.hooksFor(at.place, event.names), yes]);
    expect((await decide(optionsOf(event, deciding))).reduced.verdict).toBe('ask');
  });

  it('holds inside hooks, however deep, and without time left', async () => {
    const { registry, place } = home();
    const event = bash('rm -rf .piton');
    const { deciding } = plan(event, registry.hooksFor(place, event.names));
    const { reduced } = await decide(optionsOf(event, deciding, { depth: 7, budgetMs: 0 }));
    expect(reduced.verdict).toBe('deny');
  });

  it('asks about a call that nobody can read', async () => {
    const { registry, place } = home();
    const { tool: _, ...whole } = bash('');
    const event = { ...whole, problems: ['payload of 40 bytes was truncated at 32'] };
    const { deciding } = plan(event, registry.hooksFor(place, event.names));
    const { reduced } = await decide(optionsOf(event, deciding, { truncated: 'cut' }));
    expect(reduced.verdict).toBe('ask');
    expect(reduced.reason).toContain('cannot be checked: its tool could not be read: payload of 40 bytes was truncated at 32');
  });

  it('shows what a model wrote in one short line', async () => {
    const { reduced } = await said(home(), `rm -rf $'.piton/\\x1b[31m\\u202e${'x'.repeat(300)}'`);
    expect(reduced.reason).not.toMatch(/[\u0000-\u001f]/);
    expect(reduced.reason?.length).toBeLessThan(600);
  });
});
