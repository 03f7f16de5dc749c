import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { nativeInput, portableInput, type ToolTable, translationOf } from '../shared/tool-translation.ts';

/** Most fields are called as in Claude Code. */
export const TOOLS: ToolTable = {
  run_shell_command: { name: 'Bash', kind: 'shell', fields: { is_background: 'run_in_background', directory: 'cwd' } },
  monitor: { name: 'Monitor', kind: 'shell' },
  read_file: { name: 'Read', kind: 'read' },
  write_file: { name: 'Write', kind: 'edit' },
  edit: { name: 'Edit', kind: 'edit' },
  notebook_edit: { name: 'NotebookEdit', kind: 'edit' },
  todo_write: { name: 'TodoWrite', kind: 'todo' },
  task_create: { name: 'TaskCreate', kind: 'todo' },
  task_update: { name: 'TaskUpdate', kind: 'todo' },
  agent: { name: 'Agent', kind: 'subagent' },
  web_fetch: { name: 'WebFetch', kind: 'web' },
  web_search: { name: 'WebSearch', kind: 'web' },
  list_directory: { name: 'LS', kind: 'other' },
  glob: { name: 'Glob', kind: 'other' },
  grep_search: { name: 'Grep', kind: 'other' },
  skill: { name: 'Skill', kind: 'other' },
  ask_user_question: { name: 'AskUserQuestion', kind: 'other' },
  exit_plan_mode: { name: 'ExitPlanMode', kind: 'other' },
};

export const toNativeInput = (nativeName: string, input: JsonObject): JsonObject => nativeInput(translationOf(TOOLS, nativeName), input);

export function decodeTool(fields: JsonObject, problems: string[]): Tool | undefined {
  const nativeName = textOf(fields, 'tool_name');
  if (nativeName === undefined) {
    problems.push('no tool_name');
    return undefined;
  }
  if (!isObject(fields.tool_input)) problems.push('tool_input is no object');
  const translation = translationOf(TOOLS, nativeName);
  const input = portableInput(translation, isObject(fields.tool_input) ? fields.tool_input : {});
  const kind = translation?.kind ?? (nativeName.startsWith('mcp__') ? 'mcp' : 'other');
  const useId = textOf(fields, 'tool_use_id');
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  return {
    name: translation?.name ?? nativeName,
    nativeName,
    kind,
    input,
    ...(useId !== undefined && { useId }),
    ...(command !== undefined && { command }),
    files: kind === 'read' || kind === 'edit' ? ['file_path', 'notebook_path'].flatMap((field) => textOf(input, field) ?? []) : [],
  };
}
