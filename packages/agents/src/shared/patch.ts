/** What a patch does to one file. */
export type PatchSection =
  | { readonly does: 'add'; readonly path: string; readonly content: string }
  | { readonly does: 'delete'; readonly path: string }
  | { readonly does: 'update'; readonly path: string; readonly movedTo?: string; readonly chunks: readonly PatchChunk[] };

/** Old and new text, the lines around the change in both. */
export interface PatchChunk {
  readonly before: string;
  readonly after: string;
}

const BEGIN = '*** Begin Patch';
const END = '*** End Patch';
const HEADER = /^\*\*\* (Add|Delete|Update) File: (.*)$/;
const MOVE = '*** Move to: ';

/**
 * Reads a patch in the grammar of `apply_patch`, wherever it begins in the text (it may stand in a here-document).
 * A guard looks at what comes out, so it reads as the agents do: a header may be indented, except inside an update, where
 * an indented line is a line of the file. What makes no sense is passed over in search of the next header.
 */
export function parsePatch(text: string): readonly PatchSection[] {
  const lines = text.split(/\r?\n/);
  const begin = lines.findIndex((line) => line.trim() === BEGIN);
  if (begin === -1) return [];
  const sections: PatchSection[] = [];
  let at = begin + 1;
  while (at < lines.length && lines[at]?.trim() !== END) {
    const [, verb, path] = HEADER.exec(lines[at]?.trim() ?? '') ?? [];
    at++;
    if (path === undefined) continue;
    if (verb === 'Delete') sections.push({ does: 'delete', path });
    else {
      const read = verb === 'Add' ? readAdded(lines, at, path) : readUpdate(lines, at, path);
      sections.push(read.section);
      at = read.next;
    }
  }
  return sections;
}

interface Read {
  readonly section: PatchSection;
  readonly next: number;
}

function readAdded(lines: readonly string[], start: number, path: string): Read {
  let next = start;
  while (lines[next]?.startsWith('+')) next++;
  const content = lines.slice(start, next).map((line) => `${line.slice(1)}\n`);
  return { section: { does: 'add', path, content: content.join('') }, next };
}

function readUpdate(lines: readonly string[], start: number, path: string): Read {
  const move = lines[start]?.startsWith(MOVE) ? lines[start]?.slice(MOVE.length).trimEnd() : undefined;
  let next = move === undefined ? start : start + 1;
  const body: string[] = [];
  for (; next < lines.length; next++) {
    const line = lines[next] ?? '';
    if (line.startsWith('***') && !line.startsWith('*** End of File')) break;
    body.push(line);
  }
  return { section: { does: 'update', path, ...(move !== undefined && { movedTo: move }), chunks: chunksOf(body) }, next };
}

function chunksOf(body: readonly string[]): PatchChunk[] {
  const chunks: { before: string[]; after: string[] }[] = [];
  for (const line of body) {
    if (line.startsWith('***')) continue;
    if (line.startsWith('@@') || chunks.length === 0) chunks.push({ before: [], after: [] });
    const chunk = chunks.at(-1);
    if (line.startsWith('@@') || chunk === undefined) continue;
    if (!line.startsWith('+')) chunk.before.push(line.slice(1));
    if (!line.startsWith('-')) chunk.after.push(line.slice(1));
  }
  return chunks
    .filter(({ before, after }) => before.length + after.length > 0)
    .map(({ before, after }) => ({ before: before.join('\n'), after: after.join('\n') }));
}
