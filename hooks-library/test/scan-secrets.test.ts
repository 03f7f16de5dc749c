import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import commitGuard from '../scan-secrets-before-commit/guard.ts';
import writeGuard from '../scan-secrets-before-write/guard.ts';

const TOKEN = `ghp_${'0123456789abcdefghijABCDEFGHIJ012345'}`;
const KEY = ['-----BEGIN RSA PRIVATE KEY-----', 'MIIEowIBAAKCAQEAabcDEF0123456789', 'ghiJKL', '-----END RSA PRIVATE KEY-----'].join('\n');

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-secrets-')));
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

describe('before a write', () => {
  const write = (input: Record<string, unknown>) =>
    writeGuard({ cwd: root, tool_input: input, piton: { repo: root, tool: { kind: 'edit', files: ['app.ts'] } } });

  it('denies a token, names its line and kind, and does not repeat it', () => {
    const answer = write({ content: `one\nconst x = '${TOKEN}';\n` });
    expect(answer?.decision).toBe('deny');
    expect(answer?.reason).toMatch(/line 2 .*\(github\)/);
    expect(answer?.reason).not.toContain(TOKEN);
  });

  it.each([
    ['a private key', KEY],
    ['a machine-made password', `password = "a8f3k2l9x0q7w5e1r4t6"`],
    ['a token in an edit', undefined],
  ])('denies %s', (_, content) => {
    expect(write(content === undefined ? { old_string: 'x', new_string: TOKEN } : { content })?.decision).toBe('deny');
    expect(write({ edits: [{ old_string: 'x', new_string: content ?? TOKEN }] })?.decision).toBe('deny');
  });

  it.each([
    'const token = process.env.TOKEN;',
    "password: 'test1234'",
    'API_KEY=your-key-here',
    'AKIAIOSFODNN7EXAMPLE',
    `x = '${TOKEN}' # gitleaks:allow`,
    'postgres://postgres:postgres@localhost/test',
    'hello',
  ])('lets pass: %s', (content) => {
    expect(write({ content })).toBeUndefined();
  });

  it('lets pass what stood there before', () => {
    expect(write({ old_string: `a = '${TOKEN}'`, new_string: `b = '${TOKEN}'` })).toBeUndefined();
    writeFileSync(join(root, 'app.ts'), `a = '${TOKEN}'\n`);
    expect(write({ content: `a = '${TOKEN}'\nb = 1\n` })).toBeUndefined();
  });
});

describe('before a tool of an MCP server writes', () => {
  const mcp = (tool_name: string, tool_input: Record<string, unknown>) =>
    writeGuard({ cwd: root, tool_name, tool_input, piton: { repo: root, tool: { kind: 'mcp', files: [] } } });

  it('denies a secret for a file, whatever the field is called', () => {
    expect(mcp('mcp__files__write_file', { path: 'app.ts', content: TOKEN })?.reason).toMatch(/to app\.ts: line 1 .*\(github\)/);
    expect(mcp('mcp__files__edit_file', { path: 'app.ts', edits: [{ oldText: 'x', newText: TOKEN }] })?.decision).toBe('deny');
    expect(mcp('mcp__forge__createOrUpdateFile', { file_path: 'app.ts', text: KEY })?.decision).toBe('deny');
  });

  it('lets pass what is read, replaced, there already, or for no file', () => {
    expect(mcp('mcp__files__read_file', { path: 'app.ts', query: TOKEN })).toBeUndefined();
    expect(mcp('mcp__files__edit_file', { path: 'app.ts', edits: [{ oldText: TOKEN, newText: 'x' }] })).toBeUndefined();
    expect(mcp('mcp__vault__login', { token: TOKEN })).toBeUndefined();
    expect(mcp('mcp__mail__send', { to: 'sam@example.com', body: TOKEN })).toBeUndefined();
    expect(mcp('mcp__http__post', { uri: 'https://example.com/a', body: TOKEN })).toBeUndefined();
    writeFileSync(join(root, 'app.ts'), TOKEN);
    expect(mcp('mcp__files__write_file', { path: 'app.ts', content: `x ${TOKEN}` })).toBeUndefined();
  });
});

describe('before a commit', () => {
  const git = (...args: readonly string[]): void =>
    void execFileSync('git', ['-c', 'user.name=Sam', '-c', 'user.email=s@example.com', ...args], { cwd: root });
  const put = (name: string, text: string): void => writeFileSync(join(root, name), text);
  const commit = (command: string) =>
    commitGuard(
      { cwd: root, piton: { repo: root, tool: { kind: 'shell', command, files: [] } } },
      { signal: new AbortController().signal },
    );
  beforeEach(() => {
    git('init', '-q');
    put('app.ts', 'one\ntwo\n');
    git('add', '-A');
    git('commit', '-q', '-m', 'Begin');
  });

  it('denies a staged token, with file and line', async () => {
    put('app.ts', `one\ntwo\nconst x = '${TOKEN}';\n`);
    git('add', '-A');
    const answer = await commit('git commit -m "Add it"');
    expect(answer?.reason).toContain('app.ts:3 (github)');
    expect(answer?.reason).not.toContain(TOKEN);
  });

  it.each([
    'git commit -am x',
    'git add -A && git commit -m x',
    'git add app.ts; git commit -m x',
    `bash -c 'git commit --all -m x'`,
    'git commit -m x -- app.ts',
  ])('looks at what %j would stage', async (command) => {
    put('app.ts', `const x = '${TOKEN}';\n`);
    expect((await commit(command))?.reason).toContain('app.ts:1');
  });

  it('looks at files that git does not know yet', async () => {
    put('new.ts', `const x = '${TOKEN}';\n`);
    expect((await commit('git add . && git commit -m x'))?.reason).toContain('new.ts:1');
    expect(await commit('git commit -m x')).toBeUndefined();
  });

  it('looks where the commit is made', async () => {
    put('app.ts', `const x = '${TOKEN}';\n`);
    git('add', '-A');
    const elsewhere = (command: string) =>
      commitGuard(
        { cwd: tmpdir(), piton: { repo: null, tool: { kind: 'shell', command, files: [] } } },
        { signal: new AbortController().signal },
      );
    expect((await elsewhere(`git -C ${root} commit -m x`))?.decision).toBe('deny');
    expect((await elsewhere(`cd ${root} && git commit -m x`))?.decision).toBe('deny');
  });

  it('looks into files that git shows as binary', async () => {
    put('.gitattributes', '* -diff\n');
    put('app.ts', `const x = '${TOKEN}';\n`);
    git('add', '-A');
    expect((await commit('git commit -m x'))?.reason).toContain('app.ts:1');
  });

  it('looks into files with a NUL byte, staged or not', async () => {
    put('app.ts', `const x = '${TOKEN}';\0\n`);
    put('new.ts', `\0 const x = '${TOKEN}';\n`);
    expect((await commit('git commit -am x'))?.reason).toContain('app.ts:1');
    expect((await commit('git add . && git commit -m x'))?.reason).toContain('new.ts:1');
  });

  it('fails where there is more than it can read', { timeout: 120_000 }, async () => {
    put('large.txt', `${'some text that is no secret\n'.repeat(700_000)}${TOKEN}\n`);
    git('add', '-A');
    await expect(commit('git commit -m x')).rejects.toThrow(/too large/);
  });

  it.each([
    'git merge --continue',
    'git rebase --continue',
    'git cherry-pick --continue',
    'git revert --continue',
    'git am --continue',
    'git ci -m x',
    'git -c alias.z=commit z -m x',
  ])('counts %j as a commit', async (command) => {
    put('app.ts', `const x = '${TOKEN}';\n`);
    git('add', '-A');
    expect((await commit(command))?.reason).toContain('app.ts:1');
  });

  it('reads the message from where the commit does', async () => {
    put('message.txt', `Use ${TOKEN}\n`);
    expect((await commit('git commit -F message.txt'))?.reason).toContain('the commit message');
    expect((await commit('git commit --file=message.txt'))?.reason).toContain('the commit message');
    expect((await commit(`git commit -F - <<< "Use ${TOKEN}"`))?.reason).toContain('the commit message');
    expect((await commit(`git commit --message="Use ${TOKEN}"`))?.reason).toContain('the commit message');
  });

  it('lets pass what takes a secret out, other commands, and places without a repository', async () => {
    put('app.ts', `const x = '${TOKEN}';\n`);
    git('commit', '-qam', 'Oh');
    put('app.ts', 'const x = 1;\n');
    git('add', '-A');
    expect(await commit('git commit -m "Take it out"')).toBeUndefined();
    put('app.ts', `const y = '${TOKEN}';\n`);
    expect(await commit('git status')).toBeUndefined();
    expect(await commit('echo git commit -am x')).toBeUndefined();
    expect(await commit(`git -C ${root}/none commit -am x`)).toBeUndefined();
  });
});
