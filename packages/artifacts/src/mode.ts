import { readFrontMatter } from './front-matter.ts';

const FENCE = /^---[ \t]*\r?$/;
const MODE = /^(["']?)mode\1[ \t]*:/;

/**
 * The text of an ARTIFACT.md with the mode set or removed. Every other byte stays. Undefined if the front matter is written
 * so that changing one line is not enough.
 */
export function withMode(text: string, mode: 'shadow' | undefined): string | undefined {
  const lines = text.split('\n');
  const end = lines.findIndex((line, at) => at > 0 && FENCE.test(line));
  if (end === -1) return undefined;
  const at = lines.findIndex((line, number) => number < end && MODE.test(line));
  const written = mode === undefined ? [] : [`mode: ${mode}${lines[0]?.endsWith('\r') ? '\r' : ''}`];
  const changed = at === -1 ? lines.toSpliced(end, 0, ...written) : lines.toSpliced(at, 1, ...written);
  const result = changed.join('\n');
  return isSameBut(text, result, mode) ? result : undefined;
}

/** Verifies that the mode is the requested one, and nothing else has changed. */
function isSameBut(before: string, after: string, mode: string | undefined): boolean {
  const [old, now] = [readFrontMatter(before), readFrontMatter(after)];
  if (!old.ok || !now.ok) return false;
  const [{ mode: _, ...rest }, { mode: written, ...others }] = [old.matter.fields, now.matter.fields];
  return written === mode && JSON.stringify(others) === JSON.stringify(rest) && old.matter.body === now.matter.body;
}
