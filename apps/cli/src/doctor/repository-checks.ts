import { reinstallGitHooks, repositoriesMissingGitHooks } from '../install/watch-repository.ts';
import { plural } from '../output/text.ts';
import { undecodableHere } from '../undecodable.ts';
import { type Check, type CheckInput, type Finding, note, problem } from './finding.ts';

/** The git hooks of repositories with checkpoints. */
export const repositoriesCheck: Check = async (input) => [...undecodableFindings(input), ...(await hookFindings(input))];

function undecodableFindings({ context }: CheckInput): Finding[] {
  const what = undecodableHere(context);
  return what === undefined
    ? []
    : [problem('repository.path', { what, where: context.cwd, remedy: 'rename the directory, then run `piton init` there' })];
}

const hookFindings = async ({ context, places }: CheckInput): Promise<Finding[]> =>
  (await repositoriesMissingGitHooks(context, places)).map(({ root, missing, refused, unreadable }) => {
    if (unreadable !== undefined)
      return problem('repository.hooks', {
        what: `the git hooks cannot be checked: ${unreadable}`,
        where: root,
        remedy: 'check the repository with `git fsck`',
      });
    if (refused !== undefined)
      return note('repository.no-hooks', {
        what: `no git hooks, so commits get no Piton-Checkpoint line and are linked by content only: ${refused}`,
        where: root,
        remedy: 'run `piton init --shared-hooks` there to add them to files that others share',
      });
    return problem('repository.hooks', {
      what: `${plural(missing.length, 'git hook')} ${missing.length === 1 ? 'is' : 'are'} missing or changed: ${missing.join(', ')}`,
      where: root,
      remedy: 'run `piton init` there',
      fix: async () => `${plural(await reinstallGitHooks(context, places, root), 'git hook')} installed in ${root}`,
    });
  });
