import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from '../shared/json-fields.ts';
import { absolute, fileCalls, filesIn } from '../shared/patch-calls.ts';
import { nativeInput, portableInput, type ToolTable, type ToolTranslation, translationOf } from '../shared/tool-translation.ts';

const listOf = (value: unknown): readonly JsonObject[] => (Array.isArray(value) ? value.filter(isObject) : []);

/** The names of tools in the payloads of Codex. Waiting for a subagent starts nothing, so it is none of these. */
export const TOOLS: ToolTable = {
  Bash: { name: 'Bash', kind: 'shell' },
  exec_command: { name: 'Bash', kind: 'shell', fields: { cmd: 'command', workdir: 'cwd' } },
  apply_patch: { name: 'Edit', kind: 'edit' },
  view_image: { name: 'Read', kind: 'read', fields: { path: 'file_path' } },
  spawn_agent: { name: 'Agent', kind: 'subagent', fields: { message: 'prompt', agent_type: 'subagent_type', task_name: 'description' } },
  followup_task: { name: 'Agent', kind: 'subagent', fields: { message: 'prompt' } },
  update_plan: {
    name: 'TodoWrite',
    kind: 'todo',
    fields: { plan: 'todos' },
    reshape: {
      toPortable: (input) => ({ ...input, todos: listOf(input.todos).map(({ step, ...rest }) => ({ content: step, ...rest })) }),
      toNative: (input) => ({ ...input, todos: listOf(input.todos).map(({ content, status }) => ({ step: content, status })) }),
    },
  },
};

/** Some tools come with their namespace glued to the front of their name (seen: `multi_agent_v1wait_agent`). */
const bareName = (nativeName: string): string => nativeName.replace(/^multi_agent_v\d+(?=[a-z])/, '');

function translation(nativeName: string): ToolTranslation | undefined {
  return nativeName.startsWith('mcp__') ? { name: nativeName, kind: 'mcp' } : translationOf(TOOLS, bareName(nativeName));
}

export function decodeTool(fields: JsonObject, cwd: string, problems: string[]): Tool | undefined {
  const nativeName = textOf(fields, 'tool_name');
  if (nativeName === undefined) {
    problems.push('no tool_name');
    return undefined;
  }
  if (!isObject(fields.tool_input)) problems.push('tool_input is no object');
  const given = isObject(fields.tool_input) ? fields.tool_input : {};
  const known = translation(nativeName);
  const useId = textOf(fields, 'tool_use_id');
  const tool = { nativeName, kind: known?.kind ?? 'other', ...(useId !== undefined && { useId }) };
  if (known?.kind === 'edit') return { ...tool, ...editOf(given, cwd, problems) };

  const input = portableInput(known, given);
  const command = known?.kind === 'shell' ? textOf(input, 'command') : undefined;
  return {
    ...tool,
    name: known?.name ?? bareName(nativeName),
    input: known?.kind === 'read' ? { ...input, ...pathIn(input, cwd) } : input,
    ...(command !== undefined && { command }),
    // A patch that goes through the shell touches files all the same.
    files: command !== undefined ? filesIn(command) : known?.kind === 'read' ? [textOf(input, 'file_path') ?? []].flat() : [],
  };
}

function pathIn(input: JsonObject, cwd: string): JsonObject {
  const path = textOf(input, 'file_path');
  return path === undefined ? {} : { file_path: absolute(path, cwd) };
}

function editOf(given: JsonObject, cwd: string, problems: string[]): Pick<Tool, 'name' | 'input' | 'files' | 'calls'> {
  const patch = textOf(given, 'command') ?? '';
  const calls = fileCalls(patch, cwd);
  const [only] = calls;
  if (only === undefined) problems.push('the patch names no file');
  if (only !== undefined && calls.length === 1) return { name: only.name, input: only.input, files: [only.file] };
  return { name: 'Edit', input: { patch }, files: calls.map(({ file }) => file), calls };
}

/** The input that a hook wrote, as the tool itself takes it; undefined where it cannot be said. */
export function nativeToolInput(tool: Tool, input: JsonObject): JsonObject | undefined {
  return tool.kind === 'edit' ? undefined : nativeInput(translation(tool.nativeName), input);
}
