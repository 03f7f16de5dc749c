import { readdirSync } from 'node:fs';
import { posix } from 'node:path';
import { type Call, globFits, hasGlob, isUncertain, resolvePath, unmarked } from '@piton/shell';
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
