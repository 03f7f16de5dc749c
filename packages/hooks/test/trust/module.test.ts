import { mkdirSync, readFileSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createRegistry, type TreeFile, trust, trustable } from '../../src/index.ts';
import { parseSettings, put, temporary } from '../scenery.ts';

const AT = '2026-01-02T03:04:05.000Z';
const writeSettings = (project: string, hooks: readonly object[]) => put(join(project, '.piton/settings.json'), JSON.stringify({ hooks }));

describe('a project’s module', () => {
  const laid = () => {
    const base = temporary();
    const project = join(base, 'project');
    mkdirSync(join(project, '.git'), { recursive: true });
    const ports = { trustDir: join(base, 'trust'), parseSettings };
    const registry = createRegistry({ ...ports, config: join(base, 'config') });
    const hooks = () => registry.hooksFor({ cwd: project, sessionRoot: null }, ['pre_tool_use']);
    const module = put(join(project, '.piton/modules/guard/guard.mjs'), 'export { word as default } from "./word.mjs";');
    const word = put(join(project, '.piton/modules/guard/word.mjs'), 'export const word = () => "as reviewed";');
    writeSettings(project, [{ name: 'guard', event: 'pre_tool_use', module: 'modules/guard/guard.mjs' }]);
    return { project, ports, hooks, module, word };
  };

  it('runs only from a copy of its whole folder, whatever becomes of the source', () => {
    const { project, ports, hooks, module, word } = laid();
    expect(hooks()[0]).toMatchObject({ status: { kind: 'not-trusted' } });
    expect(trust(ports, project, 'all', { at: AT }).refused).toEqual([]);
    const copy = hooks()[0]?.module ?? '';
    expect(hooks()[0]).toMatchObject({ status: { kind: 'ready' }, argv: [] });
    expect(copy).toMatch(new RegExp(`^${ports.trustDir}/objects/[0-9a-f]{64}/module/guard.mjs$`));
    expect(readFileSync(join(copy, '../word.mjs'), 'utf8')).toContain('as reviewed');
    writeFileSync(word, 'export const word = () => "anything goes";');
    expect(hooks()[0]).toMatchObject({ status: { kind: 'changed' }, module: copy });
    expect(readFileSync(join(copy, '../word.mjs'), 'utf8')).toContain('as reviewed');
    unlinkSync(module);
    expect(hooks()[0]).toMatchObject({ status: { kind: 'changed' }, module: copy });
    trust(ports, project, 'all', { at: AT });
    expect(hooks()[0]).toMatchObject({ module: copy });
  });

  it('is shown with all its files to whoever reviews it, and with what has changed', () => {
    const { project, ports, word } = laid();
    const paths = (files: readonly TreeFile[] | null | undefined) => files?.map(({ path }) => path);
    expect(trustable(ports, project)[0]?.main).toEqual(['definition.json', 'module/guard.mjs']);
    expect(paths(trustable(ports, project)[0]?.now)).toEqual(['definition.json', 'module/guard.mjs', 'module/word.mjs']);
    trust(ports, project, 'all', { at: AT });
    expect(trustable(ports, project)[0]).toMatchObject({ trusted: 'yes' });
    writeFileSync(word, 'export const word = () => "other";');
    expect(trustable(ports, project)[0]).toMatchObject({ trusted: 'changed' });
  });

  it.each([
    ['../../elsewhere/x.mjs', 'outside the project'],
    ['x.mjs', 'its own folder'],
    ['modules/guard/none.mjs', 'missing'],
    ['linked/guard.mjs', 'symbolic link'],
  ])('at %s is refused, and says why', (module, why) => {
    const { project, ports } = laid();
    put(join(project, '.piton/x.mjs'), '');
    put(join(project, '../elsewhere/x.mjs'), '');
    symlinkSync('modules/guard', join(project, '.piton/linked'));
    writeSettings(project, [{ name: 'guard', event: 'pre_tool_use', module }]);
    expect(trust(ports, project, 'all', { at: AT }).refused).toMatchObject([
      { id: 'project:settings/guard', why: expect.stringContaining(why) },
    ]);
  });
});
