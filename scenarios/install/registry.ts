import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** What our packages may need of the registry, and what these need. */
export const DEPENDENCIES = ['@photostructure/sqlite', 'node-addon-api', 'node-gyp-build'];

export interface Registry {
  readonly url: string;
  /** What was asked for, by path. */
  readonly asked: string[];
  end(): Promise<void>;
}

/** A registry on the loopback interface, with these tarballs and the packages of these names, as this clone has them installed. */
export async function startRegistry(directory: string, tarballs: readonly string[], installed: readonly string[]): Promise<Registry> {
  mkdirSync(directory, { recursive: true });
  const files = [...tarballs, ...installed.map((name) => packInstalled(name, directory))];
  const packages = new Map(files.map((file) => [manifestIn(file).name, file]));
  const asked: string[] = [];
  const server = createServer((request, response) => {
    const path = decodeURIComponent(request.url ?? '/').slice(1);
    asked.push(request.method === 'GET' ? path : `${request.method} ${path}`);
    const found = packages.get(path);
    const tarball = files.find((file) => path === `-/${basename(file)}`);
    if (found !== undefined) return void response.setHeader('content-type', 'application/json').end(JSON.stringify(packument(found, url)));
    if (tarball !== undefined) return void response.end(readFileSync(tarball));
    response.statusCode = 404;
    response.end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, asked, end: () => new Promise((resolve) => server.close(() => resolve())) };
}

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const manifestIn = (tarball: string): Manifest =>
  JSON.parse(execFileSync('tar', ['-xzOf', tarball, 'package/package.json'], { encoding: 'utf8' })) as Manifest;

function packInstalled(name: string, directory: string): string {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', directory];
  const said = execFileSync('npm', args, { cwd: join(ROOT, 'node_modules', name), encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  const [{ filename }] = JSON.parse(said) as [{ filename: string }];
  return join(directory, filename.replace('@', '').replace('/', '-'));
}

function packument(tarball: string, url: string): object {
  const manifest = manifestIn(tarball);
  const { name, version } = manifest;
  const integrity = `sha512-${createHash('sha512').update(readFileSync(tarball)).digest('base64')}`;
  const dist = { tarball: `${url}/-/${basename(tarball)}`, integrity };
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}
