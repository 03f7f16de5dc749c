import { describe, expect, it } from 'vitest';
import { AGENTS, findAgent } from '../../src/index.ts';
import { hookWith, materializerOf, texts } from './place.ts';

const materialized = (id: string, more: Parameters<typeof hookWith>[0]) => {
  const agent = findAgent(id);
  if (!agent) throw new Error(id);
  return materializerOf(agent).materialize(hookWith(more), texts());
};
/** The matchers of the entries, by event. */
function matchers(id: string, more: Parameters<typeof hookWith>[0]) {
  const result = materialized(id, more);
  if (!result.ok) return result;
  const config = result.files.find(({ path }) => path.endsWith('.json'))?.text ?? '{}';
  const { hooks } = JSON.parse(config) as { hooks: Record<string, { matcher?: string }[]> };
  return Object.fromEntries(Object.entries(hooks).map(([event, entries]) => [event, entries.map(({ matcher }) => matcher)]));
}

describe('an event of a kind of tool', () => {
  it('is the event of every tool with the names of that kind', () => {
    expect(matchers('gemini', { event: 'pre_shell_execution' })).toEqual({ BeforeTool: ['^(run_shell_command)$'] });
    expect(matchers('codex', { event: 'pre_file_edit' })).toEqual({ PreToolUse: ['^(apply_patch)$'] });
    expect(matchers('droid', { event: 'post_file_edit' })).toEqual({ PostToolUse: ['^(Create|Edit|MultiEdit|ApplyPatch)$'] });
    expect(matchers('copilot', { event: 'pre_read_file' })).toEqual({ preToolUse: ['^(view)$'] });
    expect(matchers('claude', { event: 'pre_mcp_execution' })).toEqual({ PreToolUse: ['^(mcp__.+__.+)$'] });
  });
  it('is two events where success and failure are apart', () => {
    expect(Object.keys(matchers('claude', { event: 'post_shell_execution' }))).toEqual(['PostToolUse', 'PostToolUseFailure']);
    expect(Object.keys(matchers('codex', { event: 'post_shell_execution' }))).toEqual(['PostToolUse']);
  });
  it('loses the failures that an agent does not tell of, and says so', () => {
    expect(materialized('droid', { event: 'post_shell_execution' })).toMatchObject({
      losses: expect.arrayContaining([expect.objectContaining({ field: 'event', what: expect.stringContaining('failed') })]),
    });
  });
});

describe('a matcher', () => {
  it('is written in the names of the agent', () => {
    expect(matchers('gemini', { event: 'pre_tool_use', matcher: 'Bash|Write' })).toEqual({
      BeforeTool: ['^(run_shell_command|write_file)$'],
    });
  });
  it('names the tools of an MCP server as the agent does', () => {
    const github = { event: 'pre_tool_use', matcher: 'mcp__github__*' } as const;
    expect(matchers('claude', github)).toEqual({ PreToolUse: ['^(mcp__github__.+)$'] });
    expect(matchers('droid', github)).toEqual({ PreToolUse: ['^(github___.+)$'] });
    expect(matchers('gemini', github)).toEqual({ BeforeTool: ['^(mcp_github_.+)$'] });
  });
  it('never becomes wider: what fits no tool is not translated', () => {
    expect(matchers('gemini', { event: 'pre_tool_use', matcher: 'NotebookEdit' })).toMatchObject({
      ok: false,
      code: 'materialize.untranslatable',
    });
  });
  it('says which of its names the agent does not have', () => {
    expect(materialized('gemini', { event: 'pre_tool_use', matcher: 'Bash|NotebookEdit' })).toMatchObject({
      ok: true,
      losses: expect.arrayContaining([expect.objectContaining({ field: 'matcher', what: expect.stringContaining('NotebookEdit') })]),
    });
  });
  it('says where one tool of the agent is two', () => {
    expect(materialized('codex', { event: 'pre_tool_use', matcher: 'Write' })).toMatchObject({
      losses: expect.arrayContaining([expect.objectContaining({ field: 'matcher', what: expect.stringContaining('Edit') })]),
    });
  });
  it('keeps a name that Claude Code may have, since its names are the portable ones', () => {
    expect(matchers('claude', { event: 'pre_tool_use', matcher: 'ExitPlanMode' })).toEqual({ PreToolUse: ['^(ExitPlanMode)$'] });
  });
});

describe('conditions', () => {
  it('on the kind of a tool are names of tools', () => {
    expect(matchers('qwen', { event: 'pre_tool_use', kinds: ['web'] })).toEqual({ PreToolUse: ['^(web_fetch|web_search)$'] });
  });
  it('on the kind of a tool never hold where there is none', () => {
    expect(materialized('claude', { event: 'stop', kinds: ['shell'] })).toMatchObject({ ok: false, code: 'materialize.untranslatable' });
  });
  it('on the source of a session are a matcher where the agent has one', () => {
    const source = (word: string) => word === 'startup' || word === 'resume';
    expect(matchers('claude', { event: 'session_start', source })).toEqual({ SessionStart: ['^(startup|resume)$'] });
    expect(matchers('gemini', { event: 'session_start', source })).toEqual({ SessionStart: ['startup', 'resume'] });
    expect(matchers('copilot', { event: 'session_start', source })).toMatchObject({ ok: false, code: 'materialize.untranslatable' });
  });
});

describe('an event that an agent does not have', () => {
  it('is refused, for every agent that has none', () => {
    const refused = AGENTS.filter((agent) => !materializerOf(agent).materialize(hookWith({ event: 'permission_denied' }), texts()).ok);
    expect(refused.map(({ id }) => id)).toEqual([
      'codex',
      'gemini',
      'copilot',
      'droid',
      'cline',
      'pi',
      'kimi',
      'auggie',
      'cursor',
      'vscode',
    ]);
  });
  it('is refused where it could not be told from another', () => {
    expect(materialized('gemini', { event: 'post_tool_use_failure' })).toMatchObject({
      ok: false,
      why: expect.stringContaining('whether it failed or not'),
    });
  });
});
