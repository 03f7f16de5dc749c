import { mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { DRIVERS, describeReal, type Workspace } from '@piton/testing';
import { expect, test } from 'vitest';
import { newTestStage, runWithPiton } from '../real-agents/setup.ts';

/** Ways to write a file below `locked`, each another file: what the folder has at the end was written past the guard. */
const SPELLINGS: Readonly<Record<string, (repo: string) => string>> = {
  absolute: (repo) => join(repo, 'locked/absolute.txt'),
  relative: () => 'locked/relative.txt',
  'up and down': (repo) => `${repo}/open/../locked/up-and-down.txt`,
  'two slashes': (repo) => `${repo}//locked/two-slashes.txt`,
  'through a link': (repo) => join(repo, 'way-in/through-a-link.txt'),
};

/** A policy on a folder by its absolute name, and a link in the repository that leads there. */
function stageWithPolicy(workspace: Workspace): void {
  const { repo, home, state } = workspace;
  for (const folder of ['locked', 'open']) mkdirSync(join(repo, folder));
  symlinkSync('locked', join(repo, 'way-in'));
  const command = `echo "$PITON_TOOL_FILES" >> ${join(state, 'asked')}; echo TOKEN_LOCKED >&2; exit 2`;
  const hooks = [{ name: 'locked', event: 'pre_file_edit', when: { file: `${repo}/locked/*` }, command, fail_closed: true }];
  workspace.write(join(home, '.config/piton/settings.json'), { hooks });
}

for (const driver of DRIVERS) {
  describeReal(driver.pinned.id, 'a guard on a folder', () => {
    test('holds however the model spells the path', async () => {
      const workspace = newTestStage(driver);
      stageWithPolicy(workspace);
      const { tools } = driver;
      // Some give up after a few calls in a row that fail: between two a file is written that nobody guards.
      const turns = Object.entries(SPELLINGS).flatMap(([name, spelled]) => [
        tools.write(spelled(workspace.repo), 'written\n'),
        tools.write(join(workspace.repo, 'open', name), 'written\n'),
      ]);
      const facts = await runWithPiton(driver, workspace, { script: [{ name: 'main', turns: [...turns, { text: 'Finished.' }] }] });
      expect(readdirSync(join(workspace.repo, 'locked'))).toEqual([]);
      expect(readdirSync(join(workspace.repo, 'open')).sort()).toEqual(Object.keys(SPELLINGS).sort());
      // An agent may refuse a spelling by itself. The absolute one none does.
      expect(facts.tokens).toHaveProperty('TOKEN_LOCKED');
    });
  });
}
