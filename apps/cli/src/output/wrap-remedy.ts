import { fitProse } from './fit.ts';

/** Prose that may have commands in it, in lines of a terminal. `used` are the columns before the first line. */
export function wrapRemedy(text: string, { width, used, indent }: { width: number; used: number; indent: string }): string {
  const room = width - Math.max(used, indent.length);
  return text
    .split('\n')
    .flatMap((line) => fitProse(line, room))
    .join(`\n${indent}`);
}
