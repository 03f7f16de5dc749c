import type { JsonObject, Tool, ToolKind } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';

/** Reading the task list changes nothing, so TaskList and TaskGet are `other`; so is TaskStop, which ends a background command. */
const KINDS: Readonly<Record<string, ToolKind>> = {
  Bash: 'shell',
  PowerShell: 'shell',
  Monitor: 'shell',
  Read: 'read',
  NotebookRead: 'read',
  Edit: 'edit',
  Write: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Agent: 'subagent',
  Task: 'subagent',
  TodoWrite: 'todo',
  TaskCreate: 'todo',
  TaskUpdate: 'todo',
  WebFetch: 'web',
  WebSearch: 'web',
};

export function kindOf(toolName: string): ToolKind {
  if (toolName.startsWith('mcp__')) return 'mcp';
  return Object.hasOwn(KINDS, toolName) ? (KINDS[toolName] as ToolKind) : 'other';
}

/** Claude Code's tool names are the portable ones. */
export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const name = textOf(fields, 'tool_name');
  if (name === undefined) {
    problems.push('no tool_name');
    return undefined;
  }
  if (!isObject(fields.tool_input)) problems.push('tool_input is no object');
  const input = isObject(fields.tool_input) ? fields.tool_input : {};
  const kind = kindOf(name);
  const useId = textOf(fields, 'tool_use_id');
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  return {
    name,
    nativeName: name,
    kind,
    input,
    ...(useId !== undefined && { useId }),
    ...(command !== undefined && { command }),
    files: kind === 'read' || kind === 'edit' ? filesOf(input) : [],
  };
}

function filesOf(input: JsonObject): string[] {
  return ['file_path', 'notebook_path'].flatMap((field) => textOf(input, field) ?? []);
}
