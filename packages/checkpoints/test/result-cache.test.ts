import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { blameFile } from '../src/attribution/blame.ts';
import { attributeCommit } from '../src/attribution/commit-attribution.ts';
import { keepResult } from '../src/attribution/result-cache.ts';
import { listCheckpoints } from '../src/history/listing.ts';
import type { Worktree } from '../src/worktree.ts';
import { commit, turn, whose } from './authors.ts';
import { seededRandom } from './random.ts';
import { scratch } from './scratch.ts';

const folder = (worktree: Worktree) => join(worktree.state, 'attributed');

/** The same worktree, and which git commands it starts. */
function listening(worktree: Worktree): { worktree: Worktree; started: string[] } {
  const started: string[] = [];
  return {
    started,
    worktree: {
      ...worktree,
      git: (args, options) => {
        started.push(args[0] ?? '');
        return worktree.git(args, options);
      },
    },
  };
}

it('what was answered once is answered again without following the file', async () => {
  const user = scratch();
  const { worktree, started } = listening(await user.worktree());
  await turn(worktree, () => user.write('src/main.ts', 'one\nby the agent\n'));
  await commit(user, worktree, 'Change it');
  const first = await blameFile(worktree, user.path('src/main.ts'));
  const share = await attributeCommit(worktree, 'HEAD');
  started.length = 0;
  expect(await blameFile(worktree, user.path('src/main.ts'))).toEqual(first);
  expect(await attributeCommit(worktree, 'HEAD')).toEqual(share);
  expect(started).not.toContain('blame');
  expect(started).not.toContain('diff-tree');
});

it('a file, a commit, a checkpoint or a rewrite more is another question: it always says what it says with nothing kept', async () => {
  const seed = Math.floor(Math.random() * 1e6);
  const random = seededRandom(seed);
  const user = scratch();
  const worktree = await user.worktree();
  const bare = async () => ({ ...(await user.worktree()), state: worktree.state });
  let count = 0;
  const edit = (who: string) => {
    const lines = user.read('src/main.ts').split('\n');
    lines.splice(random(lines.length), random(2), `${who} wrote line ${count++}`);
    user.write('src/main.ts', lines.join('\n'));
  };
  for (let step = 0; step < 14; step++) {
    const kind = random(5);
    if (kind === 0) edit('me');
    else if (kind === 1) await turn(worktree, () => edit('s1'), 's1');
    else if (kind === 2) await commit(user, worktree, `Step ${step}`);
    else if (kind === 3) {
      const [oldest] = await listCheckpoints(worktree.git, worktree.repository);
      if (oldest && random(3) === 0) user.git('update-ref', '-d', oldest.ref);
    } else if (random(2) === 0) user.git('commit', '--quiet', '--amend', '--allow-empty', '-m', `Again ${step}`);
    const kept = [await whose(worktree, user, 'src/main.ts'), await whose(worktree, user, 'src/main.ts')];
    const other = join(user.home, `empty-${step}`);
    user.shell(`cp -r '${worktree.state}' '${other}' 2>/dev/null || mkdir '${other}'; rm -rf '${other}/attributed'`);
    const fresh = await whose({ ...(await bare()), state: other }, user, 'src/main.ts');
    expect(kept, `seed ${seed}, step ${step}`).toEqual([fresh, fresh]);
  }
});

it('a file of it that is broken, or of another form, is not believed', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  await turn(worktree, () => user.write('src/main.ts', 'one\nby the agent\n'));
  await commit(user, worktree, 'Change it');
  const first = await blameFile(worktree, user.path('src/main.ts'));
  expect(readdirSync(folder(worktree))).toHaveLength(1);
  for (const text of ['', '{', 'null', '[]', '{"rows":[]}', '{"commits":[],"writers":[],"rows":[[0,0]]}']) {
    for (const name of readdirSync(folder(worktree))) writeFileSync(join(folder(worktree), name), text);
    expect(await blameFile(worktree, user.path('src/main.ts')), text).toEqual(first);
  }
});

it('keeps so many and no more, those that were used last', async () => {
  const user = scratch();
  const worktree = await user.worktree();
  for (let at = 0; at < 230; at++) await keepResult(worktree, `${at}`, { at });
  const names = readdirSync(folder(worktree));
  expect(names).toHaveLength(200);
  expect(JSON.parse(readFileSync(join(folder(worktree), '229'), 'utf8'))).toEqual({ at: 229 });
});
