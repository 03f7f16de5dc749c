import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from './sandbox.ts';

let box: Sandbox;
beforeEach(() => {
  box = sandbox();
});
afterEach(() => box.end());

interface Overview {
  readonly agent: string;
  readonly version: string | null;
  readonly matrix: readonly { readonly event: string; readonly decision: string; readonly result: string }[];
}

describe('piton agents', () => {
  it('lists every agent, and says which were never driven for real', async () => {
    const said = await box.piton(['agents']);
    expect(said).toMatchObject({ code: 0, stderr: '' });
    const all = JSON.parse((await box.piton(['agents', '--json'])).stdout) as Overview[];
    expect(all.length).toBeGreaterThan(0);
    for (const { agent, version } of all) expect(said.stdout).toMatch(new RegExp(`^${agent} .*${version ?? 'unproven'}`, 'm'));
  });

  it('shows the matrix of one, by id or alias', async () => {
    const said = await box.piton(['agents', 'claude-code']);
    expect(said.code).toBe(0);
    expect(said.stdout).toMatch(/^EVENT +RECEIVED +DENY/m);
    expect(said.stdout).toMatch(/^pre_shell_execution +● +●/m);
    const one = JSON.parse((await box.piton(['agents', 'claude', '--json'])).stdout) as Overview;
    expect(one.matrix).toContainEqual(expect.objectContaining({ event: 'pre_shell_execution', decision: 'deny', result: 'verified' }));
    expect(one.matrix).toContainEqual(expect.objectContaining({ event: 'session_end', decision: 'deny', result: 'not possible' }));
  });

  it('takes a name that it does not know for a mistake of usage', async () => {
    const said = await box.piton(['agents', 'nobody']);
    expect(said.code).toBe(2);
    expect(said.stderr).toContain('claude');
  });
});
