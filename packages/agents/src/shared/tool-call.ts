import type { JsonObject, Tool } from '@piton/contracts';
import { isObject, textOf } from './json-fields.ts';
import { portableInput, type ToolTranslation } from './tool-translation.ts';

/** A call as the agent reports it. */
export interface ToolCall {
  readonly nativeName: string;
  readonly given: JsonObject;
  readonly useId?: string;
}

/** The call in fields that are named as Claude Code names them; what is missing is a problem. */
export function toolCallIn(fields: JsonObject, problems: string[]): ToolCall | undefined {
  const nativeName = textOf(fields, 'tool_name');
  if (nativeName === undefined) {
    problems.push('no tool_name');
    return undefined;
  }
  if (!isObject(fields.tool_input)) problems.push('tool_input is no object');
  const given = isObject(fields.tool_input) ? fields.tool_input : {};
  const useId = textOf(fields, 'tool_use_id');
  return { nativeName, given, ...(useId !== undefined && { useId }) };
}

/** The tool in portable words; one that nobody knows keeps its name and is of no kind. */
export function translatedTool({ given, ...call }: ToolCall, translation: ToolTranslation | undefined): Tool {
  const kind = translation?.kind ?? 'other';
  const input = portableInput(translation, given);
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  const file = kind === 'read' || kind === 'edit' ? textOf(input, 'file_path') : undefined;
  return {
    ...call,
    name: translation?.name ?? call.nativeName,
    kind,
    input,
    ...(command !== undefined && { command }),
    files: file === undefined ? [] : [file],
  };
}

/** The tool of an MCP server: its input is its own. */
export const mcpTool = ({ given, ...call }: ToolCall, name: string): Tool => ({ ...call, name, kind: 'mcp', input: given, files: [] });
