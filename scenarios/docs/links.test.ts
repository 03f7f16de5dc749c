import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PAGES, ROOT } from './pages.ts';

const withoutCode = (text: string): string => text.replace(/^```[\s\S]*?^```$/gm, '').replace(/`[^`\n]*`/g, '');

/** As GitHub names the headings of a page. */
function anchorsOf(text: string): Set<string> {
  const headings = [...text.replace(/^```[\s\S]*?^```$/gm, '').matchAll(/^#+ +(.+)$/gm)].map(([, title = '']) => title);
  const names = headings.map((title) =>
    title
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const explicit = [...text.matchAll(/<a (?:id|name)="([^"]+)"/g)].map(([, name = '']) => name);
  return new Set([...names, ...explicit]);
}

/** What leads nowhere, of the links that stay in the repository. */
function broken(page: string, text: string): string[] {
  const targets = [...withoutCode(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target = '']) => target);
  return targets
    .filter((target) => !/^[a-z]+:/.test(target))
    .filter((target) => {
      const [path = '', anchor] = target.split('#');
      const file = path === '' ? join(ROOT, page) : resolve(ROOT, dirname(page), path);
      if (!existsSync(file)) return true;
      return anchor !== undefined && statSync(file).isFile() && !anchorsOf(readFileSync(file, 'utf8')).has(anchor);
    });
}

describe('every link leads somewhere', () => {
  for (const { name, text } of PAGES) it(`in ${name}`, () => expect(broken(name, text)).toEqual([]));
});

it('the picture of the README is what a terminal showed', () => {
  const said = spawnSync(process.execPath, [join(ROOT, 'scripts/terminal-picture.mjs'), '--check'], { encoding: 'utf8' });
  expect(said).toMatchObject({ status: 0, stderr: '' });
});

it('every page of docs is named in docs/README.md, once', () => {
  const index = PAGES.find(({ name }) => name === 'docs/README.md')?.text ?? '';
  const named = [...index.matchAll(/^\| \[[^\]]*\]\(([\w-]+\.md)\)/gm)].map(([, path = '']) => path).sort();
  const pages = PAGES.filter(({ name }) => /^docs\/[\w-]+\.md$/.test(name) && name !== 'docs/README.md').map(({ name }) => name.slice(5));
  expect(named).toEqual(pages.sort());
});
