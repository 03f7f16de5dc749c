import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lintFolder } from '../../src/lint/lint-folder.ts';

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'piton-lint-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const HEAD = {
  type: 'hook',
  version: '1.0.0',
  description: 'Log the end of each turn to a file.',
  hook_event: 'stop',
  hook_action: 'true',
};
function lint(fields: Record<string, unknown>, files: Record<string, string> = {}) {
  const entries = Object.entries({ ...HEAD, ...fields }).filter(([, value]) => value !== undefined);
  const lines = entries.map(([key, value]) => `${key}: ${JSON.stringify(value)}`);
  writeFileSync(join(folder, 'ARTIFACT.md'), `---\n${lines.join('\n')}\n---\n`);
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(join(folder, name, '..'), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
  return lintFolder(folder);
}

describe('lint of a folder', () => {
  it('finds nothing in a sound artifact', () => {
    expect(lint({})).toEqual([]);
  });
  it('says that there is none', () => {
    expect(lintFolder(join(folder, 'gone'))).toEqual([expect.objectContaining({ severity: 'error', rule: 'unreadable', line: 1 })]);
  });
  it.each([
    ['PreToolUse', 'pre_tool_use'],
    ['BeforeAgent', 'user_prompt_submit'],
    ['userPromptSubmitted', 'user_prompt_submit'],
    ['pre_tool_usage', 'pre_tool_use'],
    ['beforeShellExecution', 'pre_shell_execution'],
  ])('knows what is meant by the event %s', (event, ours) => {
    expect(lint({ hook_event: event })).toEqual([
      expect.objectContaining({
        severity: 'error',
        rule: 'event',
        line: 5,
        file: join(folder, 'ARTIFACT.md'),
        remedy: expect.stringContaining(ours),
      }),
    ]);
  });
  it('names the line of a field that is wrong', () => {
    expect(lint({ timeout: 'soon' })).toEqual([expect.objectContaining({ severity: 'error', rule: 'schema', line: 7 })]);
  });
  it('suggests the agent that was meant', () => {
    expect(lint({ target_harnesses: ['cluade'] })).toEqual([
      expect.objectContaining({ severity: 'error', rule: 'target', line: 7, what: expect.stringContaining('did you mean claude?') }),
    ]);
  });
  it('says once what is missing', () => {
    expect(lint({ hook_event: undefined }).map(({ what }) => what)).toEqual(['"hook_event" is missing']);
  });
  it('only warns of a field that this version does not know', () => {
    expect(lint({ matchers: 'Bash' })).toEqual([expect.objectContaining({ severity: 'warning', rule: 'schema.unknown', line: 7 })]);
  });
});
