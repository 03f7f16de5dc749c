import { readdirSync } from 'node:fs';
import { expect, it } from 'vitest';
import { planDiff } from '../src/history/patch.ts';
import { lookBefore } from '../src/images/look.ts';
import { rewind } from '../src/rewind/rewind.ts';
import { planRewind } from '../src/rewind/rewind-plan.ts';
import { agentTurn } from './agent-turn.ts';
import { scratch } from './scratch.ts';

const namesIn = (directory: string): string[] => readdirSync(directory, { recursive: true }).map(String);

it('a split index leaves no shared indexes behind, in the repository or in our state', async () => {
  const user = scratch();
  for (let at = 0; at < 40; at++) user.write(`many/${at}.txt`, `${at}\n`);
  user.write('.gitattributes', '*.crlf text eol=crlf\n');
  user.commit('many');
  user.git('config', 'core.splitIndex', 'true');
  user.git('config', 'splitIndex.maxPercentChange', '0');
  user.git('update-index', '--split-index');
  const shared = () => namesIn(user.path('.git')).filter((name) => name.includes('sharedindex'));
  const before = shared();
  expect(before.length).toBeGreaterThan(0);
  const worktree = await user.worktree();
  for (let at = 0; at < 4; at++) {
    for (let each = 0; each < 40; each++) user.write(`many/${each}.txt`, `${each} again ${at}\n`);
    // Git is asked how it would store this one, with an index of its own.
    user.write(`ends-${at}.crlf`, 'new\r\n');
    const id = await agentTurn(worktree, () => user.write(`new-${at}.txt`, 'new\n'));
    await lookBefore(worktree, 'turn');
    const plan = await planRewind(worktree, id);
    if (plan.result !== 'plan') throw new Error(JSON.stringify(plan));
    await planDiff(worktree, plan);
    expect(await rewind(worktree, id)).toMatchObject({ result: 'rewound', deleted: [`new-${at}.txt`] });
  }
  expect(shared()).toEqual(before);
  expect(namesIn(user.home).filter((name) => name.includes('sharedindex') && !name.startsWith('repository/'))).toEqual([]);
  expect(user.git('status', '--porcelain').split('\n')).toHaveLength(44);
});
