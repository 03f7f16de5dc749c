import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import guard from '../protect-paths/guard.ts';
import { effectOn, readPatterns } from '../protect-paths/patterns.ts';

let root: string;
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-paths-')));
  writeFileSync(join(root, '.env'), 'A=1\n');
});
afterEach(() => rmSync(root, { recursive: true, force: true }));

const shell = (command: string): string | undefined =>
  guard({ cwd: root, piton: { repo: root, tool: { kind: 'shell', command, files: [] } } })?.decision;
const edit = (file: string): string | undefined =>
  guard({ cwd: root, piton: { repo: root, tool: { kind: 'edit', files: [file] } } })?.decision;

describe('edit tools', () => {
  it.each([
    '.env',
    './.env',
    'packages/a/.env.local',
    'certs/server.pem',
    'keys/ID_RSA',
    '.git/config',
    '.git/hooks/pre-commit',
    '/home/sam/.ssh/config',
    'sub/../.env',
  ])('do not write %s', (file) => {
    expect(edit(file)).toBe('deny');
  });

  it.each(['package-lock.json', '.github/workflows/ci.yml', 'crates/a/Cargo.lock'])('ask before %s', (file) => {
    expect(edit(file)).toBe('ask');
  });

  it.each(['.env.example', '.gitignore', '.github/CODEOWNERS', 'environment.ts', 'src/x', 'keys.ts', 'id_rsa.pub', 'package.json'])(
    'may write %s',
    (file) => {
      expect(edit(file)).toBeUndefined();
    },
  );

  it('are seen through links', () => {
    symlinkSync('.env', join(root, 'harmless.txt'));
    expect(edit('harmless.txt')).toBe('deny');
  });
});

describe('shell commands', () => {
  it.each([
    'echo A=2 > .env',
    'echo A=2 >> ./.env',
    'cat x >| .env',
    'echo x | tee -a .env',
    'cp x .env',
    'mv .env old',
    'rm .env',
    'rm -f .e*',
    "sed -i 's/1/2/' .env",
    'sed -i.bak s/1/2/ .env',
    "perl -pi -e 's/1/2/' .env",
    'truncate -s 0 .env',
    'dd if=x of=.env',
    'ln -sf x .env',
    'bash -c "echo x > .env"',
    'cd sub; echo x > ../.env',
    'F=.env; echo x > "$F"',
    'echo x > "$DIR/.env"',
    'cat <<EOF > .env\nA=1\nEOF',
    '(echo x) > .env',
    'curl -o .env http://x',
    'git rm .env',
    'sudo tee .env < x',
    'chmod 777 .env',
    'echo x > .git/hooks/pre-commit',
    '> .env',
  ])('do not write: %j', (command) => {
    expect(shell(command)).toBe('deny');
  });

  it.each([
    'cat .env',
    'source .env',
    'grep A .env',
    'cp .env .env.example',
    'cat < .env > out.txt',
    "sed -n 's/1/2/p' .env",
    'echo ".env" >> .gitignore',
    'echo "x > .env"',
    'git commit -m "x > .env"',
    'cat > notes.md <<EOF\necho x > .env\nEOF',
    'rm *',
    'ls .env',
    'git add .',
    'rm .git/index.lock',
    'npm ci',
  ])('may run: %j', (command) => {
    expect(shell(command)).toBeUndefined();
  });
});

describe('tools of an MCP server', () => {
  const mcp = (tool_name: string, tool_input: Record<string, unknown>): string | undefined =>
    guard({ cwd: root, tool_name, tool_input, piton: { repo: root, tool: { kind: 'mcp', files: [] } } })?.decision;

  it('do not write what is protected', () => {
    expect(mcp('mcp__files__write_file', { path: '.env', content: 'A=2' })).toBe('deny');
    expect(mcp('mcp__files__move_file', { source: 'a', destination: join(root, '.env') })).toBe('deny');
    expect(mcp('mcp__files__edit', { edits: [{ path: 'src/a.ts' }, { path: '.git/config' }] })).toBe('deny');
  });

  it('may read it, write other files, and write about it', () => {
    expect(mcp('mcp__files__read_file', { path: '.env' })).toBeUndefined();
    expect(mcp('mcp__files__list_directory', { path: '.git' })).toBeUndefined();
    expect(mcp('mcp__files__write_file', { path: 'notes.md', content: 'see .env' })).toBeUndefined();
    expect(mcp('mcp__chat__send', { text: '.env' })).toBeUndefined();
  });
});

describe('a project', () => {
  it('protects more, and never less', () => {
    mkdirSync(join(root, '.piton'));
    writeFileSync(join(root, '.piton', 'protected-paths'), '# ours\nmigrations/\n!.env\n');
    expect([edit('db/migrations/1.sql'), edit('.env')]).toEqual(['deny', 'deny']);
  });
});

describe('patterns', () => {
  it('are decided by the last that fits', () => {
    const patterns = readPatterns('secrets/**/*.yaml\n!secrets/dev/*.yaml\n?/top\n');
    const effect = (path: string): string | undefined => effectOn(path, patterns)?.effect;
    expect(['secrets/a/b/c.yaml', 'secrets/dev/c.yaml', 'secrets/c.txt', 'top/x', 'sub/top'].map(effect)).toEqual([
      'deny',
      undefined,
      undefined,
      'ask',
      undefined,
    ]);
  });

  it('of the shipped list are all read', () => {
    const lines = readFileSync(join(import.meta.dirname, '..', 'protect-paths', 'paths.txt'), 'utf8').split('\n');
    expect(readPatterns(lines.join('\n'))).toHaveLength(lines.filter((line) => line !== '' && !line.startsWith('#')).length);
  });
});

describe('without its own list', () => {
  it('fails instead of protecting nothing', async () => {
    const copy = join(root, 'copy');
    cpSync(new URL('../../dist/hooks-library/protect-paths', import.meta.url), copy, { recursive: true });
    rmSync(join(copy, 'paths.txt'));
    const { default: alone } = (await import(pathToFileURL(join(copy, 'guard.mjs')).href)) as { default: typeof guard };
    expect(() => alone({ cwd: root, piton: { repo: root, tool: { kind: 'edit', files: ['.env'] } } })).toThrow('paths.txt');
  });
});
