import { stripVTControlCharacters } from 'node:util';

const VERSION = /(?<![\w.])v?(\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?)(?:\+[0-9A-Za-z.-]+)?(?![\w.]*\d)/;

/** The version in a text such as `2.1.72 (Claude Code)` or `codex-cli 0.166.0`: its first three numbers, with what makes it a preview. */
export const parseVersion = (text: string): string | undefined => VERSION.exec(stripVTControlCharacters(text))?.[1]?.replace(/[.-]+$/, '');

/** Below zero if `a` is older. A preview is older than what it is a preview of. */
export function compareVersions(a: string, b: string): number {
  const [left, right] = [partsOf(a), partsOf(b)];
  for (const at of [0, 1, 2]) {
    const difference = (left.numbers[at] ?? 0) - (right.numbers[at] ?? 0);
    if (difference !== 0) return difference;
  }
  if (left.preview === right.preview) return 0;
  if (left.preview === '' || right.preview === '') return left.preview === '' ? 1 : -1;
  return left.preview.localeCompare(right.preview, 'en', { numeric: true });
}

function partsOf(version: string): { numbers: number[]; preview: string } {
  const [numbers = '', ...preview] = version.split('-');
  return { numbers: numbers.split('.').map(Number), preview: preview.join('-') };
}
