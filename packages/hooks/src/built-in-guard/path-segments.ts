/** What nobody can tell: the value of an unknown variable, the output of a program. It fits no name. */
export const UNKNOWN = '\u0001';

/** A path taken apart, `.` and `..` resolved. */
export interface Segments {
  readonly names: readonly string[];
  /** Compared without case: some file systems do not tell it. */
  readonly folded: readonly string[];
  /** It holds `*`, `?` or `[`, which the shell fills in. */
  readonly glob: boolean;
}

/** `cwd` is null where nobody can tell it. */
export function segmentsOf(path: string, cwd: string | null, glob = false): Segments {
  const plain = withoutProcess(path.startsWith('file://') ? path.slice(7) : path);
  if (plain.startsWith('/')) return follow(plain, [], [], glob);
  const from = startOf(cwd ?? UNKNOWN);
  // Where the shell filled in the directory itself, nobody has looked which it is.
  return follow(plain, from.names.slice(), from.folded.slice(), glob || from.glob);
}

/** `/proc/self/cwd/x` is `x`, and `/proc/self/root/x` is `/x`: for a program that is yet to be started, and not for this one. */
const withoutProcess = (path: string): string =>
  path.startsWith('/proc/')
    ? path.replace(/^\/proc\/(?:self|thread-self|\d+)(?:\/task\/\d+)?\/(?:cwd(?:\/+|$)|root(?=\/|$))/, '') || '.'
    : path;

/** Every word of a command starts from the same place, and most commands do. */
let lastStart: { readonly at: string; readonly segments: Segments } | undefined;
function startOf(at: string): Segments {
  if (lastStart?.at !== at) lastStart = { at, segments: follow(at, [], [], /[*?[]/.test(at)) };
  return lastStart.segments;
}

function follow(path: string, names: string[], folded: string[], glob: boolean): Segments {
  const isPlain = ASCII.test(path);
  for (const name of path.split('/')) {
    if (name === '..') {
      names.pop();
      folded.pop();
    } else if (name !== '' && name !== '.') {
      names.push(name);
      folded.push(isPlain ? name.toLowerCase() : name.normalize('NFC').toLowerCase());
    }
  }
  return { names, folded, glob };
}

const ASCII = /^[\0-\x7f]*$/;

/** Could the segment of a path be this name? */
export function fits(segment: string, name: string, glob: boolean): boolean {
  if (!glob || !/[*?[]/.test(segment)) return segment === name;
  // `*` does not reach hidden files.
  return (!name.startsWith('.') || segment.startsWith('.')) && globFits(segment, name);
}

/** `[…]` counts as any one character. At most the length of one times that of the other. */
function globFits(pattern: string, name: string): boolean {
  const tokens = pattern.match(/\*+|\[[^\]]*\]|[\s\S]/g) ?? [];
  let at = 0;
  let token = 0;
  let star = -1;
  let tried = 0;
  while (at < name.length) {
    const here = tokens[token];
    if (here?.startsWith('*')) {
      star = token++;
      tried = at;
    } else if (here !== undefined && (here === '?' || here.length > 1 || here === name[at])) {
      token++;
      at++;
    } else if (star >= 0) {
      token = star + 1;
      at = ++tried;
    } else return false;
  }
  return tokens.slice(token).every((rest) => rest.startsWith('*'));
}
