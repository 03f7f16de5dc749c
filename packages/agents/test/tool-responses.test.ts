import type { NativeContext } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { fileViews } from '../../hooks/src/file-views.ts';
import { AGENTS } from '../src/index.ts';
import { CLAUDE_RESPONSES } from './claude-documented.ts';
import { everyPayloadOf, payloadsOf } from './every-agent.ts';

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('what a tool of %s answered', (_id, agent) => {
  const answered = everyPayloadOf(agent).flatMap(({ name, payload, context }) => {
    const { event, tool, portable } = agent.decode(payload, context);
    // Copilot's list is a table of a database: nobody can say what is on it.
    const listless = tool?.name === 'TodoWrite' && !Array.isArray(tool.input.todos);
    const shape = tool && !listless && CLAUDE_RESPONSES[tool.kind === 'mcp' ? 'mcp' : tool.name];
    return event === 'post_tool_use' && shape ? [{ name, shape, response: portable.tool_response }] : [];
  });
  it.each(answered)('is in the shape of Claude Code: $name', ({ response, shape }) => {
    if (Array.isArray(response)) expect(response).toEqual(shape);
    else expect(response).toMatchObject(shape as object);
  });
  it('is there to look at', () => expect(answered.length).toBeGreaterThan(0));
});

describe('a command that failed', () => {
  const failed = AGENTS.flatMap((agent) =>
    payloadsOf(agent).flatMap(({ name, payload, context }) => {
      const { event, tool, portable } = agent.decode(payload, context);
      const ended = event === 'post_tool_use_failure' && tool?.command?.endsWith('exit 3');
      return ended ? [{ agent: agent.id, name, error: portable.error }] : [];
    }),
  );
  it.each(failed)('says its exit code first, as in Claude Code: $agent, $name', ({ error }) => expect(error).toBe('Exit code 3\noops'));
  it('was recorded in every agent that says so', () =>
    expect([...new Set(failed.map(({ agent }) => agent))]).toEqual([
      'claude',
      'gemini',
      'qwen',
      'opencode',
      'kilo',
      'copilot',
      'cline',
      'pi',
      'grok',
      'kimi',
      'omp',
      'auggie',
    ]));
});

describe('a patch of several files', () => {
  it('answers each hook for its own file', () => {
    const agent = AGENTS.find(({ id }) => id === 'codex') as (typeof AGENTS)[number];
    const patch = payloadsOf(agent).find(({ name }) => name === '0.166.0/patches/06-PostToolUse.json');
    const views = fileViews(agent.decode(patch?.payload, patch?.context as NativeContext));
    expect(views.map(({ portable }) => portable.tool_response)).toMatchObject([
      { filePath: 'a.txt', oldString: 'one\ntwo', newString: 'uno\ntwo' },
      { filePath: 'b.txt' },
      { type: 'create', filePath: 'c.txt', content: 'c\n' },
      { filePath: 'README.md' },
    ]);
  });
});
