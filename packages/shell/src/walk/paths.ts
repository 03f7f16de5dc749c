import { posix } from 'node:path';
import { STAR, UNKNOWN } from './marks.ts';

/** A word as the path it means from a directory. Marks stay where they are. */
export function resolvePath(from: string, word: string): string {
  if (word.startsWith('/')) return posix.resolve('/', word);
  return from.startsWith(UNKNOWN) ? `${UNKNOWN}/${posix.normalize(word)}` : posix.resolve(from, word);
}

/** Fits a name to a pattern in which the marks stand for what the shell would fill in. Both are short. */
export function globFits(pattern: string, name: string): boolean {
  let [p, n, star, mark] = [0, 0, -1, 0];
  while (n < name.length) {
    const char = pattern[p];
    if (char === STAR) {
      star = p++;
      mark = n;
    } else if (char !== undefined && (char === name[n] || char === '\uE001')) {
      p++;
      n++;
    } else if (char === '\uE002') {
      const end = pattern.indexOf(']', p + 1);
      p = end < 0 ? p + 1 : end + 1;
      n++;
    } else if (star >= 0) {
      p = star + 1;
      n = ++mark;
    } else return false;
  }
  while (pattern[p] === STAR) p++;
  return p === pattern.length;
}
