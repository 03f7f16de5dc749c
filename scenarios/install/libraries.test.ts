import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describeWhere } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { NODE_RUNTIMES } from '../../scripts/node-runtimes.mjs';
import { stageCli } from '../../scripts/package/cli.mjs';
import { stageContracts } from '../../scripts/package/contracts.mjs';
import { stageHooks } from '../../scripts/package/hooks.mjs';
import { packStage } from '../../scripts/package/staging.mjs';
import { packageChecks } from '../../scripts/package-checks.mjs';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const STAGES = { contracts: stageContracts, hooks: stageHooks };
let base: string;
let project: string;

/** An empty project of somebody's, with both libraries installed from their tarballs. */
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-libraries-')));
  project = join(base, 'project');
  mkdirSync(project);
  writeFileSync(join(project, 'package.json'), '{ "private": true }');
  const stages = await Promise.all(Object.entries(STAGES).map(([name, stage]) => stage(join(base, name))));
  const tarballs = stages.map((stage) => packStage(stage, base));
  const args = ['install', ...tarballs, '--offline', '--ignore-scripts', '--no-audit', '--no-fund'];
  execFileSync('npm', args, { cwd: project, stdio: 'pipe' });
});
afterAll(() => rmSync(base, { recursive: true, force: true }));

const modules = packageChecks();
describeWhere(modules ? null : 'publint is not here, run node scripts/package-checks.mjs', 'judged by others', () => {
  const judge = (name: string, ...args: string[]) =>
    spawnSync(join(modules as string, '.bin', name), args, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: base } });

  it.each(['cli', 'contracts', 'hooks'])('@piton/%s is as npm packages are', (name) => {
    // Whether a file can be read is judged, not what a forwarder is.
    if (name === 'cli') stageCli(join(base, 'cli'), {});
    const { stdout, status } = judge('publint', 'run', '--strict', join(base, name));
    expect(stdout).toContain('All good!');
    expect(status).toBe(0);
  });

  it.each(Object.keys(STAGES))('the types of @piton/%s are found under node10, node16 and bundler', (name) => {
    const { stdout, status } = judge('attw', '--pack', join(base, name), '--format', 'json');
    const { analysis } = JSON.parse(stdout) as { analysis: { problems: readonly { kind: string }[] } };
    expect(analysis.problems.map(({ kind }) => kind)).toEqual([]);
    expect(status).toBe(0);
  });
});

const USES = `
import { EVENTS, type Decision, parseVersion } from '@piton/contracts';
import { defineHook, reduce, run, type HookResult, type Part } from '@piton/hooks';
const part: Part = { decisions: [{ decision: 'deny', reason: 'no' }] };
const said: Decision | undefined = part.decisions?.[0];
const hook = defineHook({ name: 'h', event: 'pre_tool_use', run: () => 'x' });
export const results: Promise<HookResult[]> = run([hook], 'pre_tool_use', 'Bash');
console.log(EVENTS.length > 10, said?.decision, reduce([part]).verdict, typeof parseVersion);
`;

describe.each(['mts', 'cts'])('used by a .%s file', (extension) => {
  it.each([
    ['node16', 'node16'],
    ['nodenext', 'nodenext'],
    ['esnext', 'bundler'],
  ])('has its types with modules as in %s', (module, resolution) => {
    writeFileSync(join(project, `uses.${extension}`), USES);
    const strict = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck', 'false', '--types', ''];
    const args = ['--module', module, '--moduleResolution', resolution, '--target', 'es2022', '--lib', 'es2023,dom', ...strict];
    const { stdout } = spawnSync(
      process.execPath,
      [join(ROOT, 'node_modules/typescript/bin/tsc'), '--outDir', 'out', ...args, `uses.${extension}`],
      { cwd: project, encoding: 'utf8' },
    );
    expect(stdout).toBe('');
  });

  it.each([...NODE_RUNTIMES])('runs on Node $major', ({ binary }) => {
    if (!existsSync(binary)) return;
    writeFileSync(join(project, `uses.${extension}`), USES);
    const compiled = join(project, `out/uses.${extension.replace('ts', 'js')}`);
    const args = ['--module', 'nodenext', '--target', 'es2022', '--lib', 'es2023,dom', '--types', '', '--outDir', 'out'];
    spawnSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...args, `uses.${extension}`], { cwd: project });
    const { stdout, stderr } = spawnSync(binary, [compiled], { encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'true deny deny function\n', stderr: '' });
  });
});

it('the schemas are in the package, every one', () => {
  const names = readdirSync(join(ROOT, 'packages/contracts/schemas'));
  expect(names.length).toBeGreaterThan(8);
  for (const name of names) {
    const script = `console.log(JSON.stringify(require('@piton/contracts/schemas/${name}')))`;
    const stdout = execFileSync(process.execPath, ['-e', script], { cwd: project, encoding: 'utf8' });
    expect(JSON.parse(stdout)).toEqual(JSON.parse(readFileSync(join(ROOT, 'packages/contracts/schemas', name), 'utf8')));
  }
});
