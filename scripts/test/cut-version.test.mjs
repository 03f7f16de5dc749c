import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describeWhere } from '@piton/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { readChangesets, sectionOf, withSection } from '../changeset-files.mjs';
import { changesets } from '../changesets.mjs';
import { cutVersion, PUBLISHED } from '../cut-version.mjs';
import { lockProblems } from '../lockfile.mjs';
import { ROOT } from '../sources.mjs';

const read = (root, file) => JSON.parse(readFileSync(join(root, file), 'utf8'));
const change = (kind, text, name = '@piton/cli') => `---\n"${name}": ${kind}\n---\n\n${text}\n`;

function folderWith(files) {
  const root = mkdtempSync(join(tmpdir(), 'piton-version-'));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

it('every changeset of this clone is one', () => {
  expect(() => readChangesets(ROOT, PUBLISHED)).not.toThrow();
});

describe('a changeset', () => {
  it.each([
    ['no head', 'text\n', 'no head'],
    ['a package that nobody installs', change('minor', 'x', '@piton/store'), 'no published package'],
    ['a kind that is none', change('huge', 'x'), 'huge is none of'],
    ['another line in its head', '---\ntitle: x\n---\n\nx\n', 'line 2 is not'],
    ['no text', change('minor', ''), 'says nothing'],
  ])('with %s is refused', (_, text, said) => {
    expect(() => readChangesets(folderWith({ '.changeset/a.md': text }), PUBLISHED)).toThrow(said);
  });

  it('counts as its largest kind', () => {
    const text = '---\n"@piton/cli": patch\n"@piton/hooks": major\n---\n\nx\n';
    expect(readChangesets(folderWith({ '.changeset/a.md': text, '.changeset/README.md': 'x' }), PUBLISHED)).toMatchObject([
      { kind: 'major' },
    ]);
  });
});

it('a section begins with what breaks, and stands above the older ones', () => {
  const changes = [
    { kind: 'patch', text: 'Mended.' },
    { kind: 'major', text: 'Gone.\n\nUse another.' },
  ];
  const section = sectionOf('1.0.0', '2026-11-19', changes);
  expect(section).toBe('## 1.0.0 (2026-11-19)\n\n### Stops working as it did\n\n- Gone.\n\n  Use another.\n\n### Mended\n\n- Mended.\n');
  expect(withSection('# Changelog\n\nWords.\n\n## 0.1.0\n\n- Old.\n', section)).toBe(
    `# Changelog\n\nWords.\n\n${section}\n## 0.1.0\n\n- Old.\n`,
  );
});

const program = changesets();
describeWhere(program ? null : 'changesets is not here, run node scripts/changesets.mjs', 'the next version', () => {
  /** The manifests of this clone, as they are. */
  function cloneWith(files) {
    const root = folderWith({ 'CHANGELOG.md': '# Changelog\n\n## 0.1.0\n\n- Old.\n', ...files });
    const manifests = execFileSync('git', ['ls-files', '*package.json', 'package-lock.json', '.changeset/config.json'], {
      cwd: ROOT,
      encoding: 'utf8',
    });
    const paths = new Set([...manifests.split('\n').filter((path) => path && !path.includes('fixtures/')), '.changeset/config.json']);
    for (const path of paths) cpSync(join(ROOT, path), join(root, path));
    execFileSync('git', ['init', '--quiet', '--initial-branch=main'], { cwd: root });
    return root;
  }

  it('is that of all packages, of the lockfile and of the changelog, and its changesets are gone', () => {
    const root = cloneWith({
      '.changeset/one.md': change('minor', 'Something new.'),
      '.changeset/two.md': change('patch', 'Mended.', '@piton/hooks'),
    });
    const { version: before } = read(root, 'package.json');
    const version = cutVersion(root, '2026-12-01', program);
    const [major, minor] = before.split('.').map(Number);
    expect(version).toBe(`${major}.${minor + 1}.0`);
    const lock = read(root, 'package-lock.json');
    const ours = Object.entries(lock.packages).filter(([path]) => !path.includes('node_modules/'));
    expect(ours.length).toBeGreaterThan(15);
    expect(ours.map(([path, entry]) => [path, entry.version])).toEqual(ours.map(([path]) => [path, version]));
    for (const [path] of ours) {
      const manifest = read(root, join(path, 'package.json'));
      const ranges = Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }).filter(([name]) =>
        name.startsWith('@piton/'),
      );
      expect([path, manifest.version, ...ranges.map(([, range]) => range)]).toEqual([path, version, ...ranges.map(() => version)]);
    }
    expect(lockProblems(lock)).toEqual([]);
    expect(readFileSync(join(root, 'CHANGELOG.md'), 'utf8')).toBe(
      `# Changelog\n\n## ${version} (2026-12-01)\n\n### New\n\n- Something new.\n\n### Mended\n\n- Mended.\n\n## 0.1.0\n\n- Old.\n`,
    );
    expect(readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md'))).toEqual([]);
    expect(existsSync(join(root, 'apps/cli/CHANGELOG.md'))).toBe(false);
  });

  it('is none where nothing changed', () => {
    expect(() => cutVersion(cloneWith({}), '2026-12-01', program)).toThrow('nothing has changed');
  });
});
