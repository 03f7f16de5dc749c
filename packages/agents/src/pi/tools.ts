import type { JsonObject, Tool, ToolKind } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { blockTexts, claudeResponse, commandFailure } from '../shared/portable/claude-response.ts';

export const TOOLS: Readonly<Record<string, { readonly name: string; readonly kind: ToolKind }>> = {
  bash: { name: 'Bash', kind: 'shell' },
  powershell: { name: 'PowerShell', kind: 'shell' },
  read: { name: 'Read', kind: 'read' },
  write: { name: 'Write', kind: 'edit' },
  edit: { name: 'Edit', kind: 'edit' },
  grep: { name: 'Grep', kind: 'other' },
  find: { name: 'Glob', kind: 'other' },
  ls: { name: 'LS', kind: 'other' },
};
/** Tools whose `path` names one file. */
const ON_A_FILE: ReadonlySet<string> = new Set(['read', 'write', 'edit']);

export function decodeTool(nativeName: string, native: JsonObject, useId: string | undefined): Tool {
  const known = Object.hasOwn(TOOLS, nativeName) ? TOOLS[nativeName] : undefined;
  const kind = nativeName.startsWith('mcp__') ? 'mcp' : (known?.kind ?? 'other');
  const input = portableInput(nativeName, native);
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  const file = textOf(input, 'file_path');
  return {
    name: Array.isArray(input.edits) && nativeName === 'edit' ? 'MultiEdit' : (known?.name ?? nativeName),
    nativeName,
    kind,
    input,
    ...(useId !== undefined && { useId }),
    ...(command !== undefined && { command }),
    files: file !== undefined && ON_A_FILE.has(nativeName) ? [file] : [],
  };
}

/** `path` is `file_path`, and one edit is an Edit, several are a MultiEdit. */
function portableInput(nativeName: string, native: JsonObject): JsonObject {
  if (!ON_A_FILE.has(nativeName)) return native;
  const { path, edits, ...rest } = native;
  const named = path === undefined ? rest : { file_path: path, ...rest };
  if (!Array.isArray(edits)) return named;
  const portable = edits.map(portableEdit);
  return portable.length === 1 ? { ...named, ...portable[0] } : { ...named, edits: portable };
}

function portableEdit(edit: unknown): JsonObject {
  if (!isObject(edit)) return {};
  const { oldText, newText, ...rest } = edit;
  return { old_string: oldText, new_string: newText, ...rest };
}

/** The portable input of a call in pi's own names. */
export function nativeInput(nativeName: string, portable: JsonObject): JsonObject {
  if (!ON_A_FILE.has(nativeName)) return portable;
  const { file_path, old_string, new_string, edits, ...rest } = portable;
  const named = file_path === undefined ? rest : { path: file_path, ...rest };
  if (nativeName !== 'edit') return named;
  if (Array.isArray(edits)) return { ...named, edits: edits.map(nativeEdit) };
  return old_string === undefined && new_string === undefined ? named : { ...named, edits: [{ oldText: old_string, newText: new_string }] };
}

function nativeEdit(edit: unknown): JsonObject {
  if (!isObject(edit)) return {};
  const { old_string, new_string, ...rest } = edit;
  return { oldText: old_string, newText: new_string, ...rest };
}

/** A tool's result as Claude Code's hooks read it. */
export const portableResponse = (tool: Tool, { content, details }: JsonObject): unknown =>
  claudeResponse(tool, {
    text: blockTexts(content) ?? '',
    ...(Array.isArray(content) && { blocks: content }),
    diff: textOf(fieldsOf(details), 'patch'),
  });

const EXITED = /\n*Command exited with code (-?\d+)\s*$/;

/** What a tool says that has failed. */
export function failureIn(content: unknown): string | undefined {
  const text = blockTexts(content) || undefined;
  const [end, code] = EXITED.exec(text ?? '') ?? [];
  return text === undefined || end === undefined || code === undefined ? text : commandFailure(code, text.slice(0, -end.length));
}
