import { isAbsolute } from 'node:path';
import { type JsonObject, PORTABLE_EVENT_NAMES, type PortablePayload } from '@piton/contracts';
import { expect } from 'vitest';
import { CLAUDE_INPUTS, CLAUDE_MODES, CLAUDE_RESPONSES, CLAUDE_WORDS } from '../../packages/agents/test/claude-documented.ts';

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const isPath = (value: unknown): boolean => typeof value === 'string' && isAbsolute(value);
const isFlag = (value: unknown): boolean => typeof value === 'boolean';
const isObject = (value: unknown): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value);

/** What Claude Code 2.1.325 sends in each field, by its documentation. */
const TYPES: Readonly<Record<string, (value: unknown) => boolean>> = {
  session_id: isText,
  transcript_path: isPath,
  cwd: isPath,
  hook_event_name: isText,
  permission_mode: (value) => CLAUDE_MODES.includes(value as string),
  model: isText,
  prompt: isText,
  tool_name: isText,
  tool_input: isObject,
  tool_use_id: isText,
  duration_ms: (value) => typeof value === 'number' && value >= 0,
  error: isText,
  is_interrupt: isFlag,
  permission_suggestions: Array.isArray,
  reason: isText,
  agent_id: isText,
  agent_type: (value) => typeof value === 'string', // Claude Code itself says '' where a subagent has none
  agent_transcript_path: isPath,
  stop_hook_active: isFlag,
  last_assistant_message: (value) => typeof value === 'string',
  error_details: isText,
  custom_instructions: (value) => typeof value === 'string',
  compact_summary: isText,
  message: isText,
  title: isText,
};

/** The tools of Claude Code that these runs call, and those of MCP. What another agent calls them stays in `piton.native`. */
const TOOLS = /^(?:Bash|Write|Edit|MultiEdit|Read|Glob|Grep|TodoWrite|TaskCreate|Agent|mcp__[\w-]+__\w+)$/;
/** Fields of a payload whose values Claude Code would not send. */
export function valuesUnlikeClaude(payload: PortablePayload): string[] {
  const { event } = payload.piton;
  // It has none for it.
  if (event === 'other') return [];
  const names = [PORTABLE_EVENT_NAMES[event], ...(event.startsWith('post_') && payload.error !== undefined ? ['PostToolUseFailure'] : [])];
  const words = CLAUDE_WORDS[event] ?? {};
  const wrong = Object.entries(payload).filter(([field, value]) => {
    if (field === 'piton' || value === null || value === undefined) return false;
    if (words[field] !== undefined) return !words[field].includes(value as string);
    return TYPES[field]?.(value) === false;
  });
  return [
    ...(names.includes(payload.hook_event_name) ? [] : [`${event}: hook_event_name is ${payload.hook_event_name}`]),
    ...wrong.map(([field, value]) => `${event}.${field}: ${shortened(value)}`),
    ...callUnlikeClaude(payload),
  ];
}

function callUnlikeClaude({ tool_name: tool, tool_input: input, tool_response: response, piton }: PortablePayload): string[] {
  if (typeof tool !== 'string') return [];
  const missing = isObject(input) ? (CLAUDE_INPUTS[tool] ?? []).filter((field) => input[field] === undefined) : [];
  // A list in a table of a database: nobody can say what is on it.
  const isListless = tool === 'TodoWrite' && !Array.isArray((input as JsonObject | undefined)?.todos);
  const shape = isListless ? undefined : tool.startsWith('mcp__') ? CLAUDE_RESPONSES.mcp : CLAUDE_RESPONSES[tool];
  return [
    // A tool that does what none of Claude Code's does keeps its name.
    ...(TOOLS.test(tool) || piton.tool?.kind === 'other' ? [] : [`${piton.event}: the tool ${tool}`]),
    ...missing.map((field) => `${piton.event}: ${tool} without ${field}: ${shortened(input)}`),
    ...(shape === undefined || response === undefined || isLike(response, shape)
      ? []
      : [`${piton.event}: ${tool} answered ${shortened(response)}`]),
  ];
}

/** Only the fields that the shape names. */
function isLike(value: unknown, shape: unknown): boolean {
  try {
    if (isObject(value)) expect(value).toMatchObject(shape as object);
    else expect(value).toEqual(shape);
    return true;
  } catch {
    return false;
  }
}

const shortened = (value: unknown): string => JSON.stringify(value).slice(0, 300);
