import { eventually, type TestHome, writeHook } from '@piton/testing';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { agent, authors, checkpoints, closeTree, freeze, listedCalls, openTree, piton, read, slowGit, write } from './agent-tree.ts';

let home: TestHome;
beforeEach(() => {
  home = openTree({ 'a.txt': 'a\n', 'b.txt': 'b\n' });
});
afterEach(closeTree);

const kinds = (): string[] => checkpoints().map(({ kind, by }) => `${kind} ${by}`);
const wayBacks = (): string[] => listedCalls().map(({ tool, wayBack }) => `${tool} ${wayBack}`);

it.each([
  ['the first prompt of a repository', false],
  ['a later prompt', true],
])('a server that stalls while the image of %s is being taken does not find in it what an edit did meanwhile', async (_name, isLater) => {
  const git = slowGit();
  const one = agent('s1');
  if (isLater) {
    await one.prompt('first');
    await one.write('b.txt', 'b\nfirst\n');
    await one.stop();
    await eventually(() => kinds().includes('stop agent'));
  } else {
    await one.stop(); // starts the server
    listedCalls(); // waits until the look behind that stop is done: it would find what the person writes now, and nobody could tell whose it is
  }
  write('a.txt', 'a\nmine\n');
  git.hold();
  await one.prompt('write it');
  await git.reached();
  const frozen = freeze();
  await frozen.silent();
  await one.write('a.txt', 'a\nmine\nagent\n');
  git.release();
  frozen.thaw();
  await eventually(() => wayBacks().includes('Write files'));
  await one.stop();
  await eventually(() => kinds().at(-1) === 'stop agent');
  expect(authors('a.txt')).toEqual([
    ['human', 'a'],
    ['human', 'mine'],
    ['s1', 'agent'],
  ]);
  expect(piton('rewind', '--yes').status).toBe(0);
  expect(read('a.txt')).toBe('a\nmine\n');
});

it('a command that did not wait any longer is in no state before it, and nobody is told that what it did is theirs', async () => {
  const git = slowGit();
  const one = agent('s1');
  await one.prompt('first');
  await one.write('b.txt', 'b\nfirst\n');
  await one.stop();
  await eventually(() => kinds().includes('stop agent'));
  write('a.txt', 'a\nmine\n');
  git.hold();
  await one.prompt('make it');
  await git.reached();
  const frozen = freeze();
  await frozen.silent();
  await one.shell('echo made > made.txt; rm a.txt');
  git.release();
  frozen.thaw();
  await eventually(() => wayBacks().includes('Bash none'));
  await one.stop();
  const refused = piton('rewind', '--yes');
  expect([refused.status, refused.stderr]).toEqual([1, expect.stringContaining('no way back before the latest turn')]);
  await eventually(() => kinds().length > 3);
  expect(authors('made.txt')).toEqual([['shared', 'made']]);
});

it('what a person writes into the file of an edit whose end nobody heard is theirs, and the edit is the agent’s', async () => {
  const one = agent('s1');
  await one.prompt('write it');
  const call = await one.beginWrite('a.txt', 'a\nagent\n');
  await eventually(() => wayBacks().includes('Write files'));
  write('a.txt', 'a\nagent\n');
  const frozen = freeze();
  await frozen.silent();
  await call.end();
  write('a.txt', 'a\nagent\nmine\n');
  frozen.thaw();
  await one.stop();
  await eventually(() => kinds().some((kind) => kind.startsWith('stop')));
  expect(authors('a.txt')).toEqual([
    ['human', 'a'],
    ['s1', 'agent'],
    ['human', 'mine'],
  ]);
});

/** What a hook at the end of a call does: the agent has its answer from the server, from the forwarder alone, or with a message. */
const HOOKS = { 'no hook': null, 'a silent hook': 'cat > /dev/null', 'a hook that blocks': 'echo "look at it again" >&2; exit 2' } as const;
const ENDED = (['Write', 'Bash'] as const).flatMap((tool) =>
  (Object.keys(HOOKS) as (keyof typeof HOOKS)[]).map((hook) => [tool, hook] as const),
);

it.each(ENDED)(
  'what a person writes into the file of a %s right after its end, with %s, while the server stands still, is theirs',
  async (tool, hook) => {
    if (HOOKS[hook] !== null) writeHook(home, 'post-tool-use', '10-hook', `#!/bin/sh\n${HOOKS[hook]}\n`);
    const one = agent('s1');
    await one.prompt('write it');
    const call = await (tool === 'Write' ? one.beginWrite('a.txt', 'a\nagent\n') : one.begin('Bash', { command: 'echo agent >> a.txt' }));
    write('a.txt', 'a\nagent\n');
    await call.end();
    const frozen = freeze();
    write('a.txt', 'a\nagent\nmine\n');
    frozen.thaw();
    await one.stop();
    await eventually(() => kinds().some((kind) => kind.startsWith('stop')));
    expect(authors('a.txt')).toEqual([
      ['human', 'a'],
      ['s1', 'agent'],
      ['human', 'mine'],
    ]);
  },
);
