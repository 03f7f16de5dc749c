import { STAR } from '@piton/shell';
import { type Finding, hasOption, operandsOf, type Rules } from '../rule.ts';

type GitRule = (args: readonly string[]) => Finding | undefined;

const VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace', '--exec-path', '--super-prefix', '--config-env']);
const SHARED_BRANCH = /^(?:main|master|trunk|develop|development|production|prod|staging|release(?:[/-].*)?)$/;
const KEEP = 'Keep the work first: `git stash push -u -m "before"` or a commit on a branch.';

/** Matches everything: `.`, `:/`, `*`, `./`. A lone `--` does not. */
const isEverything = (path: string): boolean =>
  /^(?:\.\/?|:\/|:\(top\).*|\/|\.\.\/?.*)$/.test(path) || path === STAR || path === '*' || path === `./${STAR}`;
const isShared = (name: string): boolean => SHARED_BRANCH.test(name.replace(/^\+?(?:.*:)?(?:refs\/heads\/)?/, ''));
const pathsOf = (args: readonly string[]): string[] => (args.includes('--') ? args.slice(args.indexOf('--') + 1) : operandsOf(args));
const abbreviates = (arg: string, long: string, least: number): boolean => arg.length >= least && long.startsWith(arg);

const discards = (how: string): Finding => ({ what: `${how} throws away all uncommitted work`, instead: KEEP });

const RULES: Readonly<Record<string, GitRule>> = {
  reset: (args) =>
    args.some((arg) => abbreviates(arg, '--hard', 4))
      ? {
          what: 'git reset --hard throws away all uncommitted work',
          instead: `${KEEP} To move a branch and keep changed files use \`git reset --keep\` or \`--soft\`.`,
        }
      : args.some((arg) => abbreviates(arg, '--merge', 4))
        ? { what: 'git reset --merge throws away what is staged', instead: KEEP }
        : undefined,
  clean: (args) => {
    if (!hasOption(args, 'f', '--force') || hasOption(args, 'n', '--dry-run')) return undefined;
    const paths = pathsOf(args);
    if (paths.length > 0 && !paths.some(isEverything)) return undefined;
    return {
      what: 'git clean deletes every untracked file, which nothing can bring back',
      instead: 'Look with `git clean -n`, then clean the one path that you mean: `git clean -fd -- build/`.',
    };
  },
  push: (args) => {
    const [, ...refs] = operandsOf(args);
    const forced =
      args.some((arg) => /^--f(?:o(?:r(?:c(?:e)?)?)?)?$/.test(arg) || /^-[a-zA-Z]*f/.test(arg)) || refs.some((ref) => ref.startsWith('+'));
    if (args.includes('--mirror'))
      return { what: 'git push --mirror deletes and overwrites branches of the remote', instead: 'Push the one branch that you mean.' };
    if (args.includes('--prune'))
      return { what: 'git push --prune deletes branches of the remote that are not here', instead: 'Push the one branch that you mean.' };
    if (forced)
      return { what: 'a forced push overwrites commits of others', instead: 'Use `git push --force-with-lease`, or push to a new branch.' };
    const deletes = hasOption(args, 'd', '--delete') ? refs : refs.filter((ref) => /^:./.test(ref));
    return deletes.some(isShared)
      ? { what: `it would delete the shared branch ${deletes.find(isShared)}`, instead: 'Ask the person who owns the repository.' }
      : undefined;
  },
  checkout: (args) => {
    if (hasOption(args, 'f', '--force')) return discards('git checkout --force');
    return pathsOf(args).some(isEverything)
      ? { what: 'it throws away the changes of all files', instead: `${KEEP} Or name the files: \`git checkout -- path/to/file\`.` }
      : undefined;
  },
  switch: (args) =>
    hasOption(args, 'f', '--force') || hasOption(args, '', '--discard-changes') ? discards('git switch --force') : undefined,
  restore: (args) => {
    const indexOnly = hasOption(args, 'S', '--staged') && !hasOption(args, 'W', '--worktree');
    return !indexOnly && pathsOf(args).some(isEverything)
      ? { what: 'it throws away the changes of all files', instead: `${KEEP} Or name the files: \`git restore path/to/file\`.` }
      : undefined;
  },
  branch: (args) => {
    const forced =
      hasOption(args, 'DMC') || ((hasOption(args, 'd', '--delete') || hasOption(args, 'm', '--move')) && hasOption(args, 'f', '--force'));
    const shared = operandsOf(args).find(isShared);
    const hit = shared !== undefined && (forced || (hasOption(args, 'f', '--force') && operandsOf(args).length > 0));
    return hit ? { what: `it would delete or overwrite the branch ${shared}`, instead: 'Work on a branch of your own.' } : undefined;
  },
  stash: ([verb]) =>
    verb === 'drop' || verb === 'clear'
      ? {
          what: `git stash ${verb} deletes work that was put aside`,
          instead: 'Leave it, or `git stash branch <name>` to keep it on a branch.',
        }
      : undefined,
  reflog: ([verb]) =>
    verb === 'expire' || verb === 'delete'
      ? { what: 'it deletes the way back to lost commits', instead: 'Leave the reflog alone: git cleans it up by itself.' }
      : undefined,
  gc: (args) =>
    args.some((arg) => /^--prune=(?:now|all)/.test(arg))
      ? { what: 'it deletes unreachable commits at once', instead: 'Run plain `git gc`.' }
      : undefined,
  prune: (args) =>
    args.some((arg) => arg.startsWith('--expire') && !arg.includes('never'))
      ? { what: 'it deletes unreachable commits at once', instead: 'Run plain `git gc`.' }
      : undefined,
  'filter-branch': () => ({ what: 'it rewrites the whole history', instead: 'Ask the person; then do it in a fresh clone.' }),
  'filter-repo': () => ({ what: 'it rewrites the whole history', instead: 'Ask the person; then do it in a fresh clone.' }),
  'update-ref': (args) =>
    hasOption(args, 'd', '--delete') && args.some((arg) => isShared(arg))
      ? { what: 'it would delete a shared branch', instead: 'Work on a branch of your own.' }
      : undefined,
  worktree: ([verb, ...args]) =>
    verb === 'remove' && hasOption(args, 'f', '--force')
      ? {
          what: 'it throws away uncommitted work in that worktree',
          instead: 'Remove it without --force, which refuses while there is work in it.',
        }
      : undefined,
  rm: (args) =>
    !hasOption(args, '', '--cached') && hasOption(args, 'r') && operandsOf(args).some(isEverything)
      ? { what: 'it would remove all tracked files', instead: 'Name the files.' }
      : undefined,
  'checkout-index': (args) =>
    hasOption(args, 'f', '--force') && hasOption(args, 'a', '--all') ? discards('git checkout-index -f -a') : undefined,
  'read-tree': (args) => (args.includes('--reset') && args.includes('-u') ? discards('git read-tree --reset -u') : undefined),
  submodule: ([verb, ...args]) =>
    verb === 'deinit' && hasOption(args, 'f', '--force')
      ? { what: 'it throws away uncommitted work in submodules', instead: 'Deinit without --force.' }
      : undefined,
};

export const GIT: Rules = {
  git: ({ args }) => {
    let at = 0;
    while (args[at]?.startsWith('-')) at += VALUED.has(args[at] ?? '') ? 2 : 1;
    const verb = args[at] ?? '';
    return Object.hasOwn(RULES, verb) ? RULES[verb]?.(args.slice(at + 1)) : undefined;
  },
};
