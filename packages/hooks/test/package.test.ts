import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_RUNTIMES } from '../../../scripts/node-runtimes.mjs';
import { packHooks } from '../../../scripts/pack-hooks.mjs';

const ROOT = fileURLToPath(new URL('../../../', import.meta.url));
const LIMIT = 100_000;
let base: string;
let project: string;
let installed: string;

/** Somebody's empty project, into which only the tarball is installed, without a network. */
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-package-')));
  project = join(base, 'project');
  const tarball = await packHooks(base);
  cpSync(join(ROOT, 'packages/hooks/examples'), project, { recursive: true });
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  execFileSync('npm', ['install', tarball, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: project, stdio: 'pipe' });
  installed = join(project, 'node_modules/@piton/hooks');
}, 120_000);
afterAll(() => rmSync(base, { recursive: true, force: true }));

const filesIn = (directory: string): string[] =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).filter((name) => lstatSync(join(directory, name)).isFile());
const node = (binary: string, ...args: string[]) =>
  spawnSync(binary, args, {
    cwd: project,
    encoding: 'utf8',
    env: { PATH: process.env.PATH, AUDIT_FILE: join(base, `audit-${args[0]}.jsonl`) },
  });

describe('the package', () => {
  it('has no dependencies, and brings none along', () => {
    const manifest = JSON.parse(readFileSync(join(installed, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(Object.keys(manifest).filter((key) => /dependencies|scripts/i.test(key))).toEqual([]);
    expect(readdirSync(join(project, 'node_modules')).filter((name) => !name.startsWith('.'))).toEqual(['@piton']);
    expect(readdirSync(join(project, 'node_modules/@piton'))).toEqual(['hooks']);
  });

  it(`is under ${LIMIT / 1000} KB unpacked`, () => {
    const bytes = filesIn(installed).reduce((sum, name) => sum + lstatSync(join(installed, name)).size, 0);
    expect(bytes).toBeGreaterThan(10_000);
    expect(bytes).toBeLessThan(LIMIT);
  });

  it('imports Node’s own modules and its own parts only', () => {
    const scripts = filesIn(installed).filter((name) => /\.m?js$/.test(name));
    const imported = scripts.flatMap((name) => [
      ...readFileSync(join(installed, name), 'utf8').matchAll(/(?:from|import)\s*\(?"([^"]+)"/g),
    ]);
    const foreign = imported.map(([, specifier]) => specifier ?? '').filter((name) => !name.startsWith('node:') && !name.startsWith('./'));
    expect(imported.length).toBeGreaterThan(3);
    expect(foreign).toEqual([]);
  });

  it.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has types that hold in a strict project, with modules as in %s, found as by %s', (module, moduleResolution) => {
    const uses = readFileSync(new URL('./library/typed-uses.ts', import.meta.url), 'utf8');
    writeFileSync(join(project, 'typed.ts'), uses.replace('../../src/library/index.ts', '@piton/hooks'));
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false'];
    const modules = [
      '--module',
      module,
      '--moduleResolution',
      moduleResolution,
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      '--types',
      '',
    ];
    const { stdout, status } = node(
      process.execPath,
      join(ROOT, 'node_modules/typescript/bin/tsc'),
      '--noEmit',
      ...strict,
      ...modules,
      'typed.ts',
    );
    expect(stdout).toBe('');
    expect(status).toBe(0);
  });

  it('leaves out of a bundle what is not used', async () => {
    const sizeOf = async (source: string): Promise<number> => {
      const { outputFiles } = await build({
        stdin: { contents: source, resolveDir: project },
        bundle: true,
        write: false,
        format: 'esm',
        platform: 'node',
        minify: true,
        logLevel: 'error',
      });
      return outputFiles[0]?.contents.length ?? 0;
    };
    const [none, one, all] = await Promise.all(
      ["import '@piton/hooks';", "export { reduce } from '@piton/hooks';", "export * from '@piton/hooks';"].map(sizeOf),
    );
    expect(none).toBeLessThan(200);
    expect(one).toBeLessThan((all ?? 0) / 5);
  });
});

/** `node scripts/node-runtimes.mjs` fetches those that are not there. */
describe.each([...NODE_RUNTIMES])('the examples on Node $major', ({ binary, major }) => {
  const there = existsSync(binary);

  it.skipIf(!there)('the first lines of the README', () => {
    const [, code = ''] = /```js\n\/\/ first\.mjs\n(.*?)```/s.exec(readFileSync(join(installed, 'README.md'), 'utf8')) ?? [];
    writeFileSync(join(project, 'first.mjs'), code);
    const { stdout, stderr, status } = node(binary, 'first.mjs');
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout.split('\n').map((line) => line.trim())).toEqual([
      /console\.log.*\/\/ (.*)/.exec(code)?.[1],
      'no-rm ran',
      'note skipped',
      '',
    ]);
  });

  it.skipIf(!there)('an agent loop with policy, context and audit, in sixty lines', () => {
    expect(readFileSync(join(project, 'agent-loop.mjs'), 'utf8').trimEnd().split('\n').length).toBeLessThanOrEqual(60);
    const { stdout, stderr, status } = node(binary, 'agent-loop.mjs');
    expect([stderr, status]).toEqual(['', 0]);
    expect(stdout.trim().split('\n')).toEqual([
      'system: The branch is main.',
      'tool: ran ls',
      'tool: denied: Move it to .trash instead of removing it.',
      'tool: ran npm test --silent',
    ]);
    const audit = readFileSync(join(base, 'audit-agent-loop.mjs.jsonl'), 'utf8').trim().split('\n').slice(-4);
    expect(audit.map((line) => (JSON.parse(line) as { command?: string }).command)).toEqual([
      'ls',
      'rm -rf build',
      'npm test --silent',
      undefined,
    ]);
  });

  it.skipIf(!there)('a CI runner', () => {
    const hooks = [
      { name: 'no-env', event: 'pre_file_edit', when: { file: '*.env' }, command: 'echo "no secrets in files" >&2; exit 2' },
      { name: 'flaky', event: 'pre_tool_use', command: 'exit 5' },
    ];
    const events = [
      { event: 'pre_tool_use', toolName: 'Edit', toolInput: { file_path: '/w/.env' } },
      { event: 'pre_tool_use', toolName: 'Edit', toolInput: { file_path: '/w/a.ts' } },
    ];
    writeFileSync(join(project, 'hooks.json'), JSON.stringify(hooks));
    writeFileSync(join(project, 'events.jsonl'), events.map((event) => JSON.stringify(event)).join('\n'));
    const { stdout, status } = node(binary, 'ci-runner.mjs', 'hooks.json', 'events.jsonl');
    expect(stdout).toContain('deny    pre_tool_use Edit: no secrets in files');
    expect(stdout).toContain('flaky failed: it exited with code 5');
    expect(stdout).toContain('2 events, 1 denied, 0 broken hooks');
    expect(status).toBe(1);
  });

  it.skipIf(!there)('a test of a hook', () => {
    const { stdout, status } = node(binary, '--test', 'hook.test.mjs');
    expect(stdout).toMatch(/pass 5/);
    expect(status).toBe(0);
  });

  it.skipIf(!there)('a module hook, and TypeScript where Node strips types', () => {
    writeFileSync(join(project, 'guard.mjs'), 'export default ({ tool_name }) => ({ decision: "deny", reason: "no " + tool_name });');
    writeFileSync(
      join(project, 'guard.ts'),
      'export default (): { decision: string; reason: string } => ({ decision: "ask", reason: "typed" });',
    );
    writeFileSync(
      join(project, 'modules.mjs'),
      `import { fire } from '@piton/hooks';
       const hook = (module) => [{ name: module, event: 'pre_tool_use', module }];
       for (const module of ['guard.mjs', 'guard.ts']) {
         const { decision, trace } = await fire(hook(module), 'pre_tool_use', { toolName: 'Bash' });
         console.log(decision.verdict, decision.reason ?? trace[0].note);
       }`,
    );
    const { stdout, status } = node(binary, 'modules.mjs');
    const [plain, typed] = stdout.trim().split('\n');
    expect([plain, status]).toEqual(['deny no Bash', 0]);
    expect(typed).toMatch(major >= 22 ? /^ask typed$/ : /^observe "module" is guard\.ts: TypeScript needs Node 22\.18/);
  });
});
