import type { TreeFile, Trustable } from '@piton/hooks';
import { changesOf, type FileChange } from './diff.ts';
import { contentOf, sha256Of } from './file-content.ts';
import { REFERENCE_WORDS } from './review.ts';

/** As long as what a terminal shows. */
const MAX_TEXT = 400_000;
const MAX_LINES = 2000;

/** The facts of a review for programs. Texts are cut like those on a terminal, unless `whole`. */
export function reviewJson(hook: Trustable, root: string, whole: boolean): Record<string, unknown> {
  let left = whole ? Number.POSITIVE_INFINITY : MAX_TEXT;
  const fileJson = (file: TreeFile): Record<string, unknown> => {
    const { path, executable, bytes } = file;
    const content = contentOf(file);
    const facts = { path, executable, size: bytes.length, sha256: sha256Of(bytes) };
    if (content.kind === 'binary') return { ...facts, kind: content.format };
    const shown = headOf(bytes, Math.max(0, left));
    left -= shown.length;
    const text = shown.toString('utf8');
    // What is no UTF-8 would lose bytes as a string.
    const same = Buffer.from(text).equals(shown);
    return { ...facts, kind: 'text', ...(same ? { text } : { base64: shown.toString('base64') }), notShown: bytes.length - shown.length };
  };
  return {
    id: hook.id,
    root,
    scope: hook.scope,
    event: hook.event,
    source: hook.source,
    hash: hook.hash,
    trusted: hook.trusted,
    may: hook.may,
    files: hook.now?.map(fileJson) ?? [],
    changes: hook.old && hook.now ? changesOf(hook.old, hook.now).map((change) => changeJson(change, whole)) : [],
    notPinned: hook.notPinned.map(({ name }) => name),
    references: hook.notPinned.map((reference) => ({ ...reference, means: REFERENCE_WORDS[reference.why] })),
    leftOut: hook.leftOut,
    problem: hook.problem ?? null,
  };
}

function changeJson(change: FileChange, whole: boolean): object {
  if (change.change !== 'edited') return change;
  const lines = whole ? change.lines : change.lines.slice(0, MAX_LINES);
  return { ...change, lines, notShown: change.lines.length - lines.length };
}

/** Not within a character of UTF-8. */
function headOf(bytes: Buffer, length: number): Buffer {
  if (bytes.length <= length) return bytes;
  let end = length;
  while (end > 0 && ((bytes[end] ?? 0) & 0xc0) === 0x80) end--;
  return bytes.subarray(0, end);
}
