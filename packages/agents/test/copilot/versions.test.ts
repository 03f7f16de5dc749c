import type { JsonObject } from '@piton/contracts';
import { describe, expect, it } from 'vitest';
import { copilot } from '../../src/copilot/index.ts';
import { recorded } from './fixtures.ts';

const calls = recorded.filter(
  ({ context, payload }) => context.nativeEvent === 'preToolUse' && typeof (payload as JsonObject).toolArgs === 'object',
);

describe('the arguments of a tool', () => {
  it('are read from the text in which older versions send them', () => {
    expect(calls.length).toBeGreaterThan(0);
    for (const { payload, context } of calls) {
      const { tool, problems } = copilot.decode(payload, context);
      const older = { ...(payload as JsonObject), toolArgs: JSON.stringify((payload as JsonObject).toolArgs) };
      const decoded = copilot.decode(older, context);
      expect(decoded.tool).toEqual(tool);
      expect(decoded.problems).toEqual(problems);
    }
  });
  it.each(['', 'rm -rf /', '[1]', '"x"', '{'])('that are no object stay what they are, and are a problem: %j', (toolArgs) => {
    const { payload, context } = calls[0] as (typeof calls)[number];
    expect(copilot.decode({ ...(payload as JsonObject), toolArgs }, context).problems).toHaveLength(1);
  });
});
