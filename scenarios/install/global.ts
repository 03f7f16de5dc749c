import { join } from 'node:path';
import { buildForwarder } from '../../scripts/forwarder.mjs';
import { stageCli } from '../../scripts/package/cli.mjs';
import { packStage } from '../../scripts/package/staging.mjs';
import { zigHere } from '../../scripts/zig.mjs';
import { npm } from './machine.ts';
import { DEPENDENCIES, type Registry, startRegistry } from './registry.ts';

/** The package as it is released where zig is here; else with the forwarder of this machine alone. */
export function packHere(base: string): string {
  const stage = join(base, 'stage');
  stageCli(stage, zigHere() ? undefined : { [`${process.platform}-${process.arch}`]: buildForwarder() });
  return packStage(stage, base);
}

export const startDependencies = (base: string): Promise<Registry> => startRegistry(join(base, 'registry'), [], DEPENDENCIES);

/** What `npm install -g` makes of a tarball for this Node, in a directory of its own. Gives back the directory. */
export async function installGlobally(
  base: string,
  { url }: Registry,
  tarball: string,
  name: string,
  node = process.execPath,
): Promise<string> {
  const prefix = join(base, name);
  const place = { node, registry: url, home: join(base, `${name}-npm`) };
  const { code, stderr } = await npm(place, ['install', '-g', '--prefix', prefix, '--ignore-scripts', tarball]);
  if (code !== 0) throw new Error(stderr);
  return prefix;
}
