import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { isReadOnly } from '../src/index.ts';

const proved = (command: string): boolean => isReadOnly(command, { cwd: '/code/app', home: '/home/ann', repo: '/code/app' });

const READING = [
  'ls',
  'ls -la src | head -20',
  'git status',
  'git -C sub log --oneline -5 && git diff HEAD~1 -- a.txt',
  'git --no-pager show HEAD:a.txt',
  'git branch -a; git stash list; git worktree list; git remote -v',
  "rg -n 'TODO|FIXME' --glob '*.ts'",
  'grep -rn foo . 2>/dev/null | sort | uniq -c | sort -rn | wc -l',
  "sed -n '10,20p' a.txt",
  "find . -name '*.ts' -not -path './node_modules/*'",
  'cat a.txt; echo done; pwd',
  'printf "%s\\n" "$HOME"',
  'cd sub && ls',
  'for f in a b; do cat $f; done',
  'echo "$(git rev-parse HEAD)"',
  'LC_ALL=C ls',
  '/bin/ls; /usr/bin/git status',
  'timeout 5 ls; nice -n 5 git status; time ls',
  'test -f a.txt && cat a.txt || true',
];

const CHANGING = [
  'rm a.txt',
  'ls > out.txt',
  'cat a.txt >> b.txt',
  'ls && rm a.txt',
  'ls $(rm a.txt)',
  'git checkout . && git clean -fd',
  'git diff --output=x.patch',
  'git -c diff.external=./x diff',
  'git branch new',
  'git branch -D old',
  'git stash',
  'git config user.name Ann',
  'git tag v1',
  'git grep -O./x foo',
  "sed -i 's/a/b/' a.txt",
  "sed -n 'w out' a.txt",
  "sed -n '1p' -i a.txt",
  'find . -delete',
  'find . -exec rm {} +',
  'find . -fprint out',
  'fd -x rm',
  'sort -o a.txt a.txt',
  'sort -uo a.txt a.txt',
  'sort --output=a.txt b.txt',
  'uniq a.txt b.txt',
  'tree -o out',
  'rg --pre ./x foo',
  'rg $OPTIONS foo',
  'git $COMMAND',
  'xargs rm < list',
  'ls | xargs rm',
  './ls',
  'bin/git status',
  'PATH=.; ls',
  'PATH=.:$PATH ls',
  'export PATH=.; ls',
  'printf -v PATH .; ls',
  'printf $FORMAT .; ls',
  'GIT_EXTERNAL_DIFF=./x git diff',
  'env GIT_PAGER=./x git log',
  'ls() { rm a.txt; }; ls',
  "alias ls='rm a.txt'; ls",
  "bash -c 'rm a.txt'",
  'eval "rm a.txt"',
  'npm test',
  'node -e 0',
  'source env.sh',
  'awk \'{ print > "out" }\' a.txt',
  'tee out < a.txt',
  'echo hi | tee out',
  'touch a.txt',
  'cat <<EOF > a.txt\nx\nEOF',
  'if true; then rm a.txt; fi',
  '(ls; rm a.txt)',
  'ls & rm a.txt',
  '"r"m a.txt',
  '$(echo rm) a.txt',
  'truncated "',
  'time -o out ls',
  'strace -o out ls',
  'npx ls',
  'n"px" ls',
  'flock lock ls',
  'sudo ls',
  './timeout 5 ls',
  "env -S 'rm a.txt' ls",
];

test.each(READING)('%s is known to read', (command) => expect(proved(command)).toBe(true));
test.each(CHANGING)('%s is not', (command) => expect(proved(command)).toBe(false));

/** Every file with its bytes and its time. */
function everything(root: string, below = ''): Record<string, string> {
  const found: Record<string, string> = {};
  for (const { name } of readdirSync(join(root, below), { withFileTypes: true })) {
    const [path, stat] = [join(below, name), statSync(join(root, below, name))];
    if (stat.isDirectory()) Object.assign(found, name === '.git' ? {} : everything(root, path));
    else found[path] = `${stat.mtimeMs} ${readFileSync(join(root, path), 'latin1')}`;
  }
  return found;
}

test('what is known to read leaves every file as it was, when it is run', () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-read-only-')));
  onTestFinished(() => rmSync(root, { recursive: true, force: true }));
  mkdirSync(join(root, 'sub'));
  for (const name of ['a.txt', 'b.txt', 'sub/c.ts']) writeFileSync(join(root, name), 'TODO one\ntwo\n');
  const env = { PATH: process.env['PATH'], HOME: root, GIT_CONFIG_NOSYSTEM: '1' };
  const person = ['-c', 'user.name=A', '-c', 'user.email=a@e'];
  execFileSync('git', ['init', '-q'], { cwd: root, env });
  execFileSync('git', ['add', '-A'], { cwd: root, env });
  execFileSync('git', [...person, 'commit', '-qm', 'Begin'], { cwd: root, env });
  const before = everything(root);
  for (const command of READING)
    try {
      execFileSync('bash', ['-c', command], { cwd: root, env, stdio: 'ignore', timeout: 60_000 });
    } catch {
      // a program that is not installed here, or finds nothing
    }
  expect(everything(root)).toEqual(before);
});
