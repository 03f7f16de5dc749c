import { chmodSync } from 'node:fs';
import { join } from 'node:path';
import { createRegistry, trust, trustable } from '@piton/hooks';
import { describe, expect, it } from 'vitest';
import { READING } from '../../src/hooks/in-force.ts';
import { temporary, writeArtifact } from './artifact-folder.ts';

function place() {
  const base = temporary();
  const [config, trustDir] = [join(base, 'config'), join(base, 'trust')];
  const registry = createRegistry({ config, trustDir, ...READING });
  return { base, config, trustDir, list: () => registry.list({ cwd: base, sessionRoot: null }) };
}
const kinds = ({ hooks }: ReturnType<ReturnType<typeof place>['list']>) => hooks.map(({ status }) => status.kind);

describe('an artifact with an error', () => {
  it('does not run, and says why and at which line', () => {
    const { config, list } = place();
    const script = { 'scripts/a.sh': { text: '#!/bin/sh\n', mode: 0o644 } };
    writeArtifact(join(config, 'artifacts', 'a'), { hook_action: 'scripts/a.sh' }, script);
    expect(kinds(list())).toEqual(['broken']);
    expect(list().problems).toEqual([
      {
        path: join(config, 'artifacts', 'a', 'ARTIFACT.md'),
        problem: 'line 6: scripts/a.sh is not executable',
        remedy: expect.stringContaining('piton lint'),
      },
    ]);
    chmodSync(join(config, 'artifacts', 'a', 'scripts', 'a.sh'), 0o755);
    expect(kinds(list())).toEqual(['ready']);
    expect(list().problems).toEqual([]);
  });
  it.each([
    ['a native event', { hook_event: 'PreToolUse' }, 'line 5: PreToolUse is the native name of Claude Code and other agents'],
    ['no event', { hook_event: undefined }, 'line 1: "hook_event" is missing'],
  ])('is named once where it has %s', (_name, fields, words) => {
    const { config, list } = place();
    writeArtifact(join(config, 'artifacts', 'a'), fields);
    expect(list().hooks).toEqual([]);
    expect(list().problems.map(({ problem }) => problem)).toEqual([expect.stringContaining(words)]);
  });
  it('cannot be trusted', () => {
    const { base, trustDir } = place();
    writeArtifact(join(base, '.piton', 'artifacts', 'a'), { hook_event: 'pre_tool_use', matcher: 'run_shell_command' });
    const ports = { trustDir, ...READING };
    expect(trustable(ports, base).map(({ problem }) => problem)).toEqual([expect.stringContaining('no tool is named run_shell_command')]);
    expect(trust(ports, base, 'all', { at: new Date().toISOString() }).trusted).toEqual([]);
  });
  it('is not blocked by warnings', () => {
    const { config, list } = place();
    writeArtifact(join(config, 'artifacts', 'a'), { description: 'Guard', hook_action: 'git status' });
    expect([kinds(list()), list().problems]).toEqual([['ready'], []]);
  });
});
