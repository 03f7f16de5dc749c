import { describe, expect, it } from 'vitest';
import { evidenceOfAgent } from '../src/agents/under-agent.ts';

describe('the evidence of an agent', () => {
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

  it('is overridden by one variable, and only by its one value', () => {
    expect(evidenceOfAgent({ CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: '1' })).toBeUndefined();
    expect(evidenceOfAgent({ CLAUDECODE: '1', PITON_ALLOW_UNDER_AGENT: '0' })).toBe('CLAUDECODE is set');
  });

  it('is no variable that people set in their shells', () => {
    // Without a marker, the ancestry of this process decides, which this test cannot know.
    expect(evidenceOfAgent({ CODEX_HOME: '/x', CODEX_API_KEY: 'k', CLAUDECODE: '' }) ?? '').not.toMatch(/is set$/);
  });
});
