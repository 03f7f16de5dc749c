// What the packages have in common: each is put together in a folder of its own, with the manifest that is published. The manifests
// of the workspaces name sources, and are private.
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ROOT } from '../sources.mjs';

const NODE = { node: '>=20.19' };

/** The licence without its appendix, which explains how to apply it. */
const terms = () => readFileSync(join(ROOT, 'LICENSE'), 'utf8').replace(/(?<=END OF TERMS AND CONDITIONS\n).*/s, '');

export const manifestOf = (workspace) => JSON.parse(readFileSync(join(ROOT, workspace, 'package.json'), 'utf8'));

/** Writes what every package has. A release names its repository, which the registry compares with where it was built. */
export function finishStage(stage, workspace, manifest) {
  const { name, version, license } = manifestOf(workspace);
  const { PITON_REPOSITORY: url } = process.env;
  const whole = { name, version, ...manifest, license, engines: NODE, ...(url && { repository: { type: 'git', url } }) };
  writeFileSync(join(stage, 'README.md'), readFileSync(join(ROOT, workspace, 'README.md')));
  writeFileSync(join(stage, 'LICENSE'), terms());
  writeFileSync(join(stage, 'package.json'), `${JSON.stringify(whole, null, 2)}\n`);
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
