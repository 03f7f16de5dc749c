// What the packages have in common: each is put together in a folder of its own, with the manifest that is published. The manifests
// of the workspaces name sources, and are private.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../sources.mjs';

/** 22.0 to 22.11 cannot `require` a module. */
const NODE = { cli: '>=20.19', library: '^20.19.0 || >=22.12.0' };

/** The licence without its appendix, which explains how to apply it. */
const terms = () => readFileSync(join(ROOT, 'LICENSE'), 'utf8').replace(/(?<=END OF TERMS AND CONDITIONS\n).*/s, '');

export const manifestOf = (workspace) => JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));

/** Writes what every package has. A release names its repository, which the registry compares with where it was built. */
export function finishStage(stage, workspace, manifest) {
  const { name, version, license } = manifestOf(workspace);
  const { PITON_REPOSITORY: url } = process.env;
  const whole = {
    name,
    version,
    ...manifest,
    license,
    engines: { node: manifest.bin ? NODE.cli : NODE.library },
    ...(url && { repository: { type: 'git', url } }),
  };
  writeFileSync(join(stage, 'README.md'), readFileSync(join(ROOT, workspace, 'README.md')));
  writeFileSync(join(stage, 'LICENSE'), terms());
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
  settleModes(stage);
}

/** A tarball has the modes of its files, and these have what the person's umask left. */
function settleModes(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    const path = join(folder, name);
    const { mode } = statSync(path);
    chmodSync(path, mode & 0o100 ? 0o755 : 0o644);
  }
}

/** For CommonJS the same module again, so that there are no two of it in a process. @returns what the manifest says of it */
export function writeEntryForRequire(dist) {
  writeFileSync(join(dist, 'index.cjs'), "module.exports = require('./index.js');\n");
  copyFileSync(join(dist, 'index.d.ts'), join(dist, 'index.d.cts'));
  const exported = {
    import: { types: './dist/index.d.ts', default: './dist/index.js' },
    require: { types: './dist/index.d.cts', default: './dist/index.cjs' },
  };
  return { exported, older: { main: './dist/index.cjs', types: './dist/index.d.cts' } };
}

/** An empty folder. */
export function emptyFolder(folder) {
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  return folder;
}

/** @returns the path of the tarball; npm gives every file the same date, so that the same content is the same tarball */
export function packStage(stage, out) {
  mkdirSync(out, { recursive: true });
  const [{ filename }] = JSON.parse(npm(['pack', '--json', '--ignore-scripts', '--pack-destination', resolve(out)], stage));
  return join(resolve(out), filename.replace('@', '').replace('/', '-'));
}

const npm = (args, cwd) =>
  execFileSync(process.platform === 'win32' ? 'npm.cmd' : 'npm', args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
