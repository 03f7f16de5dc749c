import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registrationArgs } from '@piton/contracts';
import { placesOf } from '@piton/contracts/places';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// Hooks that do what published ones do that failed outside of Claude Code, imported from its settings, and run on recorded payloads.
const LOADER = 'echo "LOADED BY THE LOADER"';
/** Looks into the result as into an object, and fails on anything else. */
const LOGGER = `const p = JSON.parse(require('fs').readFileSync(0, 'utf8'));
const { stdout } = p.tool_response;
if (typeof stdout !== 'string') throw new Error('no stdout');
require('fs').appendFileSync(process.env.HOME + '/commands.log', p.tool_input.command + ' => ' + stdout.trim() + '\\n');`;

let box: Sandbox;
let project: string;

beforeAll(async () => {
  box = sandbox();
  project = box.repository();
  const logger = box.write('logger.cjs', LOGGER);
  box.write(
    '.claude/settings.json',
    JSON.stringify({
      hooks: {
        SessionStart: [{ matcher: 'startup|resume', hooks: [{ type: 'command', command: LOADER }] }],
        PostToolUse: [{ matcher: 'Bash', hooks: [{ type: 'command', command: `node ${logger}` }] }],
      },
    }),
  );
  expect((await box.piton(['init', '--yes', '--agents', 'claude', '--no-git'])).code).toBe(0);
  const imported = await box.piton(['import', '--yes']);
  expect(imported).toMatchObject({ code: 0 });
});
afterAll(() => box.end());

const RECORDED: Readonly<Record<string, string>> = {
  claude: '2.1.325/session',
  codex: '0.166.0/session',
  gemini: '0.61.0/session',
  qwen: '0.24.4/session',
  copilot: '1.0.102/session',
  droid: '0.215.0/session',
  cline: '3.0.65/session',
};

/** The first recorded payload that fits, in this project. */
function recorded(agent: string, fits: (event: string, text: string) => boolean): { event: string; stdin: string } {
  const folder = join(import.meta.dirname, '../../packages/agents/src', agent, 'fixtures/recorded', RECORDED[agent] ?? '');
  for (const file of readdirSync(folder).sort()) {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('$REPO', project).replaceAll('$HOME', box.home);
    const { event, stdin } = JSON.parse(text) as { event: string; stdin: unknown };
    if (fits(event, text)) return { event, stdin: JSON.stringify(stdin) };
  }
  throw new Error(`no such payload of ${agent}`);
}

function send(agent: string, { event, stdin }: { event: string; stdin: string }): Promise<string> {
  const args = registrationArgs({ agent, nativeEvent: event, scope: 'user', timeoutMs: 30_000, variables: [] });
  const child = spawn(placesOf(box.state, box.config).forwarder, args, { cwd: project, env: box.env, stdio: ['pipe', 'pipe', 'inherit'] });
  let stdout = '';
  child.stdout.on('data', (data: Buffer) => (stdout += data.toString()));
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on('close', () => resolve(stdout)));
}

describe('a hook that was written for Claude Code and imported', () => {
  it.each(['claude', 'codex', 'gemini', 'qwen', 'copilot', 'droid'])('on startup|resume loads its context in %s', async (agent) => {
    expect(
      await send(
        agent,
        recorded(agent, (event) => /^sessionstart$/i.test(event)),
      ),
    ).toContain('LOADED BY THE LOADER');
  });
  it.each(Object.keys(RECORDED))('after Bash finds what the command printed in %s', async (agent) => {
    const before = logged();
    await send(
      agent,
      recorded(agent, (event, text) => /^(?:postToolUse|AfterTool)$/i.test(event) && text.includes('; echo hi')),
    );
    expect(logged().slice(before.length)).toEqual(['echo hi > shell-ran.txt; echo hi => hi']);
  });
});

function logged(): string[] {
  try {
    return readFileSync(join(box.home, 'commands.log'), 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}
