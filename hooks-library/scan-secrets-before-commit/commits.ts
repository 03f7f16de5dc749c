import { type Call, isUncertain, resolvePath, unmarked } from '@piton/shell';

export interface Commit {
  readonly directory: string;
  /** Changes that are not staged yet when this hook runs: `commit -a`, or a `git add` in the same command line. */
  readonly unstaged: boolean;
  readonly message: string;
  /** Files that the message is read from. */
  readonly messageFiles: readonly string[];
}

const VALUED = new Set(['-C', '-c', '--git-dir', '--work-tree', '--namespace']);

interface GitCall {
  readonly directory: string;
  readonly verb: string;
  readonly args: readonly string[];
}

function gitCall({ program, args, cwd }: Call): GitCall | undefined {
  if (program !== 'git') return undefined;
  let directory = cwd;
  let at = 0;
  for (; args[at]?.startsWith('-'); at += VALUED.has(args[at] ?? '') ? 2 : 1)
    if (args[at] === '-C') directory = resolvePath(directory, unmarked(args[at + 1] ?? '.'));
  return { directory, verb: args[at] ?? '', args: args.slice(at + 1).map(unmarked) };
}

/** These go on with a commit that was stopped. */
const CONTINUES = new Set(['merge', 'rebase', 'cherry-pick', 'revert', 'am']);

/** Git's own commands that are no commit. Any other word is an alias, or a program of somebody's: it may be one. */
const OTHERS = new Set(
  `add am annotate apply archive bisect blame branch bugreport bundle cat-file check-attr check-ignore checkout cherry cherry-pick clean
  clone config count-objects credential describe diff diff-files diff-index diff-tree difftool fast-export fast-import fetch filter-branch
  for-each-ref format-patch fsck gc grep gui hash-object help index-pack init interpret-trailers lfs log ls-files ls-remote ls-tree
  maintenance merge merge-base merge-file mergetool mktree mv name-rev notes pack-refs prune pull push range-diff read-tree rebase reflog
  remote repack replace rerere reset restore rev-list rev-parse revert rm send-email shortlog show show-branch show-ref sparse-checkout stage
  stash status submodule switch symbolic-ref tag update-index update-ref var verify-commit verify-tag version whatchanged worktree write-tree`.split(
    /\s+/,
  ),
);

const isCommit = ({ verb, args }: GitCall): boolean =>
  verb === 'commit' || (CONTINUES.has(verb) && args.includes('--continue')) || (verb !== '' && !OTHERS.has(verb) && !isUncertain(verb));

/** The values of an option, behind it or behind `=`. */
const valuesOf = (args: readonly string[], short: string, long: string): string[] =>
  args.flatMap((arg, at) => {
    const before = args[at - 1] ?? '';
    if (before === long || new RegExp(`^-[a-zA-Z]*${short}$`).test(before)) return [arg];
    return arg.startsWith(`${long}=`) ? [arg.slice(long.length + 1)] : [];
  });

/** Every commit that a command line would make. */
export function commitsIn(calls: readonly Call[]): Commit[] {
  const git = calls.flatMap((call) => {
    const found = gitCall(call);
    return found === undefined ? [] : [{ ...found, stdin: call.stdin ?? '' }];
  });
  const adds = git.some(({ verb }) => verb === 'add' || verb === 'stage');
  return git
    .filter((call) => isCommit(call) && !isUncertain(call.directory))
    .map(({ directory, args, stdin }) => {
      const files = valuesOf(args, 'F', '--file');
      return {
        directory,
        unstaged: adds || args.some((arg) => arg === '--all' || /^-[b-zA-Z]*a/.test(arg)) || args.includes('--') || args.includes('--only'),
        message: [...valuesOf(args, 'm', '--message'), ...(files.includes('-') ? [stdin] : [])].join('\n'),
        messageFiles: files.filter((file) => file !== '-' && !isUncertain(file)).map((file) => resolvePath(directory, file)),
      };
    });
}
