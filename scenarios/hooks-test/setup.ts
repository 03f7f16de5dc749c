import { spawn } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { registrationArgs } from '@piton/contracts';
import { COMMAND, type ForwarderRun, pathWithBubblewrap, runPiton, type TestHome } from '@piton/testing';

export const CLI = COMMAND;
const PATH = pathWithBubblewrap() ?? process.env.PATH ?? '';

/** The command, as a person in `cwd` types it. */
export async function piton(
  home: TestHome,
  args: readonly string[],
  options: { cwd?: string; env?: Record<string, string> } = {},
): Promise<ForwarderRun> {
  const env = { PATH, HOME: home.root, PITON_HOME: home.root, PITON_ALLOW_UNDER_AGENT: '1', ...options.env };
  const { code, stdout, stderr } = await runPiton(args, { cwd: options.cwd ?? home.work, env });
  return { code, stdout, stderr };
}

/** One event through the real forwarder, as this agent fires it. */
export function fireAs(home: TestHome, agent: string, nativeEvent: string, payload: object): Promise<ForwarderRun> {
  const args = registrationArgs({ agent, nativeEvent, scope: 'user', timeoutMs: 60_000, variables: [] });
  return run([home.places.forwarder, ...args], { cwd: home.work, env: { PATH, HOME: home.root }, stdin: JSON.stringify(payload) });
}

function run(
  [command = '', ...args]: readonly string[],
  { cwd, env, stdin = '' }: { cwd: string; env: Record<string, string>; stdin?: string },
): Promise<ForwarderRun> {
  const child = spawn(command, args, { cwd, env });
  const out = { stdout: '', stderr: '' };
  child.stdout.on('data', (data) => (out.stdout += data));
  child.stderr.on('data', (data) => (out.stderr += data));
  child.stdin.on('error', () => {});
  child.stdin.end(stdin);
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => resolve({ code, ...out }));
  });
}

export function write(path: string, text: string, mode = 0o644): string {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
  chmodSync(path, mode);
  return path;
}

/** How each agent tells of a shell command, before and after it. */
export const SHELLS = {
  claude: { before: 'PreToolUse', after: 'PostToolUse', failed: 'PostToolUseFailure', tool: 'Bash' },
  codex: { before: 'PreToolUse', after: 'PostToolUse', failed: undefined, tool: 'Bash' },
  gemini: { before: 'BeforeTool', after: 'AfterTool', failed: undefined, tool: 'run_shell_command' },
} as const;
export type ShellAgent = keyof typeof SHELLS;

export interface Played {
  readonly agent: ShellAgent;
  readonly command: string;
  readonly ends: 'well' | 'badly' | 'never';
}

/** Plays shell commands as agents tell of them; what each was answered before the command. */
export async function play(home: TestHome, calls: readonly Played[], first = 0): Promise<string[]> {
  const answers: string[] = [];
  for (const [at, { agent, command, ends }] of calls.entries()) {
    const { before, after, failed, tool } = SHELLS[agent];
    const said = { session_id: `${agent}-1`, cwd: home.work, tool_name: tool, tool_input: { command } };
    // Gemini gives its calls no id.
    const call = agent === 'gemini' ? said : { ...said, tool_use_id: `call-${first + at}` };
    answers.push((await fireAs(home, agent, before, { ...call, hook_event_name: before })).stdout);
    if (ends === 'well')
      await fireAs(home, agent, after, {
        ...call,
        hook_event_name: after,
        tool_response: agent === 'gemini' ? { llmContent: 'ok' } : 'ok',
      });
    if (ends === 'badly' && failed !== undefined) await fireAs(home, agent, failed, { ...call, hook_event_name: failed, error: 'no' });
  }
  return answers;
}
