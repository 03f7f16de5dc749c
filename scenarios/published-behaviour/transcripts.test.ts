import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registrationArgs } from '@piton/contracts';
import { placesOf } from '@piton/contracts/places';
import { eventually } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Sandbox, sandbox } from '../first-day/sandbox.ts';

// A hook that copies the transcript it is given, on every event, in agents whose payloads name none: their recorded sessions.
const COPIER = `const fs = require('fs'), p = JSON.parse(fs.readFileSync(0, 'utf8')), out = process.env.HOME + '/seen/' + p.session_id;
fs.mkdirSync(out, { recursive: true });
const n = String(fs.readdirSync(out).length).padStart(3, '0');
const path = p.transcript_path;
fs.writeFileSync(out + '/' + n, JSON.stringify({ event: p.hook_event_name, path, native: 'transcriptPath' in p.piton.native,
  format: p.piton.transcript_format, mode: path && fs.statSync(path).mode & 0o777, text: path && fs.readFileSync(path, 'utf8') }));`;
const SECRET = `sk-ant-api03-${'A1b2C3d4'.repeat(11)}-AbCdEfAA`;
const EVENTS = ['user_prompt_submit', 'pre_tool_use', 'post_tool_use', 'stop', 'session_end'] as const;

interface Seen {
  readonly event: string;
  readonly path?: string;
  readonly format: string | null;
  readonly mode?: number;
  readonly text?: string;
}

let box: Sandbox;
let project: string;

beforeAll(async () => {
  box = sandbox();
  project = box.repository();
  const copier = box.write('copier.cjs', COPIER);
  const hooks = EVENTS.map((event) => ({ name: `copy-${event}`, event, command: `node ${copier}` }));
  box.write('.config/piton/settings.json', JSON.stringify({ hooks }));
  expect((await box.piton(['init', '--yes', '--agents', 'claude', '--no-git'])).code).toBe(0);
});
afterAll(() => box.end());

const RECORDED: Readonly<Record<string, string>> = {
  copilot: '1.0.102/session',
  cline: '3.0.65/session',
  opencode: '1.18.33',
  kilo: '7.7.7',
};

interface Sent {
  readonly event: string;
  readonly stdin: string;
}

function recorded(agent: string): Sent[] {
  const folder = join(import.meta.dirname, '../../packages/agents/src', agent, 'fixtures/recorded', RECORDED[agent] ?? '');
  const files = readdirSync(folder).filter((file) => file.endsWith('.json'));
  return files.sort().map((file) => {
    const text = readFileSync(join(folder, file), 'utf8').replaceAll('$REPO', project).replaceAll('$HOME', box.home);
    const { event, stdin } = JSON.parse(text) as { event: string; stdin: unknown };
    return { event, stdin: JSON.stringify(stdin).replaceAll('Do the scripted work.', `Do it with ${SECRET}.`) };
  });
}

function send(agent: string, { event, stdin }: Sent): Promise<void> {
  const args = registrationArgs({ agent, nativeEvent: event, scope: 'user', timeoutMs: 30_000, variables: [] });
  const child = spawn(placesOf(box.state, box.config).forwarder, args, {
    cwd: project,
    env: box.env,
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(stdin);
  return new Promise((resolve) => child.on('close', () => resolve()));
}

const seenIn = (agent: string): Seen[] => {
  const folder = join(box.home, 'seen');
  const session = readdirSync(folder).find((name) => !taken.has(name));
  if (session === undefined) throw new Error(`no hook has run for ${agent}`);
  taken.add(session);
  return readdirSync(join(folder, session))
    .sort()
    .map((name) => JSON.parse(readFileSync(join(folder, session, name), 'utf8')) as Seen);
};
const taken = new Set<string>();

describe.each(Object.keys(RECORDED))('a hook that reads the transcript, in %s', (agent) => {
  it('reads the session so far in the form of Claude Code; the file is private, redacted, only ever appended, and gone at the end', async () => {
    const payloads = recorded(agent);
    for (const payload of payloads) await send(agent, payload);
    const mine = seenIn(agent).filter(({ format }) => format === 'claude-jsonl');
    expect(mine.length).toBeGreaterThan(5);
    let before = '';
    for (const { text = '', mode } of mine) {
      expect(mode).toBe(0o600);
      expect(text.startsWith(before)).toBe(true);
      before = text;
    }
    const lines = before
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(before).not.toContain(SECRET);
    const messages = lines.map(({ type, message }) => ({ type, ...message }));
    // Cline's hooks are never told the prompt of a headless run.
    if (agent !== 'cline') expect(messages).toContainEqual({ type: 'user', role: 'user', content: expect.stringContaining('Do it with') });
    const blocks = messages.flatMap(({ content }) => (Array.isArray(content) ? content : []));
    const command = blocks.find(({ type, input }) => type === 'tool_use' && /^echo hi .*shell-ran/.test(input?.command));
    expect(command).toMatchObject({ name: 'Bash', id: expect.any(String) });
    expect(blocks).toContainEqual(
      expect.objectContaining({ type: 'tool_result', tool_use_id: command.id, content: expect.stringContaining('hi') }),
    );
    const path = mine.at(-1)?.path ?? '';
    if (!mine.some(({ event }) => event === 'SessionEnd')) return; // it reports no end: the file goes with the server, or with the agent's process
    expect(await eventually(() => !existsSync(path))).toBe(true);
  });
});
