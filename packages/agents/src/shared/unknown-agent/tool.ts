import type { JsonObject, Tool, ToolKind } from '@piton/contracts';
import { textOf } from '../json-fields.ts';
import { fileCalls } from '../patch-calls.ts';
import { type KnownWords, ownPart } from './known-words.ts';
import { readInput } from './payload-fields.ts';

/** Words in a tool's name, where nobody knows it: by what it looks at, and by what it changes. */
const READS = /(?:^|_)(?:read|view|cat|open|get|list|ls|search|find|grep|glob|stat|fetch|show)(?:_|$)/;
const EDITS = /(?:^|_)(?:write|edit|create|replace|patch|insert|delete|remove|move|rename|append|save)(?:_|$)/;
const RUNS = /(?:^|_)(?:bash|shell|sh|zsh|terminal|exec|execute|command|commands|powershell|process)(?:_|$)/;

const NAMES: Readonly<Partial<Record<ToolKind, string>>> = { shell: 'Bash', edit: 'Edit', read: 'Read' };

/**
 * The tool of a payload that nobody knows, under the portable name of its kind, so that hooks meet it. What it does is read from its
 * name, and where that says nothing from what it is given: a guard had rather look at too much.
 */
export function readTool(fields: JsonObject, cwd: string, words: KnownWords): Tool | undefined {
  const nativeName = textOf(fields, 'tool_name');
  const input = readInput(fields.tool_input ?? looseInput(fields));
  if (nativeName === undefined && textOf(input, 'command') === undefined && textOf(input, 'file_path') === undefined) return undefined;
  const kind = kindOf(nativeName ?? '', input, words);
  if (kind === undefined) return undefined;
  const useId = textOf(fields, 'tool_use_id');
  const call = { nativeName: nativeName ?? '', kind, input, ...(useId !== undefined && { useId }) };
  if (kind === 'mcp') return { ...call, name: mcpName(call.nativeName), files: [] };
  const name = NAMES[kind] ?? call.nativeName;
  const command = kind === 'shell' ? textOf(input, 'command') : undefined;
  if (command !== undefined) return { ...call, name, command, files: [] };
  if (kind !== 'edit' && kind !== 'read') return { ...call, name, files: [] };
  const file = textOf(input, 'file_path');
  if (file !== undefined) return { ...call, name: isWhole(kind, input) ? 'Write' : name, files: [file] };
  const calls = Object.values(input).flatMap((text) => (typeof text === 'string' ? fileCalls(text, cwd) : []));
  const [only] = calls;
  // A patch of one file is a call on it: a guard looks for the file in the input.
  if (only !== undefined && calls.length === 1) return { ...call, name: only.name, input: only.input, files: [only.file] };
  return { ...call, name, files: calls.map((each) => each.file), ...(calls.length > 0 && { calls }) };
}

/** Some events are about one command or file, and name it beside everything else. */
const looseInput = ({ command, command_line, file_path }: JsonObject): JsonObject => ({
  ...(command !== undefined && { command }),
  ...(command_line !== undefined && { command: command_line }),
  ...(file_path !== undefined && { file_path }),
});

const isWhole = (kind: ToolKind, input: JsonObject): boolean =>
  kind === 'edit' && typeof input.content === 'string' && typeof input.old_string !== 'string';

const isPatch = (text: string | undefined): boolean => text !== undefined && /^\s*\*\*\* Begin Patch/.test(text);

/** Undefined where it cannot be told: a word and a path may be a command in a directory, or what to do to a file. */
function kindOf(nativeName: string, input: JsonObject, words: KnownWords): ToolKind | undefined {
  const known = words.toolKind(nativeName);
  if (known !== undefined && known !== 'other') return known;
  if (/^mcp_/.test(nativeName)) return 'mcp';
  const folded = ownPart(nativeName);
  const [command, file] = [textOf(input, 'command'), textOf(input, 'file_path')];
  const isOfServer = nativeName.includes('__');
  if (RUNS.test(folded) && (command !== undefined || file === undefined)) return 'shell';
  if (EDITS.test(folded) && (file !== undefined || command === undefined)) return isOfServer && file === undefined ? 'mcp' : 'edit';
  if (READS.test(folded) && command === undefined) return file === undefined ? 'other' : 'read';
  if (isPatch(command)) return 'edit';
  if (command !== undefined) return file === undefined ? 'shell' : undefined;
  if (isOfServer) return 'mcp';
  return file === undefined ? 'other' : 'edit';
}

const mcpName = (nativeName: string): string => (nativeName.startsWith('mcp__') ? nativeName : `mcp__${nativeName.replace(/^mcp_/, '')}`);
