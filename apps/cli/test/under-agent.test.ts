import { describe, expect, it } from 'vitest';
import { evidenceOfAgent } from '../src/under-agent.ts';

describe('the sign of an agent', () => {
  it.each([
    'CLAUDECODE',
    'CLAUDE_CODE_SESSION_ID',
    'GEMINI_CLI',
    'QWEN_CODE',
    'COPILOT_CLI',
    'CODEX_SANDBOX',
    'CODEX_MANAGED_BY_NPM',
    'DROID_PROJECT_DIR',
    'CURSOR_AGENT',
    'PITON_RUN',
  ])('is %s in the environment', (name) => {
    expect(evidenceOfAgent({ [name]: '1' })).toBe(`${name} is set`);
  });

  it('is lifted by the one variable, and only by its one value', () => {
    expect(evidenceOfAgent({ CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: '1' })).toBeUndefined();
    expect(evidenceOfAgent({ CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: '0' })).toBe('CLAUDECODE is set');
  });

  it('is no setting that a person keeps in the shell', () => {
    // Without a marker what remains is the ancestry of this very process, which is not for this test to know.
    expect(evidenceOfAgent({ CODEX_HOME: '/x', CODEX_API_KEY: 'k', CLAUDECODE: '' }) ?? '').not.toMatch(/is set$/);
  });
});
