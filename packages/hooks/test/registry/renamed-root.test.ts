import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry, decide, type EventPlace, type HookDefinition, plan, trust } from '../../src/index.ts';
import { optionsOf, parseSettings, put, script, temporary, toolEvent } from '../scenery.ts';

/** A trusted project with a guard of each kind. */
function scene() {
  const base = temporary();
  const project = join(base, 'x', 'proj');
  mkdirSync(join(project, '.git'), { recursive: true });
  script(join(project, '.piton/hooks/pre-tool-use/guard'), 'echo "the guard" >&2; exit 2');
  const policy = { name: 'policy', event: 'pre_tool_use', command: 'exit 0', fail_closed: true };
  put(join(project, '.piton/settings.json'), JSON.stringify({ hooks: [policy] }));
  const ports = { trustDir: join(base, 'trust'), parseSettings };
  trust(ports, project, 'all', { at: '2026-01-02T03:04:05.000Z' });
  const registry = createRegistry({ ...ports, config: join(base, 'config') });
  const at = (place: EventPlace) => registry.hooksFor(place, ['pre_tool_use']);
  return { base, project, registry, at };
}
const BOTH = ['policy changed', 'guard changed'];
const ofRoot = (hooks: readonly HookDefinition[], root: string): string[] =>
  hooks.filter((hook) => hook.root === root).map(({ name, status }) => `${name} ${status.kind}`);
const verdict = async (cwd: string, hooks: readonly HookDefinition[]) => {
  const event = { ...toolEvent('pre_tool_use', 'Bash', { command: 'ls' }), cwd };
  return (await decide(optionsOf(event, plan(event, hooks).deciding))).reduced;
};

describe('a session that began in a trusted project', () => {
  it('keeps its guards when the project is renamed', async () => {
    const { project, at } = scene();
    expect(ofRoot(at({ cwd: project, sessionRoot: project }), project)).toEqual(['policy ready', 'guard ready']);
    renameSync(project, `${project}2`);
    for (const cwd of [project, `${project}2`, '/']) expect(ofRoot(at({ cwd, sessionRoot: project }), project)).toEqual(BOTH);
    expect(await verdict(`${project}2`, at({ cwd: `${project}2`, sessionRoot: project }))).toMatchObject({
      verdict: 'deny',
      reason: 'the guard',
    });
  });

  it('keeps them when it began further down', () => {
    const { project, at } = scene();
    const below = join(project, 'src', 'deep');
    mkdirSync(below, { recursive: true });
    renameSync(project, `${project}2`);
    expect(ofRoot(at({ cwd: `${project}2`, sessionRoot: below }), project)).toEqual(BOTH);
  });

  it('keeps them when a repository is made between it and the project', () => {
    const { project, at } = scene();
    const below = join(project, 'src');
    mkdirSync(join(below, '.git'), { recursive: true });
    expect(ofRoot(at({ cwd: below, sessionRoot: below }), project)).toEqual(['policy ready', 'guard ready']);
  });

  it('keeps them when something else takes the place', () => {
    const { project, at } = scene();
    const place = { cwd: '/', sessionRoot: project };
    renameSync(project, `${project}2`);
    symlinkSync(`${project}2`, project);
    expect(ofRoot(at(place), project)).toHaveLength(2);
    rmSync(project);
    symlinkSync(project, project);
    expect(ofRoot(at(place), project)).toEqual(BOTH);
    rmSync(project);
    writeFileSync(project, 'a file');
    expect(ofRoot(at(place), project)).toEqual(BOTH);
    rmSync(project);
    mkdirSync(project);
    writeFileSync(join(project, '.piton'), 'a file');
    expect(ofRoot(at(place), project)).toEqual(BOTH);
    rmSync(join(project, '.piton'));
    mkdirSync(join(project, '.piton'));
    expect(ofRoot(at(place), project)).toEqual(BOTH);
  });

  it('keeps them when it was reached by a link, and a directory above is renamed', () => {
    const { base, project, at } = scene();
    symlinkSync(base, join(base, 'link'));
    const sessionRoot = join(base, 'link', 'x', 'proj');
    expect(ofRoot(at({ cwd: '/', sessionRoot }), project)).toEqual(['policy ready', 'guard ready']);
    renameSync(join(base, 'x'), join(base, 'y'));
    expect(ofRoot(at({ cwd: '/', sessionRoot }), project)).toEqual(BOTH);
  });

  it('is told of them in the list', () => {
    const { project, registry } = scene();
    renameSync(project, `${project}2`);
    expect(ofRoot(registry.list({ cwd: '/', sessionRoot: project }).hooks, project)).toEqual(BOTH);
  });
});

describe('a session that began elsewhere', () => {
  it('has no guards of a project that is not above it', () => {
    const { base, project, at } = scene();
    renameSync(project, `${project}2`);
    for (const sessionRoot of [`${project}2`, `${project}-beside`, join(base, 'x'), null]) {
      expect(ofRoot(at({ cwd: '/', sessionRoot }), project)).toEqual([]);
    }
  });
});
