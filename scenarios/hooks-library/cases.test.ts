import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { describe, expect, it } from 'vitest';
import { piton } from '../hooks-test/setup.ts';
import { LIBRARY, NAMES, newHome } from './setup.ts';

interface Result {
  readonly agent: string;
  readonly ok?: boolean;
  readonly case?: string;
  readonly decision?: string;
}

/** These say no, and are to be seen saying it in every agent, and letting something else pass. */
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
      'verify-claims',
    ]);
  });

  it('is described whole on its page', () => {
    const page = readFileSync(join(import.meta.dirname, '..', '..', 'docs', 'hooks-library.md'), 'utf8');
    expect(NAMES.filter((name) => !page.includes(`| \`${name}\` |`))).toEqual([]);
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
      if (!GUARDS.includes(name)) return;
      const agentsThat = (decision: string): string[] =>
        [...new Set(results.filter((one) => one.decision === decision).map(({ agent }) => agent))].sort();
      const everyone = AGENTS.map(({ id }) => id).sort();
      expect({ deny: agentsThat('deny'), observe: agentsThat('observe') }).toEqual({ deny: everyone, observe: everyone });
    });
  });
});
