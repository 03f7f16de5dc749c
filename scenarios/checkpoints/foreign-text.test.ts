import { appendFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eventually } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { closeScene, fire, git, openScene, piton } from './setup.ts';

/** Clears the screen, changes the title, and hides what follows; the second form needs no escape character. */
const STEERING = '\u001b[2J\u001b]0;owned\u0007\u009b31m\u202e';
const NAME = `a${STEERING}\nb.txt`;
/** What no terminal may get of a text of others. Patches are no text of ours: a pipe gets their bytes. */
const STEERS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

let work: string;

beforeEach(() => {
  ({ work } = openScene());
  for (const name of ['plain.txt', NAME]) writeFileSync(join(work, name), 'one\n');
  git('add', '-A');
  git('commit', '-qm', 'Begin');
  git('switch', '-qc', 'branch\u009b31m\u202e');
  expect(piton('init', '--agent', 'claude', '--yes').status).toBe(0);
});
afterEach(closeScene);

it('names, prompts, branches and lines of others cannot steer the terminal', async () => {
  const tool = { tool_name: 'Bash', tool_use_id: 't1', tool_input: { command: 'x' } };
  fire('UserPromptSubmit', { prompt: `Do it ${STEERING} now` });
  fire('PreToolUse', tool);
  for (const name of ['plain.txt', NAME]) appendFileSync(join(work, name), `  two ${STEERING}\n`);
  writeFileSync(join(work, `new${NAME}`), 'new\n');
  writeFileSync(join(work, `.env${STEERING}`), 'TOKEN=1\n');
  fire('PostToolUse', { ...tool, tool_response: {} });
  fire('Stop', { stop_hook_active: false });
  const list = () => JSON.parse(piton('checkpoints', 'list', '--json').stdout) as { id: string; name: string; kind: string; ref: string }[];
  await eventually(() => list().some(({ kind }) => kind === 'stop'));
  const id = list().find(({ kind }) => kind === 'stop')?.id ?? '';
  // Anybody may write a ref, and its name need not have come through our hands.
  const message = git('log', '-1', '--format=%B', `refs/piton/checkpoints/${id}`).replace(/^.*/, `Forged ${STEERING}`);
  const forged = git('commit-tree', '-p', 'HEAD', '-m', message, `refs/piton/checkpoints/${id}^{tree}`).trim();
  git('update-ref', `refs/piton/checkpoints/${id}`, forged);

  const commands = [
    ...[['checkpoints'], ['checkpoints', 'show', id], ['rewind'], ['blame', 'plain.txt'], ['blame', NAME]],
    ...[['explain', id], ['explain', 'plain.txt:2'], ['explain', `${NAME}:2`], ['explain', 'HEAD'], ['resume']],
    ...[
      ['rewind', '--yes'],
      ['rewind', '--undo', '--dry-run', '--json'],
      ['rewind', '--undo'],
      ['sessions', 'show', 's1'],
      ['export', 's1'],
      ['export', 's1', '--json'],
    ],
  ];
  for (const args of commands) {
    const { status, stdout, stderr } = piton(...args);
    expect({ args, status, steers: STEERS.exec(stdout + stderr) }).toEqual({
      args,
      status: args.join() === 'rewind' ? 1 : 0,
      steers: null,
    });
  }
  // Indentation is part of a line.
  expect(piton('blame', 'plain.txt').stdout).toMatch(/ {2}2 {4}two /);
});
