// A page with a part that a script writes, between two comments.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

/** The page with the text between its two comments replaced. */
export function withBlock(path, name, text) {
  const page = readFileSync(join(ROOT, path), 'utf8');
  const [begin, end] = [`<!-- generated: ${name} -->`, `<!-- end: ${name} -->`];
  const [from, to] = [page.indexOf(begin), page.indexOf(end)];
  if (from < 0 || to < from) throw new Error(`${path} has no place for ${name}: ${begin} … ${end}`);
  return { path, text: `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}` };
}
