import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { actionsOf, type Call, globFits, hasGlob, isUncertain, resolvePath, rootsOf, unmarked } from '@piton/shell';
import { filesInCode } from './code.ts';

type Written = (args: readonly string[]) => readonly string[];

const operands: Written = (args) => args.filter((arg) => !arg.startsWith('-'));
const last: Written = (args) => operands(args).slice(-1);
const inPlace =
  (option: RegExp): Written =>
  (args) =>
    args.some((arg) => option.test(arg)) ? operands(args) : [];

/** The last one, or the directory behind `-t`. */
const into: Written = (args) => {
  const at = args.findIndex((arg) => /^(?:-t|--target-directory)$/.test(arg));
  const joined = args.find((arg) => arg.startsWith('--target-directory='));
  return at >= 0 ? args.slice(at + 1, at + 2) : joined !== undefined ? [joined.slice(joined.indexOf('=') + 1)] : last(args);
};
const after =
  (option: RegExp): Written =>
  (args) =>
    args.filter((_, at) => option.test(args[at - 1] ?? ''));

/** A checkout or restore of files writes what another commit has; without `--` a checkout may as well name a branch. */
const gitWrites: Written = (args) => {
  const [verb, ...rest] = args.slice(args.findIndex((arg, at) => !arg.startsWith('-') && !/^-[Cc]$/.test(args[at - 1] ?? '')));
  const named = rest.includes('--') ? rest.slice(rest.indexOf('--') + 1) : undefined;
  if (verb === 'rm' || verb === 'mv') return operands(rest);
  if (verb === 'checkout') return named ?? operands(rest).slice(1);
  const isIndexOnly = rest.some((arg) => /^(?:-S|--staged)$/.test(arg)) && !rest.some((arg) => /^(?:-W|--worktree)$/.test(arg));
  return verb === 'restore' && !isIndexOnly ? (named ?? operands(rest)) : [];
};

/** Whatever `find` names, if it removes or changes it: `find . -path ./.env -exec rm {} ;`. */
const found: Written = (args) => {
  const changes = args.includes('-delete') || actionsOf(args).some(([program = '']) => CHANGES_FOUND.test(program));
  if (!changes) return [];
  const roots = rootsOf(args);
  return args.flatMap((arg, at) => {
    const option = args[at - 1] ?? '';
    if (/^-i?(?:path|wholename)$/.test(option)) return [arg];
    return /^-i?name$/.test(option) ? roots.map((root) => posix.join(root, arg)) : [];
  });
};
const CHANGES_FOUND = /(?:^|\/)(?:rm|unlink|shred|srm|truncate|mv|chmod|chown|tee|sed|dd)$/;

/** Which of their arguments these programs write, move or remove. */
const WRITERS: Readonly<Record<string, Written>> = {
  rm: operands,
  unlink: operands,
  shred: operands,
  truncate: operands,
  mv: (args) => [...operands(args), ...into(args)],
  cp: into,
  install: into,
  ln: last,
  rsync: last,
  tee: operands,
  touch: operands,
  chmod: operands,
  chown: operands,
  ed: operands,
  ex: operands,
  patch: operands,
  sed: inPlace(/^(?:-[a-zA-Z]*i|--in-place)/),
  gsed: inPlace(/^(?:-[a-zA-Z]*i|--in-place)/),
  perl: inPlace(/^-[a-zA-Z0-9]*i/),
  ruby: (args) => [...inPlace(/^-[a-zA-Z]*i/)(args), ...filesInCode(args)],
  awk: inPlace(/^inplace$/),
  dd: (args) => args.filter((arg) => arg.startsWith('of=')).map((arg) => arg.slice(3)),
  curl: after(/^(?:-[a-zA-Z]*o|--output)$/),
  wget: after(/^(?:-[a-zA-Z]*O|--output-document)$/),
  openssl: after(/^-out$/),
  'ssh-keygen': (args) => (args.some((arg) => /^-[lyFe]$/.test(arg)) ? [] : after(/^-f$/)(args)),
  sponge: operands,
  yq: inPlace(/^(?:-[a-zA-Z]*i|--inplace)/),
  python: filesInCode,
  python3: filesInCode,
  node: filesInCode,
  bun: filesInCode,
  deno: filesInCode,
  git: gitWrites,
  find: found,
};

/** Absolute paths that a call would change. Globs are expanded. */
export function pathsWritten({ program, args, writes, cwd }: Call): string[] {
  const own = Object.hasOwn(WRITERS, program) ? (WRITERS[program]?.(args) ?? []) : [];
  return [...writes, ...own].flatMap((word) => expanded(resolvePath(cwd, word)));
}

const MAX_NAMES = 2000;

function expanded(path: string): string[] {
  const [directory, pattern] = [posix.dirname(path), posix.basename(path)];
  if (!hasGlob(pattern) || hasGlob(directory) || isUncertain(directory)) return [unmarked(path)];
  try {
    const names = readdirSync(directory).slice(0, MAX_NAMES);
    return names
      .filter((name) => globFits(pattern, name) && !(name.startsWith('.') && !pattern.startsWith('.')))
      .map((name) => posix.join(directory, name));
  } catch {
    return [unmarked(path)];
  }
}
