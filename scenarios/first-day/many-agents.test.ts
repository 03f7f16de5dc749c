import { lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

/** Every file below with its mode and bytes, but what Piton itself keeps. */
function treeOf(root: string): Record<string, string> {
  const found: Record<string, string> = {};
  const look = (directory: string): void => {
    for (const name of readdirSync(directory)) {
      const path = join(directory, name);
      if (path === box.state || path.startsWith(join(box.home, '.local')) || name === '.git') continue;
      const stat = lstatSync(path);
      found[path] = `${(stat.mode & 0o777).toString(8)} ${stat.isDirectory() ? 'directory' : readFileSync(path, 'utf8')}`;
      if (stat.isDirectory()) look(path);
    }
  };
  look(root);
  return found;
}

interface Reported {
  readonly changed: boolean;
  readonly agents: { readonly agent: string; readonly added: readonly string[]; readonly files: readonly { readonly file: string }[] }[];
  readonly leftOut: { readonly agent: string }[];
}

describe('each agent', () => {
  for (const { id, title, installer } of AGENTS) {
    for (const scope of ['user', 'project'] as const) {
      if (scope === 'project' && installer.userOnly !== undefined) {
        it(`${title}, project: refused where it is named, left out where it was found, with the command for the user`, async () => {
          const cwd = box.repository();
          mkdirSync(dirname(join(box.home, installer.configFiles('user', {})[0].path)), { recursive: true });
          const before = treeOf(box.home);
          const named = await box.piton(['init', '--agents', id, '--scope', 'project', '--yes'], { cwd });
          expect(named).toMatchObject({ code: 1, stderr: expect.stringContaining(installer.userOnly ?? '') });
          expect(named.stderr).toContain(`init --agent ${id}\n`);
          const found = await box.piton(['init', '--scope', 'project', '--yes'], { cwd });
          expect(found.stderr).toContain(installer.userOnly);
          expect(treeOf(box.home)).toEqual(before);
        });
        continue;
      }
      it(`${title}, ${scope}: registered, a second time nothing, and gone without a trace`, async () => {
        const cwd = box.repository();
        const before = treeOf(box.home);
        const args = ['init', '--agents', id, '--scope', scope, '--yes'];
        const first = await box.json<Reported>(args, { cwd });
        expect(first.agents[0]?.added.length).toBeGreaterThan(0);
        expect(await box.json<Reported>(args, { cwd })).toMatchObject({ changed: false });
        const out = await box.piton(['uninstall', '--yes', ...(scope === 'project' ? ['--project'] : [])], { cwd });
        expect(out).toMatchObject({ code: 0, stderr: '' });
        expect(treeOf(box.home)).toEqual(before);
      });
    }
  }
});

describe('all agents that are here', () => {
  it('are registered at once but for the unproven ones, proved by status, and taken out at once', async () => {
    for (const agent of AGENTS) mkdirSync(dirname(join(box.home, agent.installer.configFiles('user', {})[0].path)), { recursive: true });
    const before = treeOf(box.home);
    const plan = await box.json<Reported>(['init', '--yes']);
    const proven = AGENTS.filter(({ provenVersion }) => provenVersion !== null).map(({ id }) => id);
    expect(plan.agents.map(({ agent }) => agent)).toEqual(proven);
    expect([...plan.agents, ...plan.leftOut].map(({ agent }) => agent).sort()).toEqual(AGENTS.map(({ id }) => id).sort());
    const status = await box.json<{ agents: { agent: string; canaries: { canary: { arrived: boolean } }[] }[] }>(['status']);
    expect(status.agents.map(({ agent, canaries }) => [agent, canaries.map(({ canary }) => canary.arrived)])).toEqual(
      proven.map((id) => [id, [true]]),
    );
    const tests = await box.json<{ agent: string; canary: boolean }[]>(['events', '--all']);
    expect(tests.filter(({ canary }) => canary).map(({ agent }) => agent)).toEqual(proven);
    await box.piton(['uninstall', '--yes']);
    expect(treeOf(box.home)).toEqual(before);
  });
});
