import type { Agent, InstallTarget } from '@piton/contracts';
import { JSONC_CORPUS } from '@piton/testing/conformance';
import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent } from '../../src/index.ts';
import { hookWith, made, materializerOf, scopeOf, type Texts, texts } from './place.ts';

const HOOKS = [
  hookWith({ id: 'first', name: 'first' }),
  hookWith({ id: 'second', name: 'second', event: 'stop', action: 'cat >> ~/log' }),
  hookWith({ id: 'third', name: 'third', event: 'pre_tool_use', failClosed: true }),
];
const put = (agent: Agent, place: Texts, hooks = HOOKS): void => {
  for (const hook of hooks) place.take(made(materializerOf(agent).materialize(hook, place)).files);
};
const removeEntry = (agent: Agent, place: Texts, ids: readonly string[]): void => {
  for (const id of ids) {
    const result = materializerOf(agent).remove(id, place);
    if (!result.ok) throw new Error(result.why);
    place.take(result.files);
  }
};
/** What is left besides the folders of the hooks, which the command deletes. */
const others = ({ files }: Texts): Record<string, string> =>
  Object.fromEntries([...files].filter(([path]) => !path.includes('/piton-hooks/')));
const ORDERS = [
  ['first', 'second', 'third'],
  ['third', 'second', 'first'],
  ['second', 'third', 'first'],
];
/** The file in which entries stand, for agents that have one. */
const configOf = (agent: Agent): string | undefined =>
  made(materializerOf(agent).materialize(HOOKS[0] ?? hookWith(), texts({}, scopeOf(agent)))).files.find(({ path }) =>
    path.endsWith('.json'),
  )?.path;

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('%s: hooks in its own configuration', (_id, agent) => {
  it('stand side by side, and the second time nothing changes', () => {
    const place = texts({}, scopeOf(agent));
    put(agent, place);
    const once = new Map(place.files);
    put(agent, place);
    expect(place.files).toEqual(once);
    for (const { id } of HOOKS) expect([...once.keys()].some((path) => path.includes(`/piton-hooks/${id}/run.sh`))).toBe(true);
  });

  it.each(ORDERS)('leave nothing behind, taken out in the order %s, %s, %s', (...ids) => {
    const place = texts({}, scopeOf(agent));
    put(agent, place);
    removeEntry(agent, place, ids);
    expect(others(place)).toEqual({});
  });

  it('move with their event, and leave none where they stood before', () => {
    const place = texts({}, scopeOf(agent));
    put(agent, place, [hookWith({ id: 'one', event: 'stop' })]);
    put(agent, place, [hookWith({ id: 'one', event: 'pre_shell_execution' })]);
    const fresh = texts({}, scopeOf(agent));
    put(agent, fresh, [hookWith({ id: 'one', event: 'pre_shell_execution' })]);
    expect(others(place)).toEqual(others(fresh));
  });

  it('are absolute for a user, and follow the repository for a project', () => {
    const [user, project] = [texts({}, 'user'), texts({}, 'project')];
    put(agent, user);
    if (scopeOf(agent) === 'project') put(agent, project);
    expect(Object.values(others(project)).join('')).not.toContain('/code/here');
    if (configOf(agent) !== undefined) expect(Object.values(others(user)).join('')).toContain('/code/here/');
  });
});

const WITH_FILE = AGENTS.flatMap((agent) => {
  const path = configOf(agent);
  return path === undefined ? [] : [[agent.id, agent, path] as const];
});

describe.each(WITH_FILE)('%s: a configuration that somebody has', (_id, agent, path) => {
  it.each(Object.entries(JSONC_CORPUS))('comes back byte for byte: %s', (_name, text) => {
    for (const ids of ORDERS) {
      const place = texts({ [path]: text });
      put(agent, place);
      removeEntry(agent, place, ids);
      expect(place.files.get(path)).toBe(text);
    }
  });

  it('that cannot be read is left as it is, and said so', () => {
    const place = texts({ [path]: '{ "hooks": ' });
    expect(materializerOf(agent).materialize(HOOKS[0] ?? hookWith(), place)).toMatchObject({
      ok: false,
      code: 'materialize.config_invalid',
    });
    expect(materializerOf(agent).remove('first', place)).toMatchObject({ ok: false, code: 'materialize.config_invalid' });
  });
});

describe('beside the registrations of Piton', () => {
  const target: InstallTarget = { scope: 'project', forwarder: '/x/runtime/current/piton-forward', forwarderBelowHome: null, wanted: [] };
  it.each(['claude', 'codex', 'cursor'])('%s: either goes without the other, and the file is what it was', (id) => {
    const agent = findAgent(id);
    const path = agent && configOf(agent);
    if (!agent || !path) throw new Error(id);
    const original = '{\n  "other": 1 // mine\n}\n';
    const file = agent.installer.configFiles('project', {})[0];
    const installed = (text: string | null) => {
      const result = agent.installer.install(text, target, file);
      if (!result.ok) throw new Error(result.error);
      return result.edit.text ?? '';
    };
    const uninstalled = (text: string) => {
      const result = agent.installer.uninstall(text, target, file);
      if (!result.ok) throw new Error(result.error);
      return result.edit.text ?? '';
    };
    const place = texts({ [path]: installed(original) });
    put(agent, place);
    place.files.set(path, uninstalled(place.files.get(path) ?? ''));
    const alone = texts({ [path]: original });
    put(agent, alone);
    expect(place.files.get(path)).toBe(alone.files.get(path));
    place.files.set(path, installed(place.files.get(path) ?? ''));
    removeEntry(agent, place, ['first', 'second', 'third']);
    expect(uninstalled(place.files.get(path) ?? '')).toBe(original);
  });
});

describe('an import', () => {
  const importing = WITH_FILE.flatMap(([id, agent, path]) => {
    const file = agent.importer?.files('project', {})[0];
    return file && agent.importer ? [[id, agent, path, agent.importer, file] as const] : [];
  });
  it.each(importing)('of the hooks of %s takes none that was written here', (_id, agent, path, importer, file) => {
    const place = texts({}, scopeOf(agent));
    put(agent, place);
    expect(importer.read(place.files.get(path) ?? '', file)).toEqual({ ok: true, hooks: [], left: [] });
  });
});
