import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PITON_EVENTS } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { createRegistry, trust, trustable, untrust } from '../../src/index.ts';
import { parseSettings, put, script, temporary } from '../scenery.ts';

const parseArtifact = (text: string) => ({ entry: JSON.parse(text), errors: [] });

function home() {
  const base = temporary();
  const project = join(base, 'project');
  mkdirSync(join(project, '.git'), { recursive: true });
  const config = join(base, 'config');
  const ports = { trustDir: join(base, 'trust'), parseSettings, parseArtifact };
  return { base, config, project, ports, registry: createRegistry({ config, ...ports }) };
}
const at = (cwd: string) => ({ cwd, sessionRoot: null });
const ids = (list: readonly { id: string }[]): string[] => list.map(({ id }) => id);

describe('subscriptions to Piton’s own events', () => {
  it('are declared in the same three ways as hooks, in kebab- or snake-case, and stand in the same order', () => {
    const { config, project, registry } = home();
    put(join(config, 'settings.json'), JSON.stringify({ hooks: [{ name: 's', event: 'checkpoint_created', command: 'true' }] }));
    put(join(config, 'artifacts/a/ARTIFACT.md'), JSON.stringify({ event: 'checkpoint-created', command: 'true' }));
    script(join(config, 'hooks/checkpoint_created/20-x'), 'true');
    script(join(config, 'hooks/checkpoint-created/10-y'), 'true');
    expect(ids(registry.subscriptionsFor(at(project), 'checkpoint-created'))).toEqual([
      'user:settings/s',
      'user:artifacts/a',
      'user:checkpoint-created/10-y',
      'user:checkpoint_created/20-x',
    ]);
    const { hooks, subscriptions, problems } = registry.list(at(project));
    expect({ hooks, problems }).toEqual({ hooks: [], problems: [] });
    expect(subscriptions.map(({ event }) => event)).toEqual(Array(4).fill('checkpoint-created'));
  });

  it.each(PITON_EVENTS)('hear %s and nothing else', (event) => {
    const { config, project, registry } = home();
    for (const each of PITON_EVENTS) script(join(config, 'hooks', each, 'x'), 'true');
    expect(ids(registry.subscriptionsFor(at(project), event))).toEqual([`user:${event}/x`]);
    expect(registry.hooksFor(at(project), ['session_start', 'session_end'])).toEqual([]);
  });

  it('of a project run from their trusted copy, also when the source has changed or is gone', () => {
    const { project, ports, registry } = home();
    const file = script(join(project, '.piton/hooks/commit-linked/tell'), 'echo one');
    expect(registry.subscriptionsFor(at(project), 'commit-linked')).toMatchObject([{ status: { kind: 'not-trusted' } }]);
    expect(trustable(ports, project)).toMatchObject([{ event: 'commit-linked', trusted: 'no' }]);
    expect(trust(ports, project, 'all', { at: '2026-01-01T00:00:00Z' }).trusted).toEqual(['project:commit-linked/tell']);
    registry.forget();
    expect(registry.subscriptionsFor(at(project), 'commit-linked')).toMatchObject([{ status: { kind: 'ready' } }]);
    rmSync(file);
    registry.forget();
    const [gone] = registry.subscriptionsFor(at(project), 'commit-linked');
    expect(gone).toMatchObject({ status: { kind: 'changed' } });
    expect(gone?.argv[0]).toContain(ports.trustDir);
    expect(untrust(ports.trustDir, project, 'all')).toEqual(['project:commit-linked/tell']);
    registry.forget();
    expect(registry.subscriptionsFor(at(project), 'commit-linked')).toEqual([]);
  });

  it('are switched off by hooks_enabled, and named when they are not executable', () => {
    const { config, project, registry } = home();
    put(join(config, 'settings.json'), JSON.stringify({ hooks_enabled: false }));
    const file = script(join(config, 'hooks/session-ended/x'), 'true');
    expect(registry.subscriptionsFor(at(project), 'session-ended')).toMatchObject([{ enabled: false }]);
    chmodSync(file, 0o644);
    registry.forget();
    expect(registry.list(at(project)).problems).toMatchObject([{ path: file, remedy: `chmod +x "${file}"` }]);
  });

  it('say so where a field makes no sense on them, and go on without it', () => {
    const { config, project, registry } = home();
    const entry = { name: 's', event: 'hook-failed', command: 'true', matcher: 'Bash', fail_closed: true, inject_output: true, timeout: 5 };
    put(join(config, 'settings.json'), JSON.stringify({ hooks: [entry] }));
    expect(registry.subscriptionsFor(at(project), 'hook-failed')).toMatchObject([
      { matcher: '', failClosed: false, injectOutput: undefined, timeoutMs: 5000, status: { kind: 'ready' } },
    ]);
    expect(registry.list(at(project)).problems.map(({ problem }) => problem)).toEqual(
      ['matcher', 'inject_output', 'fail_closed'].map(
        (key) => `hooks[0] (s): "${key}" has no effect on hook-failed, an event that Piton emits`,
      ),
    );
  });

  it('are suggested for a directory or an entry whose name is nearly theirs', () => {
    const { config, project, registry } = home();
    script(join(config, 'hooks/checkpoint-create/x'), 'true');
    writeFileSync(join(config, 'settings.json'), JSON.stringify({ hooks: [{ event: 'commit-link', command: 'true' }] }));
    const [entry, directory] = registry.list(at(project)).problems;
    expect([entry?.problem, directory?.remedy]).toEqual([
      expect.stringContaining('did you mean commit-linked?'),
      expect.stringContaining('did you mean checkpoint-created?'),
    ]);
  });
});
