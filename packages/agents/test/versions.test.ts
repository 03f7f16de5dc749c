import { type Agent, compareVersions, type InstallTarget } from '@piton/contracts';
import { EDGES, PINNED_AGENTS } from '@piton/testing';
import { describe, expect, it } from 'vitest';
import { DRIVEN } from '../src/driven.ts';
import { AGENTS, versionClass } from '../src/index.ts';

const proven = AGENTS.filter(({ provenVersion }) => provenVersion !== null);
const target: InstallTarget = {
  scope: 'user',
  forwarder: '/home/dev/.local/state/piton/runtime/current/piton-forward',
  forwarderBelowHome: null,
  wanted: [],
};

/** All registrations that an agent's installer writes into empty files for a version. */
function written(agent: Agent, version?: string): string[] {
  return agent.installer.configFiles('user', {}).flatMap((file) => {
    const result = agent.installer.install(null, { ...target, ...(version !== undefined && { version }) }, file);
    return result.ok && result.edit.text !== null ? [result.edit.text] : [];
  });
}

describe('versions', () => {
  it('that are proven are those of the test bed', () => {
    expect(Object.fromEntries(proven.map(({ id, provenVersion }) => [id, provenVersion]))).toEqual(
      Object.fromEntries(PINNED_AGENTS.map(({ id, version }) => [id, version])),
    );
  });

  it.each(AGENTS.map((agent) => [agent.id, agent] as const))('of %s that are said to work were driven, from the oldest on', (id, agent) => {
    const edges = EDGES.filter((edge) => edge.id === id).map(({ version }) => version);
    expect(agent.versions.oldest).toBe(edges[0] ?? null);
    const driven = DRIVEN.older.filter((row) => row.agent === id);
    expect(driven.map(({ version }) => version)).toEqual(edges);
    for (const { heard } of driven) expect(heard).toContain('pre_tool_use');
  });

  it.each(proven.map((agent) => [agent.id, agent] as const))(
    'of %s: what is written without one is what the proven one gets',
    (_, agent) => {
      expect(written(agent)).toEqual(written(agent, agent.provenVersion ?? ''));
      expect(written(agent)).toEqual(written(agent, '999.0.0'));
    },
  );

  it.each(proven.map((agent) => [agent.id, agent] as const))('of %s have a class, in order', (_, agent) => {
    const { oldest } = agent.versions;
    expect(versionClass(agent, agent.provenVersion)).toBe('proven');
    expect(versionClass(agent, '999.0.0')).toBe('newer');
    expect(versionClass(agent, `${agent.provenVersion}-preview.1`)).toBe(oldest === null ? 'too old' : 'older');
    expect(versionClass(agent, '0.0.1')).toBe('too old');
    expect(versionClass(agent, null)).toBe('unknown');
    if (oldest !== null) expect(versionClass(agent, oldest)).toBe('older');
  });

  it('differ from the proven one only where the folder says so', () => {
    for (const agent of proven)
      for (const { version } of EDGES.filter(({ id }) => id === agent.id)) {
        const same = JSON.stringify(written(agent, version)) === JSON.stringify(written(agent));
        const differs = agent.versions.differences.some(({ below }) => compareVersions(version, below) < 0);
        if (!same) expect(differs, `${agent.id} ${version}`).toBe(true);
      }
  });
});
