import { withMode } from '@piton/artifacts';
import { ARTIFACT_FILE, type TreeFile, type Trustable } from '@piton/hooks';

/** Is the source what the trusted copy is, but for `mode`? Then whoever confirmed the mode has seen all that changed. */
export function differsOnlyInMode({ old, now }: Pick<Trustable, 'old' | 'now'>): boolean {
  if (old === null || now === null || old.length !== now.length) return false;
  return now.every((file) => {
    const before = old.find(({ path }) => path === file.path);
    return before !== undefined && before.executable === file.executable && (before.bytes.equals(file.bytes) || isSameBut(before, file));
  });
}

function isSameBut(before: TreeFile, after: TreeFile): boolean {
  const [a, b] = [before, after].map(({ bytes }) => bytes.toString('utf8'));
  if (a === undefined || b === undefined) return false;
  if (after.path === ARTIFACT_FILE) return withMode(a, undefined) !== undefined && withMode(a, undefined) === withMode(b, undefined);
  return after.path === 'definition.json' && withoutMode(a) === withoutMode(b);
}

/** The copy of a setting is JSON that we wrote. */
const withoutMode = (text: string): string => JSON.stringify(JSON.parse(text), (key, value) => (key === 'shadow' ? undefined : value));
