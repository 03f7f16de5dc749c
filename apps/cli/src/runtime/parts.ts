import { createHash } from 'node:crypto';
import { accessSync, constants, existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative } from 'node:path';
import { codeFileOf } from '@piton/contracts/compiled-code';
import { FORWARDER_NAME } from '@piton/contracts/places';
import { hasOwnSqlite } from '@piton/store';
import { Failure } from '../failure.ts';
import { BUILD_ID } from './current.ts';
import { LAUNCHER, LAUNCHER_NAME } from './launcher.ts';

/** One file of the runtime: its source, and its path in `runtime/<version>`. */
export interface Part {
  readonly from: string | { readonly text: string };
  readonly to: string;
  readonly executable: boolean;
  /** V8's compiled code of another part. Every build has its own, and without it that part only starts more slowly. */
  readonly compiled?: true;
}

const REQUIRED = ['cli.mjs', 'server.cjs', 'client.cjs', 'module-host.mjs', 'type-stripper.mjs', 'payloads.json', BUILD_ID];
/** Code that the command loads on demand. */
const CHUNKS = 'cli';
/** What `server.cjs` and its threads run. */
const BUNDLES = 'bundles';
/** Plugins that run inside agents. */
const PLUGINS = 'plugins';
/** Artifacts that `piton hooks add` copies. */
const LIBRARY = 'hooks-library';
/** What `piton ui` serves. */
export const PAGE = 'page';

/** Everything that a server, a forwarder and the command need after the clone, or the npx cache, is gone. */
export function runtimeParts(distribution: string): Part[] {
  refusePlatform(distribution);
  const forwarder = forwarderIn(distribution);
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
    ...filesIn(distribution, LIBRARY),
    ...filesIn(distribution, PAGE),
    ...sqliteParts(distribution),
  ];
}

const PLATFORM = `${process.platform}-${process.arch}`;

/** The one that a clone has compiled, or the one of this platform among those that a package brings. A runtime has it beside the rest. */
const forwarderIn = (distribution: string): string | undefined =>
  ['forwarder', join('forwarder', PLATFORM), '.']
    .map((folder) => join(distribution, folder, FORWARDER_NAME))
    .find((path) => existsSync(path));

/** Before anything is looked for: what is missing there is no accident. */
function refusePlatform(distribution: string): void {
  if (process.platform === 'win32')
    throw new Failure(
      'Piton does not run on Windows itself: agents reach its server through Unix sockets, and its hooks are Unix programs',
      {
        remedy: 'use WSL, and run your agents in it too: install Node, git and Piton there, then `piton init` there',
      },
    );
  const brought = join(distribution, 'forwarder');
  if (forwarderIn(distribution) !== undefined || !existsSync(brought)) return;
  throw new Failure(`this package has no forwarder for ${PLATFORM}, only for ${readdirSync(brought).sort().join(', ')}`, {
    where: brought,
    remedy: 'install Piton from a clone, with a C compiler',
  });
}

/**
 * Compiled code for the Node that runs this: the one that the server will be started with. Where somebody else has kept it for
 * themselves, as root does, there is none.
 */
function compiledParts(distribution: string): Part[] {
  const folder = relative(distribution, dirname(codeFileOf(distribution, 'any')));
  return compiledFiles(join(distribution, folder)).map((name) => ({
    ...{ from: join(distribution, folder, name), to: join(folder, name), executable: false, compiled: true },
  }));
}

function compiledFiles(folder: string): string[] {
  try {
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.code'));
    for (const name of names) accessSync(join(folder, name), constants.R_OK);
    return names;
  } catch {
    return [];
  }
}

function filesIn(distribution: string, folder: string): Part[] {
  if (!existsSync(join(distribution, folder))) return [];
  const files = readdirSync(join(distribution, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  return files.flatMap((name) => {
    const stat = statSync(join(distribution, name));
    return stat.isFile() ? [{ from: join(distribution, name), to: name, executable: (stat.mode & 0o111) !== 0 }] : [];
  });
}

/** The native SQLite module, with the build for this platform only. Node has its own only since 22.13, and the Node in use may change. */
function sqliteParts(distribution: string): Part[] {
  const require = createRequire(join(distribution, 'cli.mjs'));
  const sqlite = packageRoot(require, '@photostructure/sqlite');
  const gyp = sqlite && packageRoot(createRequire(join(sqlite, 'package.json')), 'node-gyp-build');
  const platform = join('prebuilds', PLATFORM);
  if (!sqlite || !gyp || !existsSync(join(sqlite, platform))) {
    if (hasOwnSqlite(process.versions.node)) return [];
    throw new Failure(
      `Node ${process.versions.node} has no SQLite of its own, and the package @photostructure/sqlite is not here for ${PLATFORM}`,
      {
        where: distribution,
        remedy: 'use Node 22.13 or newer, or reinstall Piton with its optional dependencies. In a clone: npm ci',
      },
    );
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

/** It is an optional dependency. */
function packageRoot(require: NodeJS.Require, name: string): string | undefined {
  try {
    return dirname(require.resolve(`${name}/package.json`));
  } catch {
    return undefined;
  }
}

function under(root: string, names: readonly string[], owner: string): Part[] {
  return names.map((name) => ({ from: join(root, name), to: join('node_modules', owner, name), executable: false }));
}

/** Digests of files by path, with the stat that they are true of. A command and its checks ask for the same megabytes more than once. */
const digests = new Map<string, { readonly stamp: string; readonly digest: string }>();

function digestOf({ from }: Part): string {
  const sha256 = (content: Buffer | string): string => createHash('sha256').update(content).digest('hex');
  if (typeof from !== 'string') return sha256(from.text);
  const { size, mtimeNs, ctimeNs, ino } = statSync(from, { bigint: true });
  const stamp = `${size} ${mtimeNs} ${ctimeNs} ${ino}`;
  const known = digests.get(from);
  if (known?.stamp === stamp) return known.digest;
  const digest = sha256(readFileSync(from));
  digests.set(from, { stamp, digest });
  return digest;
}

/** Eight hex digits over names and contents: two builds of one version never share a directory. */
export function contentHash(parts: readonly Part[]): string {
  const hash = createHash('sha256');
  for (const part of parts.filter(({ compiled }) => !compiled).sort((a, b) => (a.to < b.to ? -1 : 1)))
    hash.update(`${part.to}\0${digestOf(part)}\0`);
  return hash.digest('hex').slice(0, 8);
}
