import { afterEach, beforeEach, expect, it } from 'vitest';
import { createStage, type Stage } from './setup.ts';

let stage: Stage;
beforeEach(() => {
  stage = createStage();
  stage.listener('commit-linked', 'user');
});
afterEach(() => stage.end());

/** Two commits of an agent's, on a branch beside `main`. */
async function twoCommits(): Promise<void> {
  stage.git('checkout', '-qb', 'work');
  for (const name of ['one', 'two']) {
    await stage.agentWrites(`${name}.txt`, `${name}\n`, name);
    stage.git('add', '-A');
    expect(stage.git('commit', '-qm', `Add ${name}`).code).toBe(0);
  }
}

/** What was told of commits since, the oldest first. */
function deliveredSince(before: number): (readonly [string | null, string | null])[] {
  stage.settle();
  return stage
    .events('commit-linked')
    .slice(before)
    .map(({ session_id, commit_sha }) => [session_id, commit_sha] as const);
}

const deliveries = () => {
  stage.settle();
  return stage.events('commit-linked').length;
};
const sha = (rev: string) => stage.git('rev-parse', rev).stdout.trim();

it('a rebase reports each commit that replaced another, once', async () => {
  await twoCommits();
  stage.git('checkout', '-q', 'main');
  stage.git('commit', '-q', '--allow-empty', '-m', 'Upstream');
  const before = deliveries();
  expect(stage.git('rebase', '-q', 'main', 'work').code).toBe(0);
  expect(deliveredSince(before)).toEqual([
    ['one', sha('HEAD~1')],
    ['two', sha('HEAD')],
  ]);
});

it('an amended commit out of whose message somebody took the line is reported once', async () => {
  await twoCommits();
  const before = deliveries();
  expect(stage.git('-c', 'core.editor=sed -i /^Piton-Checkpoint:/d', 'commit', '-q', '--amend').code).toBe(0);
  expect(stage.git('log', '-1', '--format=%B').stdout).not.toContain('Piton-Checkpoint');
  expect(deliveredSince(before)).toEqual([['two', sha('HEAD')]]);
});

it('an amended commit that keeps the line is reported once, by one of the two hooks', async () => {
  await twoCommits();
  const before = deliveries();
  expect(stage.git('commit', '-q', '--amend', '--no-edit', '--date=2020-01-01T00:00:00Z').code).toBe(0);
  expect(deliveredSince(before)).toEqual([['two', sha('HEAD')]]);
});

it('commits that became one are reported together, and what was amended on the way is not reported twice', async () => {
  await twoCommits();
  const before = deliveries();
  expect(stage.git('-c', 'sequence.editor=sed -i 1s/^pick/edit/', 'rebase', '-qi', 'main').code).toBe(0);
  expect(stage.git('commit', '-q', '--amend', '--no-edit', '--date=2020-01-01T00:00:00Z').code).toBe(0);
  expect(stage.git('-c', 'core.editor=true', 'rebase', '--continue').code).toBe(0);
  expect(deliveredSince(before)).toEqual([
    ['one', sha('HEAD~1')],
    ['two', sha('HEAD')],
  ]);
  const later = deliveries();
  expect(stage.git('-c', 'sequence.editor=sed -i 2s/^pick/fixup/', 'rebase', '-qi', 'main').code).toBe(0);
  expect(deliveredSince(later)).toEqual([
    ['one', sha('HEAD')],
    ['two', sha('HEAD')],
  ]);
});
