import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { type Call, globFits, hasGlob, isUncertain, resolvePath, unmarked } from '@piton/shell';

type Written = (args: readonly string[]) => readonly string[];

const operands: Written = (args) => args.filter((arg) => !arg.startsWith('-'));
const last: Written = (args) => operands(args).slice(-1);
const inPlace =
  (option: RegExp): Written =>
  (args) =>
    args.some((arg) => option.test(arg)) ? operands(args) : [];

/** Which of their arguments these programs write, move or remove. */
const WRITERS: Readonly<Record<string, Written>> = {
  rm: operands,
  unlink: operands,
  shred: operands,
  truncate: operands,
  mv: operands,
  cp: last,
  install: last,
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
  ruby: inPlace(/^-[a-zA-Z]*i/),
  awk: inPlace(/^inplace$/),
  dd: (args) => args.filter((arg) => arg.startsWith('of=')).map((arg) => arg.slice(3)),
  curl: (args) => args.filter((_, at) => /^(?:-o|--output)$/.test(args[at - 1] ?? '')),
  wget: (args) => args.filter((_, at) => /^(?:-O|--output-document)$/.test(args[at - 1] ?? '')),
  git: (args) => (args.includes('rm') || args.includes('mv') ? operands(args) : []),
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
