import { overviewText, structureOf, tokensOf } from '@piton/context';
import { describe, expect, it } from 'vitest';

const PATHS = ['package.json', 'src/main.ts', 'src/a.ts', 'src/b.py', 'docs/x.md', 'README.md', 'test/a.test.ts'];
const packageJson = '{ "scripts": { "build": "tsc", "test": "vitest", "start": "node .", "test:unit": "x" } }';
const NOTHING = { place: '/r', sessions: [], commits: [], learnt: [], image: null };
const OPTIONS = { agent: 'codex', ref: 'r', branch: 'main', command: 'piton', nowUs: 0 };

describe('the structure of a repository', () => {
  it('is its folders with counts and languages, entry points and commands', () =>
    expect(structureOf(PATHS, { packageJson })).toEqual([
      '7 files; TypeScript, Python',
      '"src/": 3 files, TypeScript, Python',
      '"docs/": 1 files',
      '"test/": 1 files, TypeScript',
      'Entry points: "src/main.ts"',
      'Commands: "npm run build", "npm test", "npm run test:unit"',
    ]));

  it('is said by `full`, and never by `short`', () => {
    const structure = structureOf(PATHS, { packageJson });
    expect(overviewText(NOTHING, 'full', { ...OPTIONS, structure })).toContain('Entry points: "src/main.ts"');
    expect(overviewText(NOTHING, 'short', { ...OPTIONS, structure })).toBeUndefined();
  });

  it('stays within 1,000 tokens, whatever folders are called', () => {
    const paths = Array.from({ length: 5000 }, (_, n) => `${'ordner-ü'.repeat(9)}${n % 50}/main.ts`);
    const text = overviewText(NOTHING, 'full', { ...OPTIONS, structure: structureOf(paths, {}) }) ?? '';
    expect(tokensOf(text)).toBeLessThanOrEqual(1000);
    expect(text).toContain('5000 files');
  });
});
