import { type Call, isUncertain, resolvePath, unmarked } from '@piton/shell';

export interface Commit {
  readonly directory: string;
  /** Changes that are not staged yet when this hook runs: `commit -a`, or a `git add` in the same command line. */
  readonly unstaged: boolean;
  readonly message: string;
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

/** Every commit that a command line would make. */
export function commitsIn(calls: readonly Call[]): Commit[] {
  const git = calls.flatMap((call) => gitCall(call) ?? []);
  const adds = git.some(({ verb }) => verb === 'add' || verb === 'stage');
  return git
    .filter(({ verb, directory }) => verb === 'commit' && !isUncertain(directory))
    .map(({ directory, args }) => ({
      directory,
      unstaged: adds || args.some((arg) => arg === '--all' || /^-[b-zA-Z]*a/.test(arg)) || args.includes('--') || args.includes('--only'),
      message: args.filter((_, at) => /^(?:-[a-zA-Z]*m|--message)$/.test(args[at - 1] ?? '')).join('\n'),
    }));
}
