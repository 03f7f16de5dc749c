import type { ImportResult, NativeHook } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { findAgent } from '../src/index.ts';

function read(agent: string, text: string, path = 'x.json'): Extract<ImportResult, { ok: true }> {
  const result = findAgent(agent)?.importer?.read(text, { path, label: path });
  if (!result?.ok) throw new Error(result ? result.error : `${agent} cannot be imported`);
  return result;
}
const grouped = (event: string, matcher: string | undefined, handler: object = {}): string =>
  JSON.stringify({
    hooks: { [event]: [{ ...(matcher !== undefined && { matcher }), hooks: [{ type: 'command', command: 'x', ...handler }] }] },
  });
const flat = (event: string, handler: object): string =>
  JSON.stringify({ version: 1, hooks: { [event]: [{ command: 'x', bash: 'x', ...handler }] } });
const only = (agent: string, text: string): NativeHook => read(agent, text).hooks[0] as NativeHook;

describe('a matcher', () => {
  it.each([
    ['claude', undefined, undefined],
    ['claude', '', undefined],
    ['claude', '*', undefined],
    ['claude', 'Write|Edit', 'Write|Edit'],
    ['claude', 'Bash, Read', 'Bash|Read'],
    ['claude', 'Task', 'Task|Agent'],
    ['claude', 'mcp__memory__.*', '/mcp__memory__.*/'],
    ['claude', '^(Edit|Write)$', '/^(Edit|Write)$/'],
    ['codex', 'apply_patch', 'Edit|Write'],
    ['codex', 'Bash|spawn_agent', 'Bash|Agent'],
    ['codex', '^(Bash|mcp__.*)$', 'Bash|mcp__*'],
    ['grok', 'Bash|read_file', 'Bash|Read'],
    ['grok', 'run_terminal_command', 'Bash'],
    ['grok', 'search_replace', 'Edit|Write|MultiEdit'],
    ['grok', 'linear__save_issue', 'mcp__linear__save_issue'],
    ['grok', 'linear__.*', 'mcp__linear__*'],
    ['auggie', 'launch-process', 'Bash'],
    ['auggie', 'save-file|str-replace', 'Write|Edit|MultiEdit'],
    ['auggie', '.*', undefined],
    ['auggie', 'mcp:*', 'mcp__*'],
    ['auggie', 'mcp:.*_linear', 'mcp__linear__*'],
  ])('of %s, %s, is %s in portable words', (agent, matcher, portable) => {
    expect(only(agent, grouped('PreToolUse', matcher)).matcher).toBe(portable);
  });
  it.each([
    ['write_file|replace', 'Write|Edit'],
    ['read_file', 'Read'],
    ['mcp_github_.*', 'mcp__github__*'],
    ['.*', undefined],
    ['my_tool', '*my_tool*'],
    ['web', 'WebFetch|WebSearch'],
  ])('of gemini, %s, is %s: there a name fits every name that holds it', (matcher, portable) => {
    expect(only('gemini', grouped('BeforeTool', matcher)).matcher).toBe(portable);
  });
  it.each([
    ['copilot', 'preToolUse', 'bash|view', 'Bash|Read'],
    ['copilot', 'preToolUse', 'web', 'web'],
    ['cursor', 'preToolUse', 'Shell|MCP:.*', 'Bash|mcp__*__*'],
    ['cursor', 'preToolUse', 'Write', 'Edit|Write'],
  ])('of %s stands in its handler', (agent, event, matcher, portable) => {
    expect(only(agent, flat(event, { matcher })).matcher).toBe(portable);
  });
  it('that cannot be said in portable words is left behind with the reason', () => {
    const { hooks, left } = read('codex', grouped('PreToolUse', 'B[a-z]+h'));
    expect(hooks).toEqual([]);
    expect(left).toEqual([
      {
        place: { nativeEvent: 'PreToolUse', path: 'hooks.PreToolUse[0].hooks[0]', line: 1 },
        what: 'the matcher B[a-z]+h',
        why: expect.any(String),
      },
    ]);
  });
  it('of an event without tools says why the event happened', () => {
    expect(only('claude', grouped('SessionStart', 'startup|resume'))).toMatchObject({ event: 'session_start', source: 'startup|resume' });
    expect(only('claude', grouped('PreCompact', 'man.*'))).toMatchObject({ source: '/man.*/' });
    expect(only('claude', grouped('Stop', 'ignored'))).not.toHaveProperty('source');
  });
  it('of Grok Build on the start of a session has the word of Claude Code', () => {
    expect(only('grok', grouped('SessionStart', 'new|resume'))).toMatchObject({ event: 'session_start', source: '/startup|resume/' });
    expect(read('grok', grouped('SubagentStop', 'explore')).left).toMatchObject([{ what: 'the matcher explore' }]);
  });
  it('of Auggie that never fits, or fits tools of servers by a pattern, is left behind', () => {
    const lefts = [grouped('SessionStart', 'startup'), grouped('PreToolUse', 'mcp:save_.*'), grouped('PreToolUse', 'launch-.+')];
    for (const text of lefts)
      expect(read('auggie', text)).toMatchObject({ hooks: [], left: [{ what: expect.stringContaining('the matcher') }] });
    expect(read('auggie', flat('beforeShellExecution', {})).left).toMatchObject([{ why: 'the agent has no such event' }]);
  });
  it('of a shell event of Cursor is about the command', () => {
    expect(only('cursor', flat('beforeShellExecution', { matcher: '^rm ' }))).toMatchObject({
      ...{ event: 'pre_shell_execution', shellCommand: '/^rm /', shape: 'foreign' },
    });
  });
});

describe('a handler', () => {
  it.each([
    ['claude', grouped('Stop', undefined, { timeout: 5 }), 5000],
    ['codex', grouped('Stop', undefined, { timeout: 5 }), 5000],
    ['gemini', grouped('AfterAgent', undefined, { timeout: 5000 }), 5000],
    ['copilot', flat('agentStop', { timeoutSec: 5 }), 5000],
    ['copilot', flat('agentStop', {}), 30_000],
    ['cursor', flat('stop', { timeout: 5 }), 5000],
    ['claude', grouped('Stop', undefined), 60_000],
    ['grok', grouped('Stop', undefined), 60_000],
    ['grok', grouped('PreToolUse', undefined), 5000],
    ['auggie', grouped('Stop', undefined, { timeout: 5000 }), 5000],
    ['auggie', grouped('Stop', undefined), 60_000],
  ])('of %s has its time in the unit of its agent', (agent, text, timeoutMs) => {
    expect(only(agent, text).timeoutMs).toBe(timeoutMs);
  });
  it('of Claude Code with arguments is quoted for a shell, and its placeholder stays one', () => {
    const args = ['a b', "it's", `\${CLAUDE_PROJECT_DIR}/x y`, ''];
    expect(only('claude', grouped('Stop', undefined, { command: 'run', args })).command).toBe(
      `run 'a b' 'it'\\''s' "\${CLAUDE_PROJECT_DIR}"'/x y' ''`,
    );
  });
  it('of Auggie with arguments is quoted for a shell', () => {
    expect(only('auggie', grouped('Stop', '', { command: '/a b/run', args: ["it's", '-x'] }))).toMatchObject({
      command: `'/a b/run' 'it'\\''s' -x`,
      shape: 'native',
    });
  });
  it('of Copilot CLI in the spelling of Claude Code has its payload too, and stays with Copilot CLI', () => {
    expect(only('copilot', flat('PreToolUse', {}))).toMatchObject({ shape: 'portable', bound: true });
    expect(only('copilot', flat('preToolUse', {}))).toMatchObject({ shape: 'native' });
  });
  it.each(['claude', 'codex', 'gemini', 'copilot', 'cursor', 'grok', 'auggie'])('that Piton wrote for %s is none', (agent) => {
    const installer = findAgent(agent)?.installer;
    const target = { scope: 'user', forwarder: '/h/runtime/current/piton-forward', forwarderBelowHome: null, wanted: [] } as const;
    const file = installer?.configFiles('user', {})[0];
    const installed = file && installer?.install(null, target, file);
    const text = installed?.ok ? (installed.edit.text as string) : '';
    expect(text).toContain('piton-forward');
    expect(read(agent, text)).toEqual({ ok: true, hooks: [], left: [] });
  });
});

describe('hooks of Codex in TOML', () => {
  const text = `[[hooks.Stop]]\n[[hooks.Stop.hooks]]\ntype = "command"\ncommand = "a \\"b\\""\n\n[[hooks.PreToolUse]]\nmatcher = 'Bash'\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = '''one'''\n[[hooks.PreToolUse.hooks]]\ntype = "command"\ncommand = "two"\ntimeout = 1_0\n\n[hooks.state."x"]\ntrusted_hash = "y"\n`;
  it('are read like those in JSON', () => {
    const { hooks, left } = read('codex', text, 'config.toml');
    expect(left).toEqual([]);
    expect(hooks.map(({ command, matcher, timeoutMs, place }) => [command, matcher, timeoutMs, place.path, place.line])).toEqual([
      ['a "b"', undefined, 60_000, 'hooks.Stop[0].hooks[0]', 2],
      ['one', 'Bash', 60_000, 'hooks.PreToolUse[0].hooks[0]', 8],
      ['two', 'Bash', 10_000, 'hooks.PreToolUse[0].hooks[1]', 11],
    ]);
  });
});

describe('taking originals out', () => {
  it('moves nothing else by a byte', () => {
    const text =
      '\uFEFF{\n  // mine\n  "hooks": {\n    "Stop": [\n      { "hooks": [{ "type": "command", "command": "a" }, { "type": "command", "command": "b" }] },\n      { "hooks": [{ "type": "command", "command": "c" }] }\n    ]\n  },\n  "x": 1\n}\n';
    const remove = findAgent('claude')?.importer?.remove;
    expect(remove?.(text, ['hooks.Stop[0].hooks[0]', 'hooks.Stop[1].hooks[0]'])).toBe(
      '\uFEFF{\n  // mine\n  "hooks": {\n    "Stop": [\n      { "hooks": [ { "type": "command", "command": "b" }] }\n    ]\n  },\n  "x": 1\n}\n',
    );
  });
});
