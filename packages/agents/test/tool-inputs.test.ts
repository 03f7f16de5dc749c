import { isToolEvent } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { AGENTS } from '../src/index.ts';
import { CLAUDE_INPUTS } from './claude-documented.ts';
import { everyPayloadOf } from './every-agent.ts';

describe.each(AGENTS.map((agent) => [agent.id, agent] as const))('what a tool of %s is called with', (_id, agent) => {
  it('has the fields of Claude Code, in every event', () => {
    const wrong = everyPayloadOf(agent).flatMap(({ name, payload, context }) => {
      const { event, tool } = agent.decode(payload, context);
      // A patch of several files is one call for each of them, once it reaches hooks. Claude Code has no tool that removes a file.
      if (!isToolEvent(event) || tool === undefined || tool.calls !== undefined || tool.input.deleted === true) return [];
      return (CLAUDE_INPUTS[tool.name] ?? []).filter((field) => tool.input[field] === undefined).map((field) => `${name}: no ${field}`);
    });
    expect(wrong).toEqual([]);
  });
  it('answers a failure with an error alone', () => {
    const failures = everyPayloadOf(agent).map(({ payload, context }) => agent.decode(payload, context));
    const responses = failures.flatMap(({ event, portable }) => (event === 'post_tool_use_failure' ? [portable.tool_response] : []));
    expect(responses.filter((response) => response !== undefined)).toEqual([]);
  });
});
