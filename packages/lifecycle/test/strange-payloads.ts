import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export type Fields = Record<string, unknown>;

/** A call that somebody is about to make, as he sends it. */
export interface Call {
  readonly agent: string;
  readonly payload: Fields;
  readonly does: 'shell' | 'edit';
}

/** Which tools of each agent run commands and which write one file, by their vendors' words. Nothing here asks our decoders. */
const TOOLS: Readonly<Record<string, { readonly shell: readonly string[]; readonly edit: readonly string[] }>> = {
  claude: { shell: ['Bash'], edit: ['Write', 'Edit'] },
  codex: { shell: ['Bash', 'exec_command'], edit: [] },
  gemini: { shell: ['run_shell_command'], edit: ['write_file', 'replace'] },
  qwen: { shell: ['run_shell_command'], edit: ['write_file', 'edit'] },
  droid: { shell: ['Execute'], edit: ['Create', 'Edit'] },
  copilot: { shell: ['bash', 'Bash'], edit: ['create', 'edit', 'Write', 'Edit'] },
  cursor: { shell: ['Shell'], edit: ['Write'] },
  vscode: { shell: ['run_in_terminal'], edit: ['create_file', 'replace_string_in_file'] },
  cline: { shell: ['run_commands', 'execute_command'], edit: ['editor', 'write_to_file'] },
  pi: { shell: ['bash'], edit: ['write', 'edit'] },
  omp: { shell: ['bash'], edit: ['write', 'edit'] },
  opencode: { shell: ['bash'], edit: ['write', 'edit'] },
  kilo: { shell: ['bash'], edit: ['write', 'edit'] },
  kimi: { shell: ['Bash'], edit: ['Write', 'Edit'] },
  grok: { shell: ['run_terminal_command', 'monitor'], edit: ['write', 'search_replace'] },
  auggie: { shell: ['launch-process'], edit: ['save-file', 'str-replace-editor', 'apply_patch'] },
};

const claudish: Fields = { session_id: 's', cwd: '/code', hook_event_name: 'PreToolUse' };
const goose: Fields = { event: 'PreToolUse', session_id: 's', working_dir: '/code' };
const kiro: Fields = { hook_event_name: 'preToolUse', cwd: '/code', session_id: 's' };
const windsurf: Fields = { trajectory_id: 't', execution_id: 'e', timestamp: '2026-06-01T10:00:00Z', model_name: 'm' };
const antigravity: Fields = { conversationId: 'c', workspacePaths: ['/code'], transcriptPath: '/h/transcript.jsonl', modelName: 'm' };

/** A patch that names its one file in its text alone. */
const ONE_FILE = '*** Begin Patch\n*** Add File: /code/a.txt\n+one\n*** End Patch';

/** Agents without a folder, by their documentation: what each sends before a command and before it writes. */
const STRANGE: Readonly<Record<string, readonly (readonly ['shell' | 'edit', Fields])[]>> = {
  devin: [
    ['shell', { ...claudish, prompt_id: 'p', tool_name: 'exec', tool_input: { command: 'ls', shell_id: 'main' } }],
    ['edit', { ...claudish, prompt_id: 'p', tool_name: 'apply_patch', tool_input: { input: ONE_FILE } }],
  ],
  goose: [
    ['shell', { ...goose, tool_name: 'developer__shell', tool_input: { command: 'ls' } }],
    ['edit', { ...goose, tool_name: 'developer__text_editor', tool_input: { command: 'write', path: '/code/a.txt' } }],
  ],
  crush: [['shell', { event: 'PreToolUse', session_id: 's', cwd: '/code', tool_name: 'bash', tool_input: { command: 'ls' } }]],
  kiro: [
    ['shell', { ...kiro, tool_name: 'execute_bash', tool_input: { command: 'ls' } }],
    ['edit', { ...kiro, tool_name: 'fs_write', tool_input: { command: 'create', path: '/code/a.txt', file_text: 'a' } }],
  ],
  windsurf: [
    ['shell', { ...windsurf, agent_action_name: 'pre_run_command', tool_info: { command_line: 'ls', cwd: '/code' } }],
    ['edit', { ...windsurf, agent_action_name: 'pre_write_code', tool_info: { file_path: '/code/a.txt', edits: [] } }],
  ],
  antigravity: [['shell', { ...antigravity, toolCall: { name: 'run_command', args: { CommandLine: 'ls', Cwd: '/code' } }, stepIdx: 4 }]],
};

const SOURCES = fileURLToPath(new URL('../../agents/src', import.meta.url));

/** What lies in an agent's fixtures, recorded or documented. */
export function fixturesOf(agent: string): Fields[] {
  return ['recorded', 'documented'].flatMap((kind) => {
    const folder = join(SOURCES, agent, 'fixtures', kind);
    return jsonIn(folder).map((value) => (kind === 'recorded' ? (value.stdin as Fields) : value));
  });
}

function jsonIn(folder: string): Fields[] {
  try {
    return readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.json'))
      .map((file) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Fields);
  } catch {
    return [];
  }
}

/** A word of the payload that names its tool, wherever it stands. */
const toolIn = (payload: Fields): string | undefined => {
  const inner = (key: string): Fields => (typeof payload[key] === 'object' && payload[key] !== null ? (payload[key] as Fields) : {});
  const said = [payload.tool_name, payload.toolName, inner('tool_call').name, inner('input').tool];
  return said.find((name): name is string => typeof name === 'string');
};

/** By the event that it names; where it names none, by what only a call that is over has. */
function isBefore(payload: Fields): boolean {
  const said = payload.hook_event_name ?? payload.hookName ?? payload.type;
  if (typeof said === 'string') return /^(?:PreToolUse|preToolUse|BeforeTool|tool_call)$/.test(said);
  return !Object.keys(payload).some((key) => /result|response|^error$/i.test(key)) && !('title' in Object(payload.output));
}

/** One call of each tool in each set of fields. */
export function callsOf(agent: string): Call[] {
  const { shell = [], edit = [] } = TOOLS[agent] ?? {};
  const seen = new Set<string>();
  return fixturesOf(agent).flatMap((payload): Call[] => {
    const tool = toolIn(payload);
    if (tool === undefined || !isBefore(payload)) return [];
    const key = `${tool} ${Object.keys(payload).sort().join()}`;
    if (seen.has(key)) return [];
    seen.add(key);
    const does = shell.includes(tool) ? 'shell' : edit.includes(tool) ? 'edit' : undefined;
    return does === undefined ? [] : [{ agent, payload, does }];
  });
}

export const strangeCalls = (): Call[] =>
  Object.entries(STRANGE).flatMap(([agent, calls]) => calls.map(([does, payload]) => ({ agent, does, payload })));

const COMMAND_KEYS = /^(?:command|cmd|commands|command_?line)$/i;
const FILE_KEYS = /^(?:file_?path|paths?|target_?file)$/i;
/** A line of a patch that names its file: `*** Update File: a.txt`, or `[a.txt#0127]` in that of oh-my-pi. */
const PATCH_FILE = /(\*\*\* (?:Update|Add|Delete) File: ).*|^(\[)[^\]\n]+(#[0-9A-F]{4}\])$/gm;

/** The same call on something else: only the field that names the command or the file differs. */
export function planted({ payload, does }: Call, text: string): Fields {
  const keys = does === 'shell' ? COMMAND_KEYS : FILE_KEYS;
  const plant = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(plant);
    if (typeof value === 'string' && /^\s*\{/.test(value)) return JSON.stringify(plant(JSON.parse(value)));
    if (typeof value === 'string')
      return does === 'edit' ? value.replace(PATCH_FILE, (_line, verb = '', open = '', tag = '') => `${verb}${open}${text}${tag}`) : value;
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [key, keys.test(key) ? (Array.isArray(inner) ? [text] : text) : plant(inner)]),
    );
  };
  return plant(payload) as Fields;
}
