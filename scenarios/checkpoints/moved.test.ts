import { cpSync, existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { placesOf } from '@piton/contracts/places';
import { eventually, serverPids } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeScene, fire, git, moveScene, openWatchedScene, piton } from './setup.ts';

let root: string;
let work: string;

beforeEach(() => {
  ({ root, work } = openWatchedScene());
});
afterEach(closeScene);

const list = (): { kind: string; name: string; linked: string | null; session: string | null; turn: string | null }[] =>
  JSON.parse(piton('checkpoints', 'list', '--json').stdout);

async function agentWrites(name: string, text: string): Promise<void> {
  const input = { tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: join(work, name), content: text } };
  fire('UserPromptSubmit', { prompt: `write ${name}` });
  fire('PreToolUse', input);
  writeFileSync(join(work, name), text);
  fire('PostToolUse', { ...input, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  await eventually(() => list().some((one) => one.name === `write ${name}`));
  expect(list().map((one) => one.name)).toContain(`write ${name}`);
}

const watched = (): string[] =>
  readFileSync(join(root, 'piton', 'state', 'repositories'), 'utf8')
    .split('\n')
    .filter(Boolean);

it('a repository that was moved between a turn and its commit keeps its links, its lines and its way back', {
  timeout: 120_000,
}, async () => {
  await agentWrites('agent.txt', 'from the agent\n');
  ({ work } = moveScene('elsewhere'));
  git('add', '-A');
  git('commit', '-qm', 'Add it');
  expect(git('log', '-1', '--format=%B')).toContain('Piton-Checkpoint: ');
  await eventually(() => list().some(({ kind }) => kind === 'commit'));
  expect(list().at(-1)).toMatchObject({ kind: 'commit', linked: git('rev-parse', 'HEAD').trim(), session: 's1' });
  expect(JSON.parse(piton('blame', 'agent.txt', '--json').stdout)).toMatchObject([{ by: 'agent', session: 's1' }]);
  expect(watched()).toEqual([work]);
  await agentWrites('agent.txt', 'from the agent, later\n');
  expect(piton('rewind', '--yes').status).toBe(0);
  expect(readFileSync(join(work, 'agent.txt'), 'utf8')).toBe('from the agent\n');
});

it('a turn in a repository that was moved before it has its checkpoints', async () => {
  await agentWrites('agent.txt', 'from the agent\n');
  ({ work } = moveScene('elsewhere'));
  await agentWrites('more.txt', 'more\n');
  expect(piton('rewind', '--yes').status).toBe(0);
  expect([existsSync(join(work, 'agent.txt')), existsSync(join(work, 'more.txt'))]).toEqual([true, false]);
});

it('a turn that ends where an earlier one was, after a move there and back, has its own name and turn', async () => {
  await agentWrites('agent.txt', 'from the agent\n');
  const [first] = list().filter(({ kind }) => kind === 'stop');
  ({ work } = moveScene('elsewhere'));
  // A shell call waits until the way back is laid: it is not the move that comes too early.
  const input = { tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'echo more > more.txt' } };
  fire('UserPromptSubmit', { prompt: 'write more.txt' });
  fire('PreToolUse', input);
  writeFileSync(join(work, 'more.txt'), 'more\n');
  fire('PostToolUse', { ...input, tool_response: {} });
  ({ work } = moveScene('work'));
  fire('Stop', { stop_hook_active: false });
  await eventually(() => list().filter(({ kind }) => kind === 'stop').length === 2);
  const stops = list().filter(({ kind }) => kind === 'stop');
  expect(stops.map(({ name }) => name)).toEqual(['write agent.txt', 'write more.txt']);
  expect(stops[1]?.turn).not.toBe(first?.turn);
  expect(JSON.parse(piton('blame', 'more.txt', '--json').stdout)).toMatchObject([{ by: 'agent', name: 'write more.txt' }]);
  expect(piton('doctor').stdout).not.toContain('could not take');
});

it('a turn that no server answered, in a repository that was moved there and back meanwhile, is told as shared', async () => {
  await agentWrites('agent.txt', 'from the agent\n');
  const [pid] = serverPids({ places: placesOf(join(root, 'piton', 'state'), join(root, 'piton', 'config')) });
  const input = { tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'echo more > more.txt' } };
  process.kill(pid as number, 'SIGSTOP');
  try {
    // Until no forwarder waits for it any longer.
    const pulse = join(root, 'piton', 'state', 'environment', 'pulse');
    await eventually(() => !existsSync(pulse) || Date.now() - statSync(pulse).mtimeMs > 1100);
    ({ work } = moveScene('elsewhere'));
    fire('UserPromptSubmit', { prompt: 'write more.txt' });
    fire('PreToolUse', input);
    writeFileSync(join(work, 'more.txt'), 'more\n');
    fire('PostToolUse', { ...input, tool_response: {} });
    ({ work } = moveScene('work'));
  } finally {
    process.kill(pid as number, 'SIGCONT');
  }
  fire('Stop', { stop_hook_active: false });
  const authors = (): string[] => (JSON.parse(piton('blame', 'more.txt', '--json').stdout) as { by: string }[]).map(({ by }) => by);
  await eventually(() => authors()[0] === 'shared');
  expect(authors()).toEqual(['shared']);
});

it('a copy is another repository, in which nobody asked for checkpoints', async () => {
  await agentWrites('agent.txt', 'from the agent\n');
  cpSync(work, join(root, 'copy'), { recursive: true });
  fire('PreToolUse', { tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'true' }, cwd: join(root, 'copy') });
  expect(watched()).toEqual([work]);
});
