import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeScene, fire, git, openWatchedScene, piton, turnTo } from './setup.ts';

let root: string;
let work: string;

beforeEach(() => {
  ({ root, work } = openWatchedScene());
});
afterEach(closeScene);

async function turn(session_id: string, prompt: string, name: string, text: string): Promise<void> {
  const edit = { session_id, tool_name: 'Write', tool_use_id: prompt, tool_input: { file_path: join(work, name), content: text } };
  fire('UserPromptSubmit', { session_id, prompt });
  fire('PreToolUse', edit);
  writeFileSync(join(work, name), text);
  fire('PostToolUse', { ...edit, tool_response: {} });
  fire('Stop', { session_id, stop_hook_active: false });
  await eventually(() => piton('checkpoints', 'list', '--json').stdout.includes(`"name": "${prompt}"`));
}

const commitCheckpoint = (): string =>
  JSON.parse(piton('checkpoints', 'list', '--json').stdout).findLast(({ kind }: { kind: string }) => kind === 'commit')?.id ?? '';

async function commit(subject: string, ...files: string[]): Promise<void> {
  const before = commitCheckpoint();
  git('add', ...files);
  git('commit', '-qm', subject);
  await eventually(() => commitCheckpoint() !== before);
}

/** As `piton sessions` has it: not the agent's own ID, which is a UUID. */
function expectShortSession(said: string): void {
  const [, short = ''] = /^session +(\S+), claude$/m.exec(said) ?? [];
  const sessions = JSON.parse(piton('sessions', '--json').stdout) as { id: string }[];
  expect(short).toMatch(/^01[0-9A-Z]{6,}$/);
  expect(sessions.filter(({ id }) => id.startsWith(short))).toHaveLength(1);
  expect(piton('sessions', 'show', short).status).toBe(0);
}

it('a commit is explained by the prompts that its lines come from, and by no other', async () => {
  await turn('s1', 'make b', 'b.txt', 'b\n');
  await turn('s1', 'make c', 'c.txt', 'c\n');
  await turn('s2', 'make d', 'd.txt', 'd\n');
  await commit('b and d', 'b.txt', 'd.txt');
  const { stdout } = piton('explain', 'HEAD');
  expect(stdout.match(/make .$/gm)).toEqual(['make b', 'make d']);
  const { prompts } = JSON.parse(piton('explain', 'HEAD', '--json').stdout);
  expect(prompts).toMatchObject([
    { prompt: 'make b', session: 's1', agent: 'claude' },
    { prompt: 'make d', session: 's2', agent: 'claude' },
  ]);
  await commit('c', 'c.txt');
  expect(piton('explain', 'HEAD').stdout.match(/make .$/gm)).toEqual(['make c']);
});

it('a commit that no git hook saw is known by its lines, to explain and to resume', async () => {
  mkdirSync(join(root, 'no-hooks'));
  git('config', 'core.hooksPath', join(root, 'no-hooks'));
  await turn('s1', 'make b', 'b.txt', 'b\n');
  git('add', '-A');
  git('commit', '-qm', 'b');
  const { stdout } = piton('explain', 'HEAD');
  expect(stdout).toMatch(/by agents 1 \(100 %\)/);
  expectShortSession(stdout);
  expect(stdout).toMatch(/make b/);
  expect(stdout).not.toContain('knows of no agent');
  expect(piton('resume', 'HEAD').stdout).toBe('claude --resume s1\n');
});

it('what was done in one working tree is explained, shown and resumed from another', async () => {
  git('switch', '-qc', 'login');
  await turn('s1', 'make b', 'b.txt', 'b\n');
  await commit('b', '-A');
  const linked = commitCheckpoint();
  git('switch', '-q', 'main');
  git('worktree', 'add', '-q', join(root, "it's another"), 'login');
  turnTo("it's another");
  const said = piton('explain', 'HEAD').stdout;
  expect(said).toContain(`checkpoint ${linked.slice(0, 12)}: b`);
  expectShortSession(said);
  expect(piton('explain', linked).stdout).toContain(`checkpoint ${linked.slice(0, 12)}: b`);
  const shown = piton('checkpoints', 'show', linked.slice(-8)).stdout;
  expect(shown).toContain(linked);
  expect(shown).toMatch(/worktree +main/);
  expect(shown).not.toContain('piton rewind');
  // An agent knows its sessions by the directory in which they were.
  for (const what of ['HEAD', 'login']) expect(piton('resume', what).stdout).toBe('cd ~/work && claude --resume s1\n');
  expect(JSON.parse(piton('resume', 'login', '--json').stdout)).toMatchObject({ session: 's1', directory: work });
  turnTo('work');
  expect(piton('resume', 'login').stdout).toBe('claude --resume s1\n');
});
