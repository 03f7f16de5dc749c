import type { JsonObject } from '@piton/contracts';
import { isObject, textOf, wordsIn } from '../json-fields.ts';

/** `toolName`, `tool-name` and `ToolName` are `tool_name`. */
export const foldedName = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replaceAll(/[^A-Za-z0-9]+/g, '_')
    .replaceAll(/^_|_$/g, '')
    .toLowerCase();

/** What others call the fields of the portable payload, the likeliest first. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  hook_event_name: wordsIn('hook_event_name event_name hook_event hook_name agent_action_name event'),
  session_id: wordsIn('session_id conversation_id thread_id trajectory_id root_session_id task_id'),
  cwd: wordsIn('cwd working_dir working_directory workspace_root workspace_roots workspace_path workspace_paths root_path directory'),
  tool_name: wordsIn('tool_name tool function_name tool_call_name mcp_tool_name'),
  tool_input: wordsIn(
    'tool_input tool_args tool_arguments tool_parameters tool_params arguments args parameters params input mcp_tool_arguments',
  ),
  tool_use_id: wordsIn('tool_use_id tool_call_id call_id'),
  tool_response: wordsIn('tool_response tool_result tool_output result output'),
  prompt: wordsIn('prompt user_prompt user_message'),
  transcript_path: wordsIn('transcript_path'),
};

/** Objects that hold a call or a session; what lies in them counts where nothing beside them says it. */
const CALLS: ReadonlySet<string> = new Set(wordsIn('tool_call tool_use tool_info tool function pre_tool_use post_tool_use'));
const HOLDERS: ReadonlySet<string> = new Set(wordsIn('ctx context event data payload session session_context workspace_info'));

/** Inside a call, its own name and input have shorter names. */
const IN_CALL: Readonly<Record<string, string>> = { name: 'tool_name', id: 'tool_use_id' };

/** All that can be read of a payload, by folded names: the outer fields first. */
function foldedFields(payload: JsonObject): ReadonlyMap<string, unknown> {
  const found = new Map<string, unknown>();
  const add = (fields: JsonObject, inCall: boolean): void => {
    for (const [key, value] of Object.entries(fields)) {
      const folded = foldedName(key);
      const name = inCall && Object.hasOwn(IN_CALL, folded) ? (IN_CALL[folded] as string) : folded;
      if (!found.has(name) || isNothing(found.get(name))) found.set(name, value);
    }
  };
  add(payload, false);
  for (const [key, value] of Object.entries(payload)) {
    if (!isObject(value)) continue;
    if (CALLS.has(foldedName(key))) add(value, true);
    else if (HOLDERS.has(foldedName(key))) add(value, false);
  }
  return found;
}

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === '';

/** A payload in portable names, as far as it can be read: of each field the first spelling that says something. */
export function readLeniently(payload: JsonObject): JsonObject {
  const folded = foldedFields(payload);
  const portable: Record<string, unknown> = {};
  for (const [name, spellings] of Object.entries(SYNONYMS)) {
    const accepts = ACCEPTED[name] ?? ((value: unknown) => typeof value === 'string' && value !== '');
    const spelling = spellings.find((each) => accepts(folded.get(each)));
    if (spelling !== undefined) portable[name] = folded.get(spelling);
  }
  if (Array.isArray(portable.cwd)) portable.cwd = portable.cwd.find((path) => typeof path === 'string' && path !== '');
  return { ...Object.fromEntries(folded), ...portable };
}

const ACCEPTED: Readonly<Record<string, (value: unknown) => boolean>> = {
  tool_input: (value) => isObject(value) || (typeof value === 'string' && value !== ''),
  tool_response: (value) => !isNothing(value),
  cwd: (value) => (Array.isArray(value) ? value : [value]).some((path) => typeof path === 'string' && path.startsWith('/')),
};

/** Names that say in another spelling what a portable field says: by them a payload is not the one it should be. */
export const isSynonym = (key: string): boolean => CALL_WORDS.has(foldedName(key));
const CALL_WORDS: ReadonlySet<string> = new Set(
  ['hook_event_name', 'tool_name', 'tool_input'].flatMap((name) => SYNONYMS[name] ?? []).concat([...CALLS]),
);

/** The fields of a tool's input: what others call them. */
const INPUT_SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  command: wordsIn('command cmd command_line shell_command bash_command commands script'),
  file_path: wordsIn('file_path path filepath filename file_name file target_file absolute_path relative_path notebook_path'),
  content: wordsIn('content contents file_text new_text text'),
  old_string: wordsIn('old_string old_str old_text'),
  new_string: wordsIn('new_string new_str new_text'),
};

/** The input of a tool under portable names; its own fields stay beside them. */
export function readInput(given: unknown): JsonObject {
  const input = typeof given === 'string' ? parsed(given) : given;
  if (!isObject(input)) return typeof input === 'string' ? { command: input } : {};
  const folded = new Map(Object.entries(input).map(([key, value]) => [foldedName(key), value]));
  const portable: Record<string, unknown> = {};
  for (const [name, spellings] of Object.entries(INPUT_SYNONYMS)) {
    const text = spellings.map((each) => textIn(folded.get(each))).find((found) => found !== undefined);
    if (text !== undefined) portable[name] = text;
  }
  return { ...input, ...portable };
}

/** A command may be a list of words: a shell and its script, or a program and its arguments. */
function textIn(value: unknown): string | undefined {
  if (!Array.isArray(value)) return textOf({ value }, 'value');
  const words = value.filter((word): word is string => typeof word === 'string');
  if (words.length === 0) return undefined;
  const script = words.findIndex((word) => /^-\w*c$/.test(word));
  return script > 0 && words[script + 1] !== undefined ? words[script + 1] : words.join(' ');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
