import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lintFolder } from '../../src/lint/lint-folder.ts';
import { lint, temporary } from './artifact-folder.ts';

const warning = (rule: string, at: string, words = '') =>
  expect.objectContaining({ severity: 'warning', rule, at, what: expect.stringContaining(words), remedy: expect.any(String) });

describe('a description', () => {
  it.each([['Lifecycle observer.'], ['My hook for events of the agent'], ['Guard'], ['']])(
    'like "%s" tells nobody what the hook does',
    (description) => {
      expect(lint({ description })).toEqual([warning('description', 'ARTIFACT.md:4')]);
    },
  );
  it('that is missing is reported', () => {
    expect(lint({ description: undefined })).toEqual([warning('description', 'ARTIFACT.md:1', 'missing')]);
  });
});

describe('an action', () => {
  it('may have five lines, and no more', () => {
    expect(lint({ hook_action: 'true\n'.repeat(5).trim() })).toEqual([]);
    expect(lint({ hook_action: 'true\n'.repeat(6).trim() })).toEqual([warning('action.long', 'ARTIFACT.md:7', '6 lines')]);
  });
});

describe('a field of the payload', () => {
  it.each([
    ['jq -r .tool_input.command'],
    ["jq '.prompt'"],
    ['cat | jq -r ".tool_input.file_path"'],
    ['X=$(jq -r .cwd)'],
    ["jq -r '.a | .b'"],
  ])('read by %s has no default', (hook_action) => {
    expect(lint({ hook_action, runtime_requirements: { system_packages: ['jq'] } })).toEqual([warning('payload.default', 'ARTIFACT.md:6')]);
  });
  it.each([
    ["jq -r '.a // empty'"],
    ['jq -e .a'],
    ['jq .'],
    ["jq -n '{a: 1}'"],
    ['jq -r .version package.json'],
    ["jq -r '.a | select(.)'"],
    ["jq --arg x .y '.a // $x'"],
    ['jq -r "$FILTER"'],
    ["jq 'keys'"],
  ])('is read well by %s', (hook_action) => {
    expect(lint({ hook_action, runtime_requirements: { system_packages: ['jq'] } })).toEqual([]);
  });
  it('is found in scripts too, with its line there', () => {
    const files = { 'scripts/a.sh': { text: '#!/bin/sh\nset -eu\njq -r .prompt\n' } };
    expect(lint({ hook_action: 'scripts/a.sh', runtime_requirements: { system_packages: ['jq'] } }, files)).toEqual([
      warning('payload.default', 'scripts/a.sh:3', '.prompt'),
    ]);
  });
});

describe('a command', () => {
  it('that is used has to be declared', () => {
    expect(lint({ hook_action: 'set -e\ngit status && npx prettier --write . | tee log' })).toEqual([
      warning('requirement', 'ARTIFACT.md:8', 'git'),
      warning('requirement', 'ARTIFACT.md:8', 'npx'),
    ]);
  });
  it('is found behind others, in substitutions and on the first line of a script', () => {
    const files = { 'scripts/a.py': { text: '#!/usr/bin/env python3\nimport sys\n' } };
    const found = lint({ hook_action: 'scripts/a.py; exec env X=1 curl "$(timeout 5 rg x)"' }, files);
    expect(found.map(({ what, at }) => [at, what.split(' ')[0]]).sort()).toEqual([
      ['ARTIFACT.md:6', 'curl'],
      ['ARTIFACT.md:6', 'rg'],
      ['scripts/a.py:1', 'python3'],
    ]);
  });
  it.each([
    ['command -v jq >/dev/null || exit 0'],
    ['say() { printf x; }; say'],
    ['"$TOOL" x'],
    ['cat | grep x | sed s/a/b/'],
    ['./own'],
    ['/opt/x/y'],
  ])('needs no word in %s', (hook_action) => {
    expect(lint({ hook_action })).toEqual([]);
  });
});

describe('a sensitive hook', () => {
  it('should be confined', () => {
    expect(lint({ sensitivity: 'high' })).toEqual([warning('sandbox', 'ARTIFACT.md:7')]);
    expect(lint({ sensitivity: 'medium', sandbox_profile: 'none' })).toEqual([warning('sandbox', 'ARTIFACT.md:7')]);
  });
  it('is fine if it is confined, or of low sensitivity', () => {
    expect([...lint({ sensitivity: 'high', sandbox_profile: 'strict' }), ...lint({ sensitivity: 'low' })]).toEqual([]);
  });
});

describe('a decision', () => {
  it('that an agent ignores is reported with its name', () => {
    const [finding] = lint({
      hook_event: 'session_end',
      hook_action: `echo '{"decision":"deny","reason":"no"}'`,
      target_harnesses: ['claude'],
    });
    expect(finding).toEqual(warning('decision', 'ARTIFACT.md:6', 'deny at session_end: no effect in Claude Code'));
  });
  it('that an agent degrades is reported with what it becomes', () => {
    const hook_action = `echo '{"hookSpecificOutput":{"permissionDecision":"ask"}}'`;
    expect(lint({ hook_event: 'user_prompt_submit', hook_action, target_harnesses: ['claude'] })).toEqual([
      warning('decision', 'ARTIFACT.md:6', 'Claude Code: a deny'),
    ]);
  });
  it.each([
    ['exit 2', 'pre_tool_use', 'deny'],
    ['exit 2', 'stop', 'continue'],
    ['echo "{\\"decision\\": \\"block\\"}"', 'user_prompt_submit', 'deny'],
    ['echo "{\\"decision\\": \\"block\\"}"', 'subagent_stop', 'continue'],
    [`printf '{"decision":"approve"}'`, 'pre_tool_use', 'allow'],
    [`printf '{"decision":"ask","reason":"x"}'`, 'pre_tool_use', 'ask'],
    [`printf '{"hookSpecificOutput":{"permissionDecision":"deny"}}'`, 'pre_tool_use', 'deny'],
    [`printf '{"hookSpecificOutput":{"updatedInput":{}}}'`, 'pre_tool_use', 'modify'],
    [`printf '{"hookSpecificOutput":{"updatedToolOutput":""}}'`, 'post_tool_use', 'rewrite'],
    [`printf '{"hookSpecificOutput":{"additionalContext":"x"}}'`, 'post_tool_use', 'replace'],
  ])('is seen in %s at %s', (hook_action, hook_event, decision) => {
    expect(lint({ hook_event, hook_action, observe: true })).toEqual([warning('decision', 'ARTIFACT.md:6', `it returns ${decision},`)]);
  });
  it.each([["echo 'the decision is to deny'"], ['# exit 2\ntrue'], ['exit 20'], ["echo 'exit 2'"]])('is not seen in %s', (hook_action) => {
    expect(lint({ hook_event: 'pre_tool_use', hook_action, observe: true })).toEqual([]);
  });
  it('is seen in a program of another language, at its line', () => {
    const files = {
      'scripts/a.mjs': {
        text: '#!/usr/bin/env node\n// "permissionDecision": "ask"\nconsole.log(JSON.stringify({ decision: "allow" }));\n',
      },
    };
    const found = lint({ hook_event: 'stop', hook_action: 'scripts/a.mjs', runtime_requirements: { system_packages: ['node'] } }, files);
    expect(found).toEqual([warning('decision', 'scripts/a.mjs:3', 'allow at stop')]);
  });
  it('is seen in a module', () => {
    const files = { 'guard.mjs': { text: 'export default () => ({\n  decision: "allow",\n});\n' } };
    const found = lint({ hook_event: 'stop', hook_action: undefined, module: './guard.mjs' }, files);
    expect(found).toEqual([warning('decision', 'guard.mjs:2', 'allow at stop')]);
  });
  it('that every named agent honours is no finding', () => {
    expect(lint({ hook_event: 'pre_tool_use', hook_action: 'echo no >&2; exit 2', target_harnesses: ['claude', 'codex'] })).toEqual([]);
  });
  it('of a hook that only observes has no effect', () => {
    expect(lint({ hook_event: 'pre_tool_use', hook_action: 'exit 2', observe: true })).toEqual([
      warning('decision', 'ARTIFACT.md:6', 'has no effect'),
    ]);
  });
  it('by exit 2 has no effect on an event that cannot be denied', () => {
    expect(lint({ hook_event: 'session_start', hook_action: 'exit 2' })).toEqual([
      warning('decision.exit', 'ARTIFACT.md:6', 'session_start'),
    ]);
  });
  it('of a hook that answers in the agent’s format is not checked', () => {
    expect(lint({ hook_event: 'session_start', hook_action: 'exit 2', wants: 'native' })).toEqual([]);
  });
});

describe('the samples of the first document', () => {
  it('have no errors', () => {
    const samples = join(import.meta.dirname, '..', '..', '..', '..', 'scenarios', 'artifacts', 'samples');
    const copy = temporary();
    cpSync(samples, copy, { recursive: true });
    const findings = ['inline', 'with-jq', 'finance/audit/log-session-end'].flatMap((folder) => lintFolder(join(copy, folder)));
    expect(findings.filter(({ severity }) => severity === 'error')).toEqual([]);
    expect(findings.map(({ rule }) => rule)).toEqual(['description', 'description']);
  });
});
