import type { FileCall, JsonObject, Tool } from '@piton/contracts';
import { fieldsOf, isObject, textOf } from '../shared/json-fields.ts';
import { nativeInput, portableInput, type ToolTable, type ToolTranslation, translationOf } from '../shared/tool-translation.ts';

const listOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value];

/** One call may hold several commands; a hook sees them as the lines of one. */
const COMMANDS: ToolTranslation['reshape'] = {
  toPortable({ commands, ...input }) {
    return commands === undefined ? input : { command: listOf(commands).map(lineOf).join('\n'), ...input };
  },
  toNative({ command, ...input }) {
    return command === undefined ? input : { commands: [command], ...input };
  },
};

function lineOf(command: unknown): string {
  if (typeof command === 'string') return command;
  const { command: name, args } = fieldsOf(command);
  return [name, ...listOf(args)].filter((word) => typeof word === 'string').join(' ');
}

/** One call may read several files; a single one looks as in Claude Code, lines counted from the first and how many. */
const FILES: ToolTranslation['reshape'] = {
  toPortable({ files, ...input }) {
    const list = listOf(files);
    const [only] = list;
    if (list.length !== 1) return files === undefined ? input : { ...input, files };
    const { path, start_line: offset, end_line: end } = isObject(only) ? only : { path: only };
    const first = typeof offset === 'number' ? offset : 1;
    return {
      ...input,
      file_path: path,
      ...(typeof offset === 'number' && { offset }),
      ...(typeof end === 'number' && { limit: end - first + 1 }),
    };
  },
  toNative({ file_path: path, offset, limit, ...input }) {
    if (path === undefined) return input;
    const first = typeof offset === 'number' ? offset : 1;
    const range = {
      ...(typeof offset === 'number' && { start_line: offset }),
      ...(typeof limit === 'number' && { end_line: first + limit - 1 }),
    };
    return { ...input, files: [{ path, ...range }] };
  },
};

const EDIT: ToolTranslation = { name: 'Edit', kind: 'edit', fields: { path: 'file_path', old_text: 'old_string', new_text: 'new_string' } };
const WRITE: ToolTranslation = { name: 'Write', kind: 'edit', fields: { path: 'file_path', new_text: 'content' } };

/** Those of the command line first, then those of the editor's extension, whose payload looks alike. */
export const TOOLS: ToolTable = {
  run_commands: { name: 'Bash', kind: 'shell', reshape: COMMANDS },
  read_files: { name: 'Read', kind: 'read', reshape: FILES },
  apply_patch: { name: 'Edit', kind: 'edit' },
  search_codebase: { name: 'Grep', kind: 'other' },
  fetch_web_content: { name: 'WebFetch', kind: 'web' },
  ask_question: { name: 'AskUserQuestion', kind: 'other' },
  spawn_agent: { name: 'Agent', kind: 'subagent', fields: { task: 'prompt' } },
  execute_command: { name: 'Bash', kind: 'shell' },
  read_file: { name: 'Read', kind: 'read', fields: { path: 'file_path' } },
  write_to_file: { name: 'Write', kind: 'edit', fields: { path: 'file_path' } },
  replace_in_file: { name: 'Edit', kind: 'edit', fields: { path: 'file_path' } },
  new_task: { name: 'Agent', kind: 'subagent' },
};

/** One tool both writes and edits: it edits if it replaces something. */
function translationFor(nativeName: string, input: JsonObject): ToolTranslation | undefined {
  if (nativeName === 'editor') return 'old_text' in input || 'insert_line' in input ? EDIT : WRITE;
  return translationOf(TOOLS, nativeName);
}

/** A new input in the names of the call that it replaces. */
export const toNativeInput = (nativeName: string, original: JsonObject, input: JsonObject): JsonObject =>
  nativeInput(translationFor(nativeName, original), input);

/** A call as either engine reports it: the command line with its values, the extension with texts. */
export interface NativeCall {
  readonly name: string;
  readonly input: JsonObject;
  readonly id?: string;
}

export function decodeTool({ name: nativeName, input: given, id }: NativeCall): Tool {
  const translation = translationFor(nativeName, given);
  const mcp = translation === undefined ? /^(.+?)__(.+)$/.exec(nativeName) : null;
  const input = portableInput(translation, given);
  const kind = translation?.kind ?? (mcp ? 'mcp' : 'other');
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  const file = kind === 'read' || kind === 'edit' ? textOf(input, 'file_path') : undefined;
  const calls = file === undefined ? callsOf(nativeName, given) : [];
  return {
    name: translation?.name ?? (mcp ? `mcp__${mcp[1]}__${mcp[2]}` : nativeName),
    nativeName,
    kind,
    input,
    ...(id !== undefined && { useId: id }),
    ...(command !== undefined && { command }),
    files: file === undefined ? calls.map((call) => call.file) : [file],
    ...(calls.length > 0 && { calls }),
  };
}

/** One call on several files, as if it were a call on each. */
function callsOf(nativeName: string, given: JsonObject): FileCall[] {
  if (nativeName === 'read_files') {
    return listOf(given.files).flatMap((entry) => {
      const file = typeof entry === 'string' ? entry : textOf(fieldsOf(entry), 'path');
      return file === undefined ? [] : [{ file, name: 'Read', input: { file_path: file } }];
    });
  }
  if (nativeName !== 'apply_patch') return [];
  const patch = Object.values(given).find((value) => typeof value === 'string') ?? '';
  return [...String(patch).matchAll(/^\*\*\* (?:(Add)|Update|Delete) File: (.+)$/gm)].flatMap(([, added, file]) =>
    file === undefined ? [] : [{ file, name: added ? 'Write' : 'Edit', input: { file_path: file } }],
  );
}
