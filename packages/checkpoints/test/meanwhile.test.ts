import { rmSync } from 'node:fs';
import { expect, it } from 'vitest';
import { type Git, type Place, rewind, take } from '../src/index.ts';
import { scratch } from './scratch.ts';

const TURN = { kind: 'stop', name: 'Did it', by: 'agent', session: 's1', agent: 'someone', turn: 't1' } as const;

/** Somebody does something once, right after or before a git command of ours has run. */
function meanwhile(place: Place, command: string, when: 'before' | 'after', act: () => void): Place {
  let done = false;
  const git: Git = async (args, options) => {
    const isIt = !done && args.includes(command);
    if (isIt) done = true;
    if (isIt && when === 'before') act();
    const result = await place.git(args, options);
    if (isIt && when === 'after') act();
    return result;
  };
  return { ...place, git };
}

it('attributes that were taken away while git was asked are not remembered', async () => {
  const user = scratch();
  user.write('.gitattributes', '*.txt text eol=crlf\n');
  user.write('a.txt', 'one\n');
  user.commit('with attributes');
  const place = await user.place();
  await take(place, TURN);
  await new Promise((resolve) => setTimeout(resolve, 150));
  user.write('a.txt', 'two\n');
  await take(
    meanwhile(place, 'check-attr', 'after', () => rmSync(user.path('.gitattributes'))),
    { ...TURN, touched: [user.path('a.txt')] },
  );
  user.write('a.txt', 'three\n');
  const taken = await take(place, { ...TURN, touched: [user.path('a.txt')] });
  expect(taken).toMatchObject({ result: 'made', checkpoint: { verbatim: false } });
});

it('a commit between the looks at HEAD and at the files: the checkpoint has what was committed', async () => {
  const user = scratch();
  const place = await user.place();
  await take(place, TURN);
  // Then git is asked where HEAD is.
  user.git('pack-refs', '--all');
  user.write('src/main.ts', 'agent\n');
  const taken = await take(
    meanwhile(place, 'rev-parse', 'after', () => user.commit('by another process')),
    TURN,
  );
  expect(taken.result).toBe('made');
  expect(user.git('show', `${taken.result === 'made' ? taken.checkpoint.commit : ''}:src/main.ts`).trim()).toBe('agent');
});

it('attributes that the agent changed do not spoil what comes back', async () => {
  const user = scratch();
  user.write('.gitattributes', '# none\n');
  user.write('z.txt', 'one\n');
  user.commit('with attributes');
  user.write('z.txt', 'mine\n');
  const place = await user.place();
  const before = await take(place, { ...TURN, kind: 'prompt', by: 'human' });
  user.write('.gitattributes', '*.txt text eol=crlf\n');
  user.write('z.txt', 'agent\n');
  await take(place, TURN);
  await rewind(place, before.result === 'made' ? before.checkpoint.id : '', { everything: true });
  expect([user.read('.gitattributes'), user.read('z.txt')]).toEqual(['# none\n', 'mine\n']);
});
