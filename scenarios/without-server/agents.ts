import { readFileSync } from 'node:fs';
import { join } from 'node:path';

type Json = Readonly<Record<string, unknown>>;

/** How one agent asks before it runs a shell command, and how it reads a no. Written by hand: the code under test is not asked. */
export interface Asker {
  readonly agent: string;
  readonly event: string;
  /** A payload about a shell command, below the agent's fixtures; and one about reading a file. */
  readonly shell: string;
  readonly read: string;
  readonly denied: (answer: Json) => boolean;
}

const inside = (value: unknown): Json => (typeof value === 'object' && value !== null ? (value as Json) : {});
const specific = (answer: Json): boolean => inside(answer.hookSpecificOutput).permissionDecision === 'deny';
const plugin = ({ deny }: Json): boolean => typeof deny === 'string' && deny !== '';
const documented = (name: string): string => `documented/${name}.json`;
const likeClaude = (agent: string): Asker => ({
  ...{ agent, event: 'PreToolUse', denied: specific },
  ...{ shell: documented('PreToolUse'), read: documented('PreToolUse.read') },
});
const likeOpenCode = (agent: string): Asker => ({
  ...{ agent, event: 'tool.execute.before', denied: plugin },
  ...{ shell: documented('tool.execute.before'), read: documented('tool.execute.before.read') },
});

export const ASKERS: readonly Asker[] = [
  ...['auggie', 'claude', 'codex', 'droid', 'grok', 'kimi', 'qwen', 'vscode'].map(likeClaude),
  {
    ...likeClaude('cline'),
    // It has no deny of its own: the command is replaced by one that fails, or the task is cancelled.
    denied: ({ overrideInput, cancel }) => cancel === true || JSON.stringify(overrideInput ?? '').includes('A hook denied this command'),
  },
  {
    ...{ agent: 'copilot', event: 'preToolUse', denied: ({ permissionDecision }) => permissionDecision === 'deny' },
    ...{ shell: 'recorded/1.0.102/compact/04-preToolUse.json', read: 'recorded/1.0.102/compact/04-preToolUse.json' },
  },
  {
    ...{ agent: 'cursor', event: 'preToolUse', denied: ({ permission }) => permission === 'deny' },
    ...{ shell: documented('preToolUse'), read: documented('preToolUse.read') },
  },
  {
    ...{ agent: 'gemini', event: 'BeforeTool', denied: ({ decision }) => decision === 'deny' },
    ...{ shell: documented('BeforeTool'), read: documented('BeforeTool.read') },
  },
  ...['kilo', 'opencode'].map(likeOpenCode),
  { agent: 'pi', event: 'tool_call', denied: plugin, shell: documented('tool_call'), read: documented('tool_call.read') },
  { agent: 'omp', event: 'tool_call', denied: plugin, shell: documented('tool_call'), read: documented('tool_call.read') },
];

/** One of each form of answer, for what does not differ from agent to agent. */
export const FORMS: readonly Asker[] = ASKERS.filter(({ agent }) => ['claude', 'cline', 'copilot', 'gemini', 'opencode'].includes(agent));

const FIXTURES = join(import.meta.dirname, '..', '..', 'packages', 'agents', 'src');
/** The commands that the fixtures run. */
const COMMANDS = ['npm test', 'echo hi > shell-ran.txt; echo hi', 'echo hi | tee shell-ran.txt', 'echo hi'];

function payloadAt(asker: Asker, file: string, project: string): string {
  const text = readFileSync(join(FIXTURES, asker.agent, 'fixtures', file), 'utf8');
  const parsed = JSON.parse(text.replaceAll('/home/dev/project', project).replaceAll('$REPO', project)) as { stdin?: unknown };
  return JSON.stringify(file.startsWith('recorded/') ? parsed.stdin : parsed);
}

/** The agent's payload about this command. */
export function shellPayload(asker: Asker, command: string, project: string): string {
  const text = payloadAt(asker, asker.shell, project);
  const known = COMMANDS.map((each) => JSON.stringify(each)).find((each) => text.includes(each));
  if (known === undefined) throw new Error(`${asker.agent}: ${asker.shell} holds none of the known commands`);
  return text.replaceAll(known, () => JSON.stringify(command));
}

export const readPayload = (asker: Asker, project: string): string => payloadAt(asker, asker.read, project);

export type Outcome = 'denied' | 'nothing' | `other: ${string}`;

/** What the agent makes of an answer. Empty, and an object that decides nothing, is its no-op. */
export function outcomeFor(asker: Asker, { code, stdout, stderr }: { code: string; stdout: string; stderr: string }): Outcome {
  if (code !== '0' || stderr !== '') return `other: exit ${code}, ${stderr}`;
  if (stdout.trim() === '' || stdout === '{}') return 'nothing';
  try {
    return asker.denied(JSON.parse(stdout) as Json) ? 'denied' : `other: ${stdout}`;
  } catch {
    return `other: ${stdout}`;
  }
}
