import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, utimesSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { describeWhere } from '@piton/testing';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stageCli } from '../../scripts/package/cli.mjs';
import { stageContracts } from '../../scripts/package/contracts.mjs';
import { stageHooks } from '../../scripts/package/hooks.mjs';
import { packStage } from '../../scripts/package/staging.mjs';
import { zigHere } from '../../scripts/zig.mjs';
import { npm, type Ran } from './machine.ts';
import { linkModules } from './older-package.ts';
import { type Registry, startRegistry } from './registry.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
const FOLDERS = { cli: 'apps/cli', contracts: 'packages/contracts', hooks: 'packages/hooks' } as const;
const sum = (file: string): string => createHash('sha256').update(readFileSync(file)).digest('hex');

let base: string;
let tree: string;
let registry: Registry;
/** By the package: the checksum of the tarball that `npm run pack` makes. */
const released: Record<string, string> = {};

/** A clone of what lies here, built: other tests use the packages of this one. */
beforeAll(async () => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'piton-by-npm-')));
  // First, as it builds the forwarders that the clone is to have: there is no zig in the home of npm.
  const stages = { cli: stageCli, contracts: stageContracts, hooks: stageHooks };
  for (const [name, stage] of Object.entries(stages))
    if (name !== 'cli' || zigHere()) released[name] = sum(packStage(await stage(join(base, name)), join(base, 'released')));
  tree = join(base, 'a clone');
  const mine = (path: string): boolean => !/^(?:\.git|node_modules|dist\/(?:packages|tarballs))(?:\/|$)/.test(path.slice(ROOT.length));
  cpSync(ROOT, tree, { recursive: true, filter: (path) => mine(path) && !/\/node_modules$/.test(path) });
  linkModules(tree);
  const git = (...args: string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: tree });
  git('init', '-q');
  git('add', '-A');
  git('commit', '-qm', 'all');
  registry = await startRegistry(join(base, 'registry'), [], []);
}, 600_000);
afterAll(async () => {
  await registry?.end();
  rmSync(base, { recursive: true, force: true });
});

const inTree = (...args: string[]): Promise<Ran> =>
  npm({ node: process.execPath, registry: registry.url, home: join(base, 'npm') }, args, tree);
const changes = (): string => execFileSync('git', ['status', '--porcelain'], { cwd: tree, encoding: 'utf8' });

describe.each(['contracts', 'hooks', 'cli'] as const)('npm, in the clone, with -w @piton/%s', (name) => {
  const title = 'packs what is released, byte for byte, and leaves the clone as it was';
  describeWhere(name !== 'cli' || zigHere() ? null : 'zig is not here, run node scripts/zig.mjs', 'pack', () => {
    it(title, { timeout: 300_000 }, async () => {
      const out = join(base, `packed-${name}`);
      mkdirSync(out);
      const ran = await inTree('pack', '-w', `@piton/${name}`, '--pack-destination', out);
      expect(ran).toMatchObject({ code: 0 });
      expect(readdirSync(out)).toEqual([`piton-${name}-${version}.tgz`]);
      expect(sum(join(out, `piton-${name}-${version}.tgz`))).toBe(released[name]);
      expect(changes()).toBe('');
    });

    it('shows with publish --dry-run what would be published, and publishes nothing', { timeout: 300_000 }, async () => {
      const shown = await inTree('publish', '--dry-run', '-w', `@piton/${name}`);
      expect(shown).toMatchObject({ code: 0, stdout: expect.stringContaining(`+ @piton/${name}@${version}\n`) });
      expect(shown.stderr).toContain(name === 'cli' ? 'piton.cjs' : 'dist/index.d.ts');
      expect(shown.stderr).not.toMatch(/\.test\.|src\/|auto-corrected|marked as private/);
      const real = await inTree('publish', '-w', `@piton/${name}`);
      expect(real.code).not.toBe(0);
      expect(real.stderr).toContain('published by the workflow of its tag');
      const unscripted = await inTree('publish', '-w', `@piton/${name}`, '--ignore-scripts', '--//127.0.0.1/:_authToken=none');
      expect(unscripted.code).not.toBe(0);
      expect(registry.asked.filter((path) => path.startsWith('PUT'))).toEqual([]);
      expect(changes()).toBe('');
    });
  });

  it('packs no source and no test if scripts are switched off', async () => {
    const { code, stdout } = await inTree('pack', '-w', `@piton/${name}`, '--ignore-scripts', '--dry-run', '--json');
    expect(code).toBe(0);
    const [{ files }] = JSON.parse(stdout) as [{ files: readonly { path: string }[] }];
    expect(files.map(({ path }) => path).filter((path) => !/^(?:package\.json|README\.md|bin\/piton\.mjs)$/.test(path))).toEqual([]);
  });
});

it('what an npm that was killed left is taken away by the next build', { timeout: 300_000 }, () => {
  const env = { ...process.env, npm_lifecycle_event: 'prepack' };
  execFileSync(process.execPath, [join(tree, 'scripts/package/in-place.mjs')], { cwd: join(tree, FOLDERS.hooks), env, stdio: 'ignore' });
  expect(existsSync(join(tree, FOLDERS.hooks, 'dist/index.js'))).toBe(true);
  expect(changes()).not.toBe('');
  utimesSync(join(tree, 'dist/packages/.hooks'), 0, 0);
  execFileSync(process.execPath, [join(tree, 'scripts/build.mjs')], { cwd: tree, stdio: 'ignore' });
  expect(changes()).toBe('');
  expect(existsSync(join(tree, FOLDERS.hooks, 'dist'))).toBe(false);
});

const PACK = `
const [root, name, out] = process.argv.slice(1);
const stages = { cli: 'stageCli', contracts: 'stageContracts', hooks: 'stageHooks' };
const from = (file) => import(root + 'scripts/package/' + file + '.mjs');
const forwarder = await import(root + 'scripts/forwarder.mjs');
const stage = (await from(name))[stages[name]];
(await from('staging')).packStage(await stage(out + '/stage', ...(name === 'cli' ? [{ here: forwarder.buildForwarder() }] : [])), out);
`;

it.each(['contracts', 'hooks', 'cli'])('the tarball of @piton/%s is the same for everybody', { timeout: 300_000 }, (name) => {
  const sums = [
    ['022', { LANG: 'C.UTF-8', TZ: 'UTC' }],
    ['077', { LANG: 'tr_TR.UTF-8', LC_ALL: 'tr_TR.UTF-8', TZ: 'Asia/Tokyo' }],
  ].map(([umask, env]) => {
    const out = join(base, `everybody ${name} ${umask}`);
    mkdirSync(out);
    const script = `umask ${umask}; exec "$0" --input-type=module -e "$1" "$2" "$3" "$4"`;
    const args = ['-c', script, process.execPath, PACK, pathToFileURL(ROOT).href, name, out];
    execFileSync('sh', args, { cwd: out, env: { ...process.env, ...(env as object) }, stdio: 'pipe' });
    return sum(join(out, `piton-${name}-${version}.tgz`));
  });
  expect(sums[1]).toBe(sums[0]);
});
