import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry, type HookDefinition } from '../../src/index.ts';
import { parseSettings, put, temporary } from '../scenery.ts';

function home() {
  const base = temporary();
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const config = join(base, 'config');
  return { config, project, registry: createRegistry({ config, trustDir: join(base, 'trust'), parseSettings }) };
}
const settings = (hooks: readonly unknown[]): string => JSON.stringify({ hooks });
const at = (cwd: string) => ({ cwd, sessionRoot: null });

describe('a setting', () => {
  const one = (entry: object): { hook: HookDefinition | undefined; problems: string[] } => {
    const { config, project, registry } = home();
    put(join(config, 'settings.json'), settings([{ name: 'h', event: 'pre_tool_use', ...entry }]));
    const { hooks, problems } = registry.list(at(project));
    return { hook: hooks[0], problems: problems.map(({ problem }) => problem) };
  };

  it('may have conditions and a group', () => {
    const { hook, problems } = one({ command: 'true', when: { kind: 'shell', command: '/^rm/' }, observe: true, group: 'g' });
    expect(problems).toEqual([]);
    expect(hook).toMatchObject({ when: { kind: 'shell', command: '/^rm/' }, group: 'g', observe: true, status: { kind: 'ready' } });
  });

  it.each([
    [{ kind: 'shel' }, '"when.kind" is "shel"'],
    [{ comand: 'x' }, '"when" has no condition "comand"'],
    [{ command: '/(?=x)/' }, '"when.command": /(?=x)/ looks ahead'],
    [{ input: { a: '' } }, '"when.input.a"'],
    ['x', '"when" is not an object'],
  ])('with the condition %j is broken, and says why', (when, why) => {
    const { hook, problems } = one({ command: 'true', when });
    expect(hook?.status.kind).toBe('broken');
    expect(problems.join()).toContain(why);
  });

  it('may be a module, found from its settings file', () => {
    const { config, project, registry } = home();
    put(join(config, 'settings.json'), settings([{ name: 'h', event: 'stop', module: 'modules/h.mjs' }]));
    const { hooks, problems } = registry.list(at(project));
    expect(problems).toEqual([]);
    expect(hooks[0]).toMatchObject({ module: join(config, 'modules/h.mjs'), argv: [], status: { kind: 'ready' } });
  });

  it.each([
    [{ module: 'a.mjs', command: 'true' }, 'cannot be combined'],
    [{ module: 'a.py' }, 'neither JavaScript'],
    [{}, '"command" is missing'],
  ])('%j is broken, and says why', (entry, why) => {
    const { hook, problems } = one(entry);
    expect(hook?.status.kind).toBe('broken');
    expect(problems.join()).toContain(why);
  });
});
