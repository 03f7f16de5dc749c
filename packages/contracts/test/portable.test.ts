import { describe, expect, it } from 'vitest';
import { type CanonicalEvent, portableEnvironment, portablePayload } from '../src/index.ts';

const event: CanonicalEvent = {
  event: 'pre_tool_use',
  names: ['pre_tool_use', 'pre_shell_execution'],
  agent: 'codex',
  nativeEvent: 'PreToolUse',
  sessionId: 's-1',
  cwd: '/home/sam/project',
  portable: { tool_name: 'Bash', tool_input: { command: 'ls' }, piton: 'forged', cwd: 'forged' },
  raw: { some: 'native' },
  tool: { name: 'Bash', nativeName: 'shell', kind: 'shell', input: { command: 'ls' }, command: 'ls', files: ['a', 'b'] },
};
const context = { eventId: '01KA4T3Z5Y8Q2W6E9R0TABCDEF', repo: '/home/sam/project', branch: null, transcriptFormat: null };

describe('what a hook reads', () => {
  it("is Claude Code's shape with a piton block that no payload can forge", () => {
    expect(portablePayload(event, 'pre_shell_execution', context)).toEqual({
      tool_name: 'Bash',
      tool_input: { command: 'ls' },
      session_id: 's-1',
      cwd: '/home/sam/project',
      hook_event_name: 'PreToolUse',
      piton: {
        event: 'pre_shell_execution',
        agent: 'codex',
        event_id: context.eventId,
        tool: { kind: 'shell', command: 'ls', files: ['a', 'b'] },
        repo: '/home/sam/project',
        branch: null,
        transcript_format: null,
        native: { some: 'native' },
      },
    });
  });

  it('keeps the native name of an event that has no canonical one', () => {
    const { tool: _, ...rest } = event;
    const other: CanonicalEvent = { ...rest, event: 'other', names: ['other'], nativeEvent: 'MessageDisplay' };
    expect(portablePayload(other, 'other', context)).toMatchObject({ hook_event_name: 'MessageDisplay', piton: { event: 'other' } });
  });
});

describe("a hook's environment", () => {
  it('says the same, and leaves out what is not known', () => {
    expect(portableEnvironment(event, 'pre_shell_execution', context)).toEqual({
      PITON_EVENT: 'pre_shell_execution',
      PITON_AGENT: 'codex',
      PITON_SESSION_ID: 's-1',
      PITON_EVENT_ID: context.eventId,
      PITON_CWD: '/home/sam/project',
      PITON_REPO: '/home/sam/project',
      PITON_TOOL_KIND: 'shell',
      PITON_TOOL_COMMAND: 'ls',
      PITON_TOOL_FILES: 'a\nb',
      TOOL_NAME: 'Bash',
    });
  });

  it('leaves out and names what is longer than 4 KB in bytes, or holds a NUL', () => {
    const command = 'é'.repeat(2048);
    const withCommand = (text: string): Record<string, string> =>
      portableEnvironment(
        { ...event, tool: { ...(event.tool as NonNullable<CanonicalEvent['tool']>), command: text } },
        'pre_tool_use',
        context,
      );
    expect(withCommand(command).PITON_TOOL_COMMAND).toBe(command);
    expect(withCommand(`${command}x`)).toMatchObject({ PITON_OMITTED: 'PITON_TOOL_COMMAND' });
    expect(withCommand(`${command}x`)).not.toHaveProperty('PITON_TOOL_COMMAND');
    expect(withCommand('a\0b')).toMatchObject({ PITON_OMITTED: 'PITON_TOOL_COMMAND' });
  });
});
