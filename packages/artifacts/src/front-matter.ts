import { type Document, isScalar, LineCounter, parseDocument, visit } from 'yaml';

/** The fields at the head of a Markdown file, with the line of each. */
export interface FrontMatter {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly body: string;
  /** Counted from 1. Without the field: the line of the front matter. */
  lineOf(field: string): number;
  /** The first line of the value: the line after the name for a block. */
  textLineOf(field: string): number;
}
export type FrontMatterResult =
  | { readonly ok: true; readonly matter: FrontMatter }
  | { readonly ok: false; readonly error: string; readonly line: number };

interface Placed {
  readonly type?: string;
  readonly range?: readonly [number, number, number];
}

const FENCE = /^---[ \t]*$/;
/** An agent waits while it is read, and a repository may contain anything. */
const LONGEST_HEAD = 64 * 1024;
const MAX_FIELDS = 256;

export function readFrontMatter(source: string): FrontMatterResult {
  const lines = source.replace(/^\uFEFF/, '').split(/\r?\n/);
  if (!FENCE.test(lines[0] ?? '')) return { ok: false, error: 'it does not start with a line of three dashes', line: 1 };
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end === -1) return { ok: false, error: 'its front matter is not closed by a second line of three dashes', line: 1 };
  const head = lines.slice(1, end).join('\n');
  if (head.length > LONGEST_HEAD) return { ok: false, error: 'its front matter is longer than 64 KB', line: 1 };
  const counter = new LineCounter();
  // No tags and no alias expansion: a small file from a repository must not become a huge value.
  const document = parseDocument(head, {
    lineCounter: counter,
    version: '1.2',
    schema: 'core',
    prettyErrors: false,
    uniqueKeys: false, // quadratic: a minute for a megabyte of names
  });
  const [problem] = document.errors;
  if (problem !== undefined) return { ok: false, error: problem.message, line: counter.linePos(problem.pos[0]).line + 1 };
  const duplicate = duplicateKey(document);
  if (duplicate !== undefined) return { ok: false, error: `${duplicate.name} is set twice`, line: counter.linePos(duplicate.at).line + 1 };
  const value = attempt(() => document.toJS({ maxAliasCount: 0 }) as unknown);
  if (!value.ok) return { ok: false, error: value.error, line: 2 };
  const fields = value.value ?? {};
  const place = (field: string): { line: number; block: boolean } => {
    const node = document.get(field, true) as Placed | undefined;
    return { line: node?.range ? counter.linePos(node.range[0]).line + 1 : 1, block: node?.type?.startsWith('BLOCK_') === true };
  };
  if (typeof fields !== 'object' || Array.isArray(fields)) return { ok: false, error: 'its front matter has no fields', line: 2 };
  if (Object.keys(fields).length > MAX_FIELDS) return { ok: false, error: `its front matter has more than ${MAX_FIELDS} fields`, line: 2 };
  return {
    ok: true,
    matter: {
      fields: fields as Record<string, unknown>,
      body: lines.slice(end + 1).join('\n'),
      lineOf: (field) => place(field).line,
      textLineOf: (field) => place(field).line + (place(field).block ? 1 : 0),
    },
  };
}

function duplicateKey(document: Document): { name: string; at: number } | undefined {
  let found: { name: string; at: number } | undefined;
  visit(document, {
    Map(_, { items }) {
      const names = new Set<unknown>();
      for (const { key } of items) {
        const name = isScalar(key) ? key.value : key;
        if (names.has(name)) found = { name: String(name), at: (key as Placed).range?.[0] ?? 0 };
        if (found !== undefined) return visit.BREAK;
        names.add(name);
      }
      return undefined;
    },
  });
  return found;
}

function attempt<T>(read: () => T): { ok: true; value: T } | { ok: false; error: string } {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    return { ok: false, error: (error as Error).message };
  }
}
