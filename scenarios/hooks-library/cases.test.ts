import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { describe, expect, it } from 'vitest';
import { piton } from '../hooks-bench/stage.ts';
import { LIBRARY, NAMES, newHome } from './stage.ts';

interface Result {
  readonly agent: string;
  readonly ok?: boolean;
  readonly case?: string;
  readonly decision?: string;
}

/** Only these say no, and are to be seen saying it in every agent. */
const GUARDS = ['block-destructive-commands', 'protect-paths', 'scan-secrets-before-commit', 'scan-secrets-before-write'];

describe('the library', () => {
  it('holds what people want on the first day', () => {
    expect(NAMES).toEqual([
      'block-destructive-commands',
      'format-on-edit',
      'notify',
      'notify-when-done',
      'project-context',
      'protect-paths',
      'run-tests-at-stop',
      'scan-secrets-before-commit',
      'scan-secrets-before-write',
    ]);
  });

  describe.each(NAMES)('%s', (name) => {
    it('has nothing that lint would keep out', async () => {
      const { code, stdout } = await piton(newHome(), ['lint', join(LIBRARY, name)]);
      expect({ code, stdout }).toEqual({ code: 0, stdout: expect.any(String) });
    });

    it('keeps its own cases, and breaks on nothing that agents have sent', async () => {
      const { code, stdout, stderr } = await piton(newHome(), ['hooks', 'test', join(LIBRARY, name), '--json']);
      const { results } = JSON.parse(stdout || '{"results":[]}') as { results: Result[] };
      expect({ stderr, failed: results.filter(({ ok }) => ok === false) }).toEqual({ stderr: '', failed: [] });
      expect(code).toBe(0);
      expect(results.length).toBeGreaterThan(0);
    });
  });

  it.each(GUARDS)('%s denies and lets pass in every agent', async (name) => {
    const { stdout } = await piton(newHome(), ['hooks', 'test', join(LIBRARY, name), '--case', join(LIBRARY, name, 'tests'), '--json']);
    const { results } = JSON.parse(stdout) as { results: Result[] };
    const agentsThat = (decision: string): string[] =>
      [...new Set(results.filter((one) => one.decision === decision).map(({ agent }) => agent))].sort();
    const everyone = AGENTS.map(({ id }) => id).sort();
    expect({ deny: agentsThat('deny'), observe: agentsThat('observe') }).toEqual({ deny: everyone, observe: everyone });
  });
});
