import { overviewText, structureOf, tokensOf } from '@piton/context';
import { describe, expect, it } from 'vitest';

const PATHS = ['package.json', 'src/main.ts', 'src/a.ts', 'src/b.py', 'docs/x.md', 'README.md', 'test/a.test.ts'];
const packageJson = '{ "scripts": { "build": "tsc", "test": "vitest", "start": "node .", "test:unit": "x" } }';
const NOTHING = { place: '/r', sessions: [], commits: [], learnt: [], image: null };
const OPTIONS = { agent: 'codex', ref: 'r', branch: 'main', command: 'piton', nowUs: 0 };

describe('the structure of a repository', () => {
  it('is its folders with counts and languages, entry points and commands', () =>
    expect(structureOf(PATHS, { 'package.json': packageJson })).toEqual([
      '7 files; TypeScript, Python',
      '"src/": 3 files, TypeScript, Python',
      '"docs/": 1 file',
      '"test/": 1 file, TypeScript',
      'Entry points: "src/main.ts"',
      'Commands: "npm run build", "npm test", "npm run test:unit"',
    ]));

  // Each by hand: the names in git's index, what a manifest says, and the commands that are worth knowing.
  it.each<[string, string[], Record<string, string>, string[]]>([
    [
      'scripts of pnpm',
      ['package.json', 'pnpm-lock.yaml'],
      { 'package.json': packageJson },
      ['pnpm run build', 'pnpm test', 'pnpm run test:unit'],
    ],
    [
      'scripts of yarn',
      ['package.json', 'yarn.lock'],
      { 'package.json': packageJson },
      ['yarn run build', 'yarn test', 'yarn run test:unit'],
    ],
    [
      'scripts of bun, whose test is another',
      ['package.json', 'bun.lock'],
      { 'package.json': packageJson },
      ['bun run build', 'bun run test', 'bun run test:unit'],
    ],
    [
      'pytest by its table',
      ['pyproject.toml'],
      { 'pyproject.toml': '[project]\nname = "x"\n[tool.pytest.ini_options]\n[tool.ruff.lint]\n' },
      ['pytest', 'ruff check'],
    ],
    ['pytest in uv', ['pyproject.toml', 'uv.lock', 'pytest.ini'], { 'pyproject.toml': '[project]\n' }, ['uv run pytest']],
    ['a Python project that says nothing of tests', ['pyproject.toml'], { 'pyproject.toml': '# [tool.pytest\n[project]\n' }, []],
    ['Cargo', ['Cargo.toml'], {}, ['cargo build', 'cargo test']],
    ['Go', ['go.mod'], {}, ['go build ./...', 'go test ./...']],
    ['Maven, wrapped', ['pom.xml', 'mvnw'], {}, ['./mvnw package', './mvnw test']],
    ['Gradle', ['build.gradle.kts'], {}, ['gradle build', 'gradle test']],
    ['.NET', ['App.sln'], {}, ['dotnet build', 'dotnet test']],
    ['Composer', ['composer.json'], { 'composer.json': '{"scripts":{"test":"phpunit","post-install-cmd":"x"}}' }, ['composer run test']],
    ['Deno', ['deno.json'], { 'deno.json': '{"tasks":{"test":"deno test","dev":"x"}}' }, ['deno task test']],
    [
      'targets of a Makefile',
      ['Makefile'],
      { Makefile: 'test := 1\nall: build\nbuild: a.o\n\tcc a.o\ntest: build\n.PHONY: test\n' },
      ['make build', 'make test'],
    ],
    ['a Makefile without a target worth saying', ['Makefile'], { Makefile: 'all:\n\techo\n' }, ['make']],
    ['recipes', ['justfile'], { justfile: 'test *args:\n  pytest\nlint:\n  ruff\n' }, ['just test', 'just lint']],
    ['a manifest that is not in the index', ['src/a.c'], { Makefile: 'test:\n' }, []],
    ['a manifest further down', ['x/Cargo.toml', 'x/package.json'], { 'package.json': packageJson }, []],
    ['a broken manifest', ['package.json'], { 'package.json': '{"scripts": [' }, []],
    ['a strange manifest', ['package.json', 'composer.json'], { 'package.json': '[1]', 'composer.json': '{"scripts":"x","main":{}}' }, []],
  ])('has the commands of %s', (_, paths, manifests, commands) => {
    const [said] = structureOf(paths, manifests).flatMap((line) => /^Commands: (.*)$/.exec(line)?.[1] ?? []);
    expect(said?.split(', ').map((one) => JSON.parse(one)) ?? []).toEqual(commands);
  });

  it('begins with what the manifest starts, where git has it', () => {
    const manifest = '{"main":"./lib/start.js","bin":{"a":"bin/a.js","b":"gone.js"}}';
    expect(structureOf(['src/main.ts', 'lib/start.js', 'bin/a.js', 'package.json'], { 'package.json': manifest })).toContain(
      'Entry points: "lib/start.js", "bin/a.js", "src/main.ts"',
    );
  });

  it('is said by `full`, and never by `short`', () => {
    const structure = structureOf(PATHS, { 'package.json': packageJson });
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
