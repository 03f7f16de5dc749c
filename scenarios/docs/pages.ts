import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** A fenced `sh` block of a page. */
export interface Block {
  readonly line: number;
  readonly text: string;
  /** `<!-- not run: … -->` before it. */
  readonly notRun: string | undefined;
  /** `<!-- first: … -->` before it: what a reader of the page has by then. */
  readonly first: string | undefined;
}

export interface Page {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const FENCE = /((?:<!-- (?:not run|first): [\s\S]*? -->\n)*)^```sh\n([\s\S]*?)^```$/gm;

export function readPage(path: string): Page {
  const text = readFileSync(path, 'utf8');
  const blocks = [...text.matchAll(FENCE)].map(([whole, marks = '', body = ''], _, __) => ({
    line: text.slice(0, text.indexOf(whole)).split('\n').length,
    text: body,
    notRun: /<!-- not run: ([\s\S]*?) -->/.exec(marks)?.[1],
    first: /<!-- first: ([\s\S]*?) -->/.exec(marks)?.[1],
  }));
  return { name: relative(ROOT, path), text, blocks };
}

/** The front door, and every page behind it. */
export const PAGES: readonly Page[] = [
  ...['README.md', 'CONTRIBUTING.md', 'ARCHITECTURE.md'].map((name) => join(ROOT, name)),
  ...['docs', 'docs/adr', 'scenarios'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.md'))
      .sort()
      .map((name) => join(ROOT, folder, name)),
  ),
].map(readPage);
