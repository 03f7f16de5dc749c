import { isUncertain } from '../walk/marks.ts';
import type { Call } from '../walk/state.ts';

/** No option or operand of these names a file to write or a program to start. */
const READING: ReadonlySet<string> = new Set(
  [
    ': true false test [ [[ echo pwd cd pushd popd exit return wait jobs sleep seq expr',
    'ls cat head tail wc stat du df which type command basename dirname realpath readlink',
    'cut tr nl tac rev fold fmt column comm join paste diff cmp cksum md5sum sha1sum sha256sum sha512sum strings od hexdump',
    'grep egrep fgrep jq whoami id uname date uptime nproc free ps pgrep printenv env',
  ]
    .join(' ')
    .split(' '),
);

type Proof = (args: readonly string[]) => boolean;

const none =
  (refused: RegExp): Proof =>
  (args) =>
    !args.some((arg) => refused.test(arg) || isUncertain(arg));

const operandsOf = (args: readonly string[]): readonly string[] => args.filter((arg) => !arg.startsWith('-'));

/** Of these, all but some of what they can be asked for. */
const MOSTLY: Readonly<Record<string, Proof>> = {
  // With -v it sets a variable, such as PATH.
  printf: ([first = '-v']) => !first.startsWith('-v') && !isUncertain(first),
  rg: none(/^--(?:pre|hostname-bin)/),
  file: none(/^(?:-\w*C|--compile)/),
  find: none(/^-(?:exec|ok|delete|fprint|fls)/),
  fd: none(/^(?:-[a-zA-Z]*[xX]|--exec)/),
  tree: none(/^(?:-\w*[oR]|--output)/),
  sort: none(/^(?:-\w*[oT]|--(?:o|c|t))/),
  // Its second operand is what it writes.
  uniq: (args) => operandsOf(args).length <= 1 && !args.some(isUncertain),
  yq: none(/^(?:-\w*[is]|--(?:inplace|split))/),
  // Lines of a file, and nothing that a script could do besides.
  sed: ([option, script, ...files]) =>
    option === '-n' &&
    /^(?:\d+|\$)(?:,(?:\d+|\$))?p$/.test(script ?? '') &&
    !files.some((file) => file.startsWith('-') || isUncertain(file)),
};

export function isReadingProgram({ program, args }: Pick<Call, 'program' | 'args'>): boolean {
  if (READING.has(program)) return true;
  return Object.hasOwn(MOSTLY, program) && MOSTLY[program]?.(args) === true;
}
