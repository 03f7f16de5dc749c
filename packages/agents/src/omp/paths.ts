/** Ways in which oh-my-pi takes a path and other programs do not. */
const STRAY_COLON = /^:(?=[/~]|\.\.?\/)/;
const AT_SIGN = /^@(?=\/|~\/|~$)/;
const UNICODE_SPACES = /[\u00a0\u2000-\u200a\u202f\u205f\u3000]/g;
const FILE_URL = /^file:\/\//i;
/** `xd://`, `local://`, `https://` and others: it is not a file, or not one of this machine. `local:/x` is one, too. */
const URL = /^[a-z][a-z0-9+.-]*:\/\/|^local:\/|^www\./i;

const RANGE = String.raw`(?:\d+(?:[-+]\d*)?|-\d+)`;
const PART = `(?:${RANGE}(?:,${RANGE})*|raw|conflicts|img)`;
/** `file.ts:10-20`, `file.ts:raw:10-20`: which lines of it are to be read. */
const SELECTOR = new RegExp(`^(.+?)((?::${PART}){1,2})$`, 'i');

/** The file that a path means, or undefined where it means none of this machine. */
export function fileIn(path: string): string | undefined {
  const said = path
    .trim()
    .replace(/^"(.+)"$/, '$1')
    .replace(STRAY_COLON, '')
    .replace(AT_SIGN, '')
    .replace(UNICODE_SPACES, ' ');
  if (FILE_URL.test(said)) return fileOfUrl(said);
  return said === '' || URL.test(said) ? undefined : said;
}

function fileOfUrl(url: string): string | undefined {
  try {
    return decodeURIComponent(new globalThis.URL(url).pathname);
  } catch {
    return undefined;
  }
}

/** The path and, behind it, what of the file is to be read. */
export function withoutSelector(path: string): { readonly path: string; readonly selector: string } {
  const [, file = path, selector = ''] = SELECTOR.exec(path) ?? [];
  return { path: file, selector };
}
