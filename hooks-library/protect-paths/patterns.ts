export interface Pattern {
  readonly text: string;
  readonly effect: 'deny' | 'ask' | 'allow';
  fits(path: string): boolean;
}

/** One pattern per line, as in a .gitignore: `!` makes an exception, `?` asks instead of denying. */
export function readPatterns(text: string): Pattern[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => {
      const effect = line.startsWith('!') ? 'allow' : line.startsWith('?') ? 'ask' : 'deny';
      const body = effect === 'deny' ? line : line.slice(1);
      return { text: body, effect, fits: matcherOf(body) };
    });
}

/** The last matching pattern decides. */
export function effectOn(path: string, patterns: readonly Pattern[]): Pattern | undefined {
  const found = patterns.findLast((pattern) => pattern.fits(path));
  return found?.effect === 'allow' ? undefined : found;
}

/**
 * Without a slash inside, a pattern matches a name at any depth. One that matches a directory matches everything below it. Case
 * is ignored, as some file systems do.
 */
function matcherOf(pattern: string): (path: string) => boolean {
  const anchored = pattern.replace(/\/$/, '').includes('/');
  const wanted = pattern
    .toLowerCase()
    .split('/')
    .filter((name) => name !== '');
  return (path) => {
    const names = path
      .toLowerCase()
      .split('/')
      .filter((name) => name !== '');
    const starts = anchored && !pattern.startsWith('**/') ? [0] : names.map((_, at) => at);
    return starts.some((start) => beginsWith(names.slice(start), wanted));
  };
}

function beginsWith(names: readonly string[], wanted: readonly string[]): boolean {
  const [first, ...rest] = wanted;
  if (first === undefined) return true;
  if (first === '**') return names.some((_, at) => beginsWith(names.slice(at), rest));
  const [name, ...others] = names;
  return name !== undefined && nameFits(first, name) && beginsWith(others, rest);
}

/** Matches `*` and `?`, in time proportional to the product of both lengths at most. */
function nameFits(pattern: string, name: string): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0];
  while (n < name.length) {
    if (pattern[p] === '*') {
      star = p++;
      mark = n;
    } else if (p < pattern.length && (pattern[p] === name[n] || pattern[p] === '?')) {
      p++;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (pattern[p] === '*') p++;
  return p === pattern.length;
}
