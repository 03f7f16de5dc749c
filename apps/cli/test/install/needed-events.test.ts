import type { EventName, NativeEvent } from '@piton/contracts';
import type { HookDefinition } from '@piton/hooks';
import { describe, expect, it } from 'vitest';
import { needsOf } from '../../src/install/needed-events.ts';
import { fileAgent } from './file-agent.ts';

const native = (name: string, event: EventName, costly?: string): NativeEvent => ({
  name,
  event,
  timeoutMs: 1000,
  ...(costly && { costly }),
});
const agent = {
  ...fileAgent,
  events: [
    native('Tool', 'pre_tool_use'),
    native('Squeeze', 'pre_compact', 'before-every-request'),
    native('Stop', 'stop'),
    native('StopChunk', 'stop', 'per-chunk'),
    native('Odd', 'other'),
    native('Chunk', 'other', 'per-chunk'),
  ],
};
const hook = (event: EventName, enabled = true): HookDefinition => ({ id: `user:${event}/x`, event, enabled }) as HookDefinition;
const needed = (...hooks: HookDefinition[]): string[] => needsOf(agent, hooks).map(({ nativeEvent }) => nativeEvent);

describe('a costly native event', () => {
  it('is needed by a hook on an event that has no other source', () => {
    expect(needsOf(agent, [hook('pre_compact')])).toEqual([{ nativeEvent: 'Squeeze', hook: 'user:pre_compact/x' }]);
  });
  it('is not needed if a cheaper event has the same information', () => {
    expect(needed(hook('stop'), hook('pre_tool_use'), hook('pre_shell_execution'))).toEqual([]);
  });
  it('is needed, with all that have no canonical name, by a hook on other', () => {
    expect(needed(hook('other'))).toEqual(['Odd', 'Chunk']);
  });
  it('is not needed by a disabled hook, nor by one on an event that the agent never sends', () => {
    expect(needed(hook('pre_compact', false), hook('notification'))).toEqual([]);
  });
});
