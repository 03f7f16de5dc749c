import { reinstallGitHooks, repositoriesMissingGitHooks } from '../install/watch-repository.ts';
import { plural } from '../output/text.ts';
import { type Check, problem } from './finding.ts';

/** The git hooks of repositories with checkpoints. */
export const repositoriesCheck: Check = async ({ context, places }) =>
  (await repositoriesMissingGitHooks(context, places)).map(({ root, missing, unreadable }) => {
    if (unreadable !== undefined)
      return problem('repository.hooks', {
        what: `the git hooks cannot be checked: ${unreadable}`,
        where: root,
        remedy: 'check the repository with `git fsck`',
      });
    return problem('repository.hooks', {
      what: `${plural(missing.length, 'git hook')} ${missing.length === 1 ? 'is' : 'are'} missing or changed: ${missing.join(', ')}`,
      where: root,
      remedy: 'run `piton init` there',
      fix: async () => `${plural(await reinstallGitHooks(context, places, root), 'git hook')} installed in ${root}`,
    });
  });
