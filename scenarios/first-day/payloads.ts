import { spawn } from 'node:child_process';
import { join } from 'node:path';
import type { Sandbox } from './sandbox.ts';

const base = (session: string, cwd: string, event: string) => ({
  session_id: session,
  transcript_path: `/nowhere/${session}.jsonl`,
  cwd,
  hook_event_name: event,
  permission_mode: 'default',
});

/** Payloads as Claude Code sends them. */
export const claude = {
  start: (session: string, cwd: string) => ({ ...base(session, cwd, 'SessionStart'), source: 'startup' }),
  prompt: (session: string, cwd: string, prompt: string) => ({ ...base(session, cwd, 'UserPromptSubmit'), prompt }),
  shell: (session: string, cwd: string, command: string, id = 'toolu_1') => ({
    ...base(session, cwd, 'PreToolUse'),
    tool_name: 'Bash',
    tool_input: { command },
    tool_use_id: id,
  }),
  stop: (session: string, cwd: string) => ({ ...base(session, cwd, 'Stop'), stop_hook_active: false }),
  end: (session: string, cwd: string) => ({ ...base(session, cwd, 'SessionEnd'), reason: 'other' }),
};

/** Fires an event the way the agent does: by the installed forwarder. */
export function fire(
  box: Sandbox,
  payload: { readonly hook_event_name: string; readonly cwd: string },
  env: Record<string, string> = {},
): Promise<string> {
  const forwarder = join(box.state, 'runtime', 'current', 'piton-forward');
  return new Promise((done, fail) => {
    const child = spawn(forwarder, ['claude', payload.hook_event_name, 'user', '30000', '-'], {
      cwd: payload.cwd,
      env: { ...box.env, ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    let answer = '';
    child.stdout.on('data', (chunk: Buffer) => (answer += chunk.toString('utf8')));
    child.on('error', fail);
    child.on('close', () => done(answer));
    child.stdin.end(JSON.stringify(payload));
  });
}
