import { type Grounds, textOf, type Words } from '../named-place.ts';
import { segmentsOf } from '../path-segments.ts';
import { operandsOf } from './words.ts';

/** `ln -s there here`: from now on what lies below `here` lies there. The disk does not know it yet. */
export function withLink(grounds: Grounds, words: Words, cwd: string | null): Grounds {
  const [target, link = textOf(operandsOf(words)[0]).replace(/^.*\//, '')] = operandsOf(words).map(textOf);
  if (target === undefined || cwd === null) return grounds;
  const [from, to] = [link, target].map((text) => `/${segmentsOf(text, cwd).names.join('/')}`) as [string, string];
  const followed = (path: string): string =>
    grounds.followed(path === from || path.startsWith(`${from}/`) ? to + path.slice(from.length) : path);
  return {
    ...grounds,
    followed,
    claimOf(path, here) {
      const plain = `/${path.names.join('/')}`;
      const real = followed(plain);
      return (
        grounds.claimOf(path, here) ??
        (real === plain ? undefined : grounds.claimOf(segmentsOf(real, '/', path.glob || /[*?[]/.test(to)), here))
      );
    },
  };
}
