import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
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

const list = (): { kind: string; by: string; name: string; session: string | null }[] =>
  JSON.parse(piton('checkpoints', 'list', '--json').stdout);

const lines = (): string[] => git('log', '-1', '--format=%B').match(/^Piton-Checkpoint: .*$/gm) ?? [];

async function agentWrites(session_id: string, name: string, text: string): Promise<void> {
  const input = { session_id, tool_name: 'Write', tool_use_id: 't1', tool_input: { file_path: join(work, name), content: text } };
  fire('UserPromptSubmit', { session_id, prompt: `${session_id} writes` });
  fire('PreToolUse', input);
  writeFileSync(join(work, name), text);
  fire('PostToolUse', { ...input, tool_response: {} });
  fire('Stop', { session_id, stop_hook_active: false });
  await eventually(() => list().some(({ kind, session }) => kind === 'stop' && session === session_id));
}

/** Its turn begins, and nobody hears of it again. */
function agentDies(session_id: string): void {
  fire('UserPromptSubmit', { session_id, prompt: `${session_id} begins` });
  fire('PreToolUse', { session_id, tool_name: 'Bash', tool_use_id: 't2', tool_input: { command: 'true' } });
}

function makeAgain(): void {
  mkdirSync(work);
  git('init', '-q', '-b', 'main');
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
}

it('a repository that is made where a deleted one was knows nothing of it', async () => {
  await agentWrites('s1', 'f', 'from the agent\n');
  expect(piton('rewind', '--yes').status).toBe(0);
  expect(piton('rewind', '--undo').status).toBe(0);
  agentDies('s0');
  rmSync(work, { recursive: true });
  makeAgain();
  writeFileSync(join(work, 'f'), 'mine\n');
  await agentWrites('s2', 'f', 'mine\nand from another agent\n');
  expect(list().map(({ by, session }) => [by, session])).toEqual([
    ['human', 's2'],
    ['agent', 's2'],
  ]);
  const undo = piton('rewind', '--undo');
  expect([undo.status, undo.stderr]).toEqual([1, expect.stringContaining('there is no rewind to undo')]);
  git('add', '-A');
  git('commit', '-qm', 'Add it');
  expect(lines()).toHaveLength(1);
  await eventually(() => list().some(({ kind }) => kind === 'commit'));
  expect(list().filter(({ kind }) => kind === 'commit')).toMatchObject([{ session: 's2' }]);
});

it('a repository that was moved has its own state also where another was made in its old place first', async () => {
  await agentWrites('s1', 'f', 'from the agent\n');
  renameSync(work, join(root, 'elsewhere'));
  makeAgain();
  await agentWrites('s2', 'g', 'from another agent\n');
  expect(list().map(({ session }) => session)).toEqual(['s2', 's2']);
  turnTo('elsewhere');
  git('add', '-A');
  git('commit', '-qm', 'Add it');
  expect(lines()).toHaveLength(1);
  await eventually(() => list().some(({ kind }) => kind === 'commit'));
  expect(list().at(-1)).toMatchObject({ kind: 'commit', session: 's1' });
  turnTo('work');
  git('add', '-A');
  git('commit', '-qm', 'Add the other');
  expect(lines()).toHaveLength(1);
});
