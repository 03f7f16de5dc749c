import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { codeFileOf } from '@piton/contracts/compiled-code';
import { FORWARDER_NAME } from '@piton/contracts/places';
import { Failure } from '../failure.ts';
import { LAUNCHER, LAUNCHER_NAME } from './launcher.ts';

/** One file of the runtime: its source, and its path in `runtime/<version>`. */
export interface Part {
  readonly from: string | { readonly text: string };
  readonly to: string;
  readonly executable: boolean;
  /** V8's compiled code of another part. Every build has its own, and without it that part only starts more slowly. */
  readonly compiled?: true;
}

const REQUIRED = ['cli.mjs', 'server.cjs', 'client.cjs', 'module-host.mjs', 'type-stripper.mjs', 'payloads.json'];
/** Code that the command loads on demand. */
const CHUNKS = 'cli';
/** What `server.cjs` and its threads run. */
const BUNDLES = 'bundles';
/** Plugins that run inside agents. */
const PLUGINS = 'plugins';
/** Artifacts that `piton hooks add` copies. */
const LIBRARY = 'hooks-library';

/** Everything that a server, a forwarder and the command need after the clone, or the npx cache, is gone. */
export function runtimeParts(distribution: string): Part[] {
  const forwarder = [join(distribution, 'forwarder', FORWARDER_NAME), join(distribution, FORWARDER_NAME)].find((path) => existsSync(path));
  const missing = [
    ...[...REQUIRED, CHUNKS, BUNDLES, PLUGINS, LIBRARY].filter((name) => !existsSync(join(distribution, name))),
    ...(forwarder ? [] : [FORWARDER_NAME]),
  ];
  if (!forwarder || missing.length > 0) {
    throw new Failure(`this copy of Piton is incomplete: ${missing.join(', ')} missing`, {
      where: distribution,
      remedy: 'reinstall Piton. In a clone: npm run build',
    });
  }
  const programs = readdirSync(distribution).filter((name) => name.endsWith('.cjs') || REQUIRED.includes(name));
  const inFolders = [CHUNKS, BUNDLES, PLUGINS].flatMap((folder) =>
    readdirSync(join(distribution, folder)).map((name) => join(folder, name)),
  );
  return [
    { from: forwarder, to: FORWARDER_NAME, executable: true },
    { from: { text: LAUNCHER }, to: LAUNCHER_NAME, executable: true },
    ...[...programs, ...inFolders].map((name) => ({ from: join(distribution, name), to: name, executable: false })),
    ...compiledParts(distribution),
    ...libraryParts(distribution),
    ...sqliteParts(distribution),
  ];
}

/** Compiled code for the Node that runs this: the one that the server will be started with. */
function compiledParts(distribution: string): Part[] {
  const folder = relative(distribution, dirname(codeFileOf(distribution, 'any')));
  if (!existsSync(join(distribution, folder))) return [];
  const names = readdirSync(join(distribution, folder), { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.code'));
  return names.map((name) => ({ from: join(distribution, folder, name), to: join(folder, name), executable: false, compiled: true }));
}

function libraryParts(distribution: string): Part[] {
  const files = readdirSync(join(distribution, LIBRARY), { recursive: true, encoding: 'utf8' }).map((name) => join(LIBRARY, name));
  return files.flatMap((name) => {
    const stat = statSync(join(distribution, name));
    return stat.isFile() ? [{ from: join(distribution, name), to: name, executable: (stat.mode & 0o111) !== 0 }] : [];
  });
}

/** The native SQLite module, with the build for this platform only. Node has its own only since 22.13, and the Node in use may change. */
function sqliteParts(distribution: string): Part[] {
  const require = createRequire(join(distribution, 'cli.mjs'));
  const sqlite = packageRoot(require, '@photostructure/sqlite');
  const gyp = packageRoot(createRequire(join(sqlite, 'package.json')), 'node-gyp-build');
  const platform = join('prebuilds', `${process.platform}-${process.arch}`);
  if (!existsSync(join(sqlite, platform))) {
    throw new Failure(`no SQLite for ${process.platform}-${process.arch}`, {
      where: sqlite,
      remedy: 'Piton runs on Linux, macOS and Windows, each x64 and arm64',
    });
  }
  return [
    ...under(sqlite, ['package.json', 'LICENSE', join('dist', 'index.cjs'), join('dist', 'index.mjs')], '@photostructure/sqlite'),
    ...under(
      sqlite,
      readdirSync(join(sqlite, platform)).map((name) => join(platform, name)),
      '@photostructure/sqlite',
    ),
    ...under(gyp, ['package.json', 'LICENSE', 'index.js', 'node-gyp-build.js'], 'node-gyp-build'),
  ];
}

function packageRoot(require: NodeJS.Require, name: string): string {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    throw new Failure(`the package ${name} is missing`, { remedy: 'reinstall Piton. In a clone: npm install' });
  }
}

function under(root: string, names: readonly string[], owner: string): Part[] {
  return names.map((name) => ({ from: join(root, name), to: join('node_modules', owner, name), executable: false }));
}

const bytesOf = ({ from }: Part): Buffer => (typeof from === 'string' ? readFileSync(from) : Buffer.from(from.text));

/** Eight hex digits over names and contents: two builds of one version never share a directory. */
export function contentHash(parts: readonly Part[]): string {
  const hash = createHash('sha256');
  for (const part of parts.filter(({ compiled }) => !compiled).sort((a, b) => (a.to < b.to ? -1 : 1))) {
    const bytes = bytesOf(part);
    hash.update(`${part.to}\0${bytes.length}\0`).update(bytes);
  }
  return hash.digest('hex').slice(0, 8);
}
