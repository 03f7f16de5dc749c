import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';

export const ROOT = join(import.meta.dirname, '../..');

/** What may stand in a comment right before a block, and what it means for the block. */
export const MARKS = {
  'not run': 'why it is not run',
  given: 'what has happened by then, by its name in `stages.ts`',
  first: 'shell commands that a reader of the page has run by then',
  needs: 'a program without which it is skipped',
} as const;
type Mark = keyof typeof MARKS;

/** A fenced block of a page. */
export interface Block {
  readonly where: string;
  readonly language: string;
  readonly text: string;
  readonly marks: Readonly<Partial<Record<Mark, string>>>;
  /** Comments before it that are no marks, or say nothing. */
  readonly unclear: readonly string[];
}

export interface Page {
  readonly name: string;
  readonly text: string;
  readonly blocks: readonly Block[];
}

const FENCE = /((?:^[ ]*<!--(?:(?!-->)[\s\S])*-->\n)*)^[ ]*```([^\n]*)\n([\s\S]*?)^[ ]*```$/gm;
const COMMENT = /<!--((?:(?!-->)[\s\S])*)-->/g;
const isMark = (name: string): name is Mark => Object.hasOwn(MARKS, name);

/** A reason of less than two words is none. */
function readMarks(comments: string): Pick<Block, 'marks' | 'unclear'> {
  const marks: Partial<Record<Mark, string>> = {};
  const unclear: string[] = [];
  for (const [whole, inside = ''] of comments.matchAll(COMMENT)) {
    const [, name = '', value = ''] = /^ ([a-z ]+): ([\s\S]*\S) $/.exec(inside) ?? [];
    if (!isMark(name) || (name === 'not run' && !/\S\s+\S/.test(value))) unclear.push(whole);
    else marks[name] = value;
  }
  return { marks, unclear };
}

export function parsePage(name: string, text: string): Page {
  const blocks = [...text.matchAll(FENCE)].map((match) => {
    const [, comments = '', language = '', body = ''] = match;
    return { where: `${name}:${text.slice(0, match.index).split('\n').length}`, language, text: body, ...readMarks(comments) };
  });
  return { name, text, blocks };
}

const readPage = (path: string): Page => parsePage(relative(ROOT, path), readFileSync(path, 'utf8'));

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
