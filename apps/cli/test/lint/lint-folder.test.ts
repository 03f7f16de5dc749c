import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lintFolder } from '../../src/lint/lint-folder.ts';
import { lint, temporary } from './artifact-folder.ts';

const error = (rule: string, at: string, words: string) => [
  expect.objectContaining({ severity: 'error', rule, at, what: expect.stringContaining(words) }),
];

describe('lint of an artifact', () => {
  it('finds nothing in a sound one', () => {
    expect(lint({})).toEqual([]);
  });
  it('says that there is none', () => {
    expect(lintFolder(join(temporary(), 'gone'))).toEqual([expect.objectContaining({ severity: 'error', rule: 'unreadable', line: 1 })]);
  });
  it.each([
    ['PreToolUse', 'pre_tool_use'],
    ['BeforeAgent', 'user_prompt_submit'],
    ['userPromptSubmitted', 'user_prompt_submit'],
    ['pre_tool_usage', 'pre_tool_use'],
    ['beforeShellExecution', 'pre_shell_execution'],
  ])('knows what is meant by the event %s', (event, ours) => {
    expect(lint({ hook_event: event })).toEqual([
      expect.objectContaining({ severity: 'error', rule: 'event', at: 'ARTIFACT.md:5', remedy: expect.stringContaining(ours) }),
    ]);
  });
  it('names the line of a field that is wrong', () => {
    expect(lint({ timeout: 'soon' })).toEqual(error('schema', 'ARTIFACT.md:7', '"timeout"'));
  });
  it('suggests the agent that was meant', () => {
    expect(lint({ target_harnesses: ['cluade'] })).toEqual(error('target', 'ARTIFACT.md:7', 'did you mean claude?'));
  });
  it('says once what is missing', () => {
    expect(lint({ hook_event: undefined }).map(({ what }) => what)).toEqual(['"hook_event" is missing']);
  });
  it('only warns of a field that this version does not know', () => {
    expect(lint({ matchers: 'Bash' })).toEqual([
      expect.objectContaining({ severity: 'warning', rule: 'schema.unknown', at: 'ARTIFACT.md:7' }),
    ]);
  });
});

describe('an event that a named agent does not send', () => {
  it('is an error with both names', () => {
    expect(lint({ hook_event: 'permission_request', target_harnesses: ['claude', 'gemini-cli'] })).toEqual(
      error('target.event', 'ARTIFACT.md:7', 'Gemini CLI (gemini) does not send permission_request'),
    );
  });
  it('is no error if no agent is named', () => {
    expect(lint({ hook_event: 'permission_request' })).toEqual([]);
  });
  it.each([['pre_shell_execution'], ['post_file_edit'], ['pre_mcp_execution'], ['pre_compact']])(
    '%s is told by kinds and on demand',
    (event) => {
      expect(lint({ hook_event: event, target_harnesses: ['claude', 'codex', 'gemini'] })).toEqual([]);
    },
  );
});

describe('an event that covers only a part of what its name says', () => {
  const partial = (head: Record<string, unknown>) => lint(head).filter(({ rule }) => rule === 'event.partial');
  it('is a warning that says which part, wherever the hook would run', () => {
    const found = [
      expect.objectContaining({
        severity: 'warning',
        what: 'in Codex pre_read_file fires for images alone: it reads other files by shell commands',
      }),
    ];
    expect(partial({ hook_event: 'pre_read_file' })).toEqual(found);
    expect(partial({ hook_event: 'pre_read_file', target_harnesses: ['codex', 'claude'] })).toEqual(found);
  });
  it('is none where the hook runs in other agents', () => {
    expect(partial({ hook_event: 'pre_read_file', target_harnesses: ['claude', 'gemini'] })).toEqual([]);
    expect(partial({ hook_event: 'pre_tool_use' })).toEqual([]);
  });
});

describe('a script that the action runs', () => {
  it('has to be there', () => {
    expect(lint({ hook_action: 'true\nscripts/log.sh --all' })).toEqual(error('script.missing', 'ARTIFACT.md:8', 'scripts/log.sh'));
  });
  it('has to be executable', () => {
    expect(lint({ hook_action: 'scripts/log.sh' }, { 'scripts/log.sh': { text: '#!/bin/sh\n', mode: 0o644 } })).toEqual([
      expect.objectContaining({
        severity: 'error',
        rule: 'script.not-executable',
        at: 'ARTIFACT.md:6',
        remedy: expect.stringMatching(/^chmod \+x ".*scripts\/log.sh"$/),
      }),
    ]);
  });
  it('needs no such bit where its interpreter is named', () => {
    expect(lint({ hook_action: 'exec sh -eu scripts/log.sh' }, { 'scripts/log.sh': { text: '', mode: 0o644 } })).toEqual([]);
  });
  it('may be in the project, if the path says so', () => {
    expect(lint({ hook_action: '"$CLAUDE_PROJECT_DIR"/scripts/log.sh' })).toEqual([]);
  });
  it('may be a module, which has to be there too', () => {
    expect(lint({ hook_action: undefined, module: 'guard.mjs' })).toEqual(error('script.missing', 'ARTIFACT.md:6', 'guard.mjs'));
    expect(lint({ hook_action: undefined, module: './guard.mjs' }, { 'guard.mjs': { text: '', mode: 0o644 } })).toEqual([]);
  });
});

describe('a matcher', () => {
  it.each([
    ['pre_tool_use', 'run_shell_command', 'Bash'],
    ['pre_tool_use', 'bash', 'Bash'],
    ['pre_tool_use', 'apply_patch|edit', 'Edit'],
    ['pre_tool_use', 'BASH', 'Bash'],
    ['pre_tool_use', 'pre_shell_execution', 'hook_event: pre_shell_execution'],
    ['pre_shell_execution', 'Edit|Write', 'event of that kind'],
    ['pre_shell_execution', '/^Ed/', 'event of that kind'],
    ['pre_file_edit', 'mcp__github__*', 'event of that kind'],
  ])('on %s that can never fit, %s, is an error', (hook_event, matcher, remedy) => {
    expect(lint({ hook_event, matcher })).toEqual([
      expect.objectContaining({ severity: 'error', rule: 'matcher.never', at: 'ARTIFACT.md:7', remedy: expect.stringContaining(remedy) }),
    ]);
  });
  it.each([
    ['pre_tool_use', 'Bash|mcp__github__*'],
    ['pre_tool_use', 'SomebodysTool'],
    ['pre_tool_use', '/^(Edit|Write)$/'],
    ['pre_mcp_execution', 'mcp__github__create_issue'],
    ['pre_mcp_execution', '*github*'],
    ['pre_mcp_execution', '/github/'],
    ['post_file_edit', 'Notebook*'],
    ['permission_request', 'WebFetch'],
  ])('on %s that may fit, %s, is none', (hook_event, matcher) => {
    expect(lint({ hook_event, matcher })).toEqual([]);
  });
  it.each([['^Bash$'], ['/(a+)+\\1/'], ['/a(?=b)/'], ['Bash|'], ['/(/']])('that is refused, %s, is an error', (matcher) => {
    expect(lint({ hook_event: 'pre_tool_use', matcher })).toEqual([
      expect.objectContaining({ severity: 'error', rule: 'pattern', at: 'ARTIFACT.md:7' }),
    ]);
  });
  it('with a part that never matches is a warning', () => {
    expect(lint({ hook_event: 'pre_tool_use', matcher: 'WebFetch|web_fetch' })).toEqual([
      expect.objectContaining({ severity: 'warning', rule: 'matcher.part', remedy: 'write WebFetch' }),
    ]);
  });
  it.each([
    ['Bash', 'pre_shell_execution'],
    ['Edit|Write', 'pre_file_edit'],
    ['Read', 'pre_read_file'],
    ['mcp__*', 'pre_mcp_execution'],
  ])('%s on pre_tool_use is what %s says', (matcher, event) => {
    expect(lint({ hook_event: 'pre_tool_use', matcher })).toEqual([
      expect.objectContaining({ severity: 'warning', rule: 'matcher.kind', remedy: expect.stringContaining(`hook_event: ${event}`) }),
    ]);
  });
  it('has no effect on an event without a tool', () => {
    expect(lint({ matcher: 'startup' })).toEqual([expect.objectContaining({ severity: 'warning', rule: 'matcher.ignored' })]);
  });
});

describe('a condition', () => {
  it.each([
    ['stop', { kind: 'shell' }],
    ['stop', { source: 'clear' }],
    ['pre_tool_use', { source: 'startup' }],
    ['pre_shell_execution', { kind: ['edit', 'read'] }],
    ['pre_file_edit', { command: 'rm*' }],
  ])('that can never hold on %s is an error', (hook_event, when) => {
    expect(lint({ hook_event, when })).toEqual([expect.objectContaining({ severity: 'error', rule: 'when.never', at: 'ARTIFACT.md:7' })]);
  });
  it.each([
    ['session_start', { source: 'startup|resume' }],
    ['pre_tool_use', { kind: 'shell', command: 'rm*' }],
    ['pre_shell_execution', { kind: 'shell', command: ['rm*'] }],
  ])('that may hold on %s is none', (hook_event, when) => {
    expect(lint({ hook_event, when })).toEqual([]);
  });
  it('with a pattern that is refused is an error', () => {
    expect(lint({ hook_event: 'pre_shell_execution', when: { command: '/a(?!b)/' } })).toEqual(
      error('pattern', 'ARTIFACT.md:7', 'looks ahead'),
    );
  });
});
