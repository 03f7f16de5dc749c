import { closeSync, mkdirSync, mkdtempSync, openSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { repositoryOf } from '@piton/contracts/repository';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { namedPaths } from '../src/repositories/named-paths.ts';
import { reachedRepositories } from '../src/repositories/reached.ts';
import type { Watched } from '../src/repositories/watched.ts';

/** Repositories are folders with a `.git` here: that is all that is looked at. */
let home: string;
let roots: string[];
beforeEach(() => {
  home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-reached-')));
  roots = ['p/here', 'p/other', 'p/My Project', 'far'].map(repository);
  repository('p/stranger');
  mkdirSync(join(home, 'p', 'other', 'src'));
  mkdirSync(join(home, 'p', 'here', 'src'));
  writeFileSync(join(home, 'p', 'other', 'src', 'there.ts'), '');
  symlinkSync(join(home, 'far'), join(home, 'p', 'here', 'link'));
});
afterEach(() => rmSync(home, { recursive: true, force: true }));

function repository(path: string): string {
  mkdirSync(join(home, path, '.git'), { recursive: true });
  return join(home, path);
}

const reached = (input: unknown, cwd = 'p/here'): string[] => {
  const watched: Watched = { any: () => true, roots: () => roots, has: (root) => roots.includes(root) };
  const rootOf = (directory: string) => repositoryOf(directory)?.root ?? null;
  const from = { cwd: join(home, cwd), root: rootOf(join(home, cwd)), home };
  return reachedRepositories(input, from, watched)
    .map((root) => relative(home, root))
    .sort();
};
const OTHER = ['p/other'];

describe('the repositories that a command names', () => {
  it.each<[string, string[]]>([
    ['cd ../other && git checkout .', OTHER],
    ['git -C ../other reset --hard', OTHER],
    ['npm --prefix ../other install', OTHER],
    ['make -C../other', OTHER],
    ['git --git-dir=../other/.git --work-tree=../other checkout .', OTHER],
    ["sed -i 's/a/b/' ../other/src/x.ts", OTHER],
    ["sed -i 's/a/b/' ../other/src/there.ts", OTHER],
    ['echo x > ../other/new.txt', OTHER],
    ['cp a.txt ../other', OTHER],
    ['cd ~/p/other; git clean -fd', OTHER],
    ['cd $HOME/p/other; git clean -fd', OTHER],
    [`cd "$\{HOME}/p/other" && make`, OTHER],
    ['cd "$(git rev-parse --show-toplevel)/../other" && make', OTHER],
    ['rm -rf $PWD/../other/src', OTHER],
    ['D=../other; cd "$D"; make', OTHER],
    ['pushd ../other; make; popd', OTHER],
    [`sh -c 'cd ../other && git checkout .'`, OTHER],
    [`python3 -c "import os; os.chdir('../other'); os.remove('x')"`, OTHER],
    ['(cd ../other; git checkout .)', OTHER],
    ['cd src/../../other', OTHER],
    ['cat <<EOF | sh\ncd ../other\ngit checkout .\nEOF', OTHER],
    ['cd "../My Project" && git checkout .', ['p/My Project']],
    ['cd ../My\\ Project && git checkout .', ['p/My Project']],
    ['mv ../other/a ../../far/b', ['far', 'p/other']],
    ['cd ../other/src && rm -rf ../../../far/a', ['far', 'p/other']],
    ['cd ..; cd other; cd src; rm -rf ../../../far/a', ['far', 'p/My Project', 'p/other']],
    ['cd link && git checkout .', ['far']],
    ['git -C ../oth* checkout .', OTHER],
    ['sed -i s/a/b/ ../{other,stranger}/x', ['p/My Project', 'p/other']],
  ])('%s', (command, repositories) => expect(reached({ command })).toEqual(repositories));

  it.each<[string]>([
    ['cd ..; rm -rf other/src'],
    ["grep -rl x .. | xargs sed -i 's/x/y/'"],
    ['for d in ../*/; do (cd "$d" && git checkout .); done'],
    [`find .. -name '*.ts' -delete`],
  ])('%s, where the folder around them is named', (command) => expect(reached({ command })).toEqual(expect.arrayContaining(OTHER)));

  it.each([
    'npm test',
    'git checkout .',
    'cat src/index.ts | head -5',
    'ls /usr/bin /opt',
    'cd ../stranger && make',
    'cd src && rm -rf *.js',
    'echo other',
    'curl https://example.com/other',
    '',
    '"',
    "cd '../oth",
    '\0',
    'cd ../other\0',
  ])('%j names none', (command) => expect(reached({ command })).toEqual([]));

  it.each(['cd nested && git checkout .', 'rm -rf nested/src', 'git -C */ checkout .', 'find . -delete'])(
    '%s, inside of this one',
    (command) => {
      roots.push(repository('p/here/nested'));
      expect(reached({ command })).toEqual(['p/here/nested']);
    },
  );

  it('a folder of very many is not meant for each of them, a pattern is', () => {
    roots = Array.from({ length: 20 }, (_, number) => repository(`many/r${number}`));
    expect(reached({ command: 'ls ~/many' })).toEqual([]);
    expect(reached({ command: 'git -C ~/many/r* gc' })).toHaveLength(20);
    expect(reached({ command: 'git -C ~/many/r1? gc' })).toEqual(expect.arrayContaining(['many/r10', 'many/r19']));
    expect(reached({ command: 'git -C ~/many/r1? gc' })).not.toContain('many/r2');
    expect(reached({ command: 'git -C ~/many/x* gc' })).toEqual([]);
  });
});

it('a directory in a field of its own counts, and is where the command is read from', () => {
  expect(reached({ command: 'git checkout .', workdir: '../other' })).toEqual(OTHER);
  expect(reached({ command: 'git -C ../../../far checkout .', dir_path: join(home, 'p/other/src') })).toEqual(['far', 'p/other']);
  expect(reached({ args: [{ file: { path: join(home, 'p/other/a') } }] })).toEqual(OTHER);
});

it('a session in a folder of repositories, or in none, reaches those that it names', () => {
  expect(reached({ command: 'cd other && make' }, 'p')).toEqual(OTHER);
  expect(reached({ command: 'make -C p/other' }, '.')).toEqual(OTHER);
});

it.each([undefined, null, 7, [], {}, { command: 7 }, { command: ['cd'] }])('nothing is named by %j', (input) =>
  expect(reached(input)).toEqual([]),
);

it.each(['', '/p/here/'])('however many of its own files a command names, what it names elsewhere is seen: %j', (folder) => {
  const own = Array.from({ length: 400 }, (_, number) => `${folder && home + folder}src/${number}.ts`).join(' ');
  expect(reached({ command: `rm ${own} ../other/x.ts` })).toEqual(OTHER);
});

it('what is too long for a path is none, and is not looked at', () => {
  const from = { cwd: home, root: null, home, holdsOthers: true };
  for (const filler of ['[', '${', '../', 'x/'])
    expect(namedPaths({ command: `cd ../other ${filler.repeat(5000)}` }, from)).toEqual(namedPaths({ command: 'cd ../other' }, from));
});

it('a path is found among a great many texts, and beside large ones', () => {
  const large = Array.from({ length: 20 }, () => 'word '.repeat(10_000));
  expect(reached({ large, path: '../other/x.ts' })).toEqual(OTHER);
});

it('a text of any size is read, as far as that goes', () => {
  writeFileSync(join(home, 'p', 'here', 'a'), '');
  for (const filler of ['../stranger/x ', '"', "'", '\\', '$(', '((((', 'a=', '{', '../../'])
    expect(reached({ command: `cd ../other\n${filler.repeat(200_000)}` })).toEqual(expect.arrayContaining(OTHER));
});

it('nothing is looked at below a top folder in which nobody works', () => {
  const there = openSync(join(home, 'p', 'other'), 'r');
  expect(reached({ command: `cd /proc/self/fd/${there} && make` })).toEqual([]);
  closeSync(there);
});
