import { type ChildProcess, spawn } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type Frame, lastResortText, readFrameFile } from '@piton/contracts';
import { type Places, placesOf } from '@piton/contracts/places';
import { build } from 'esbuild';
import { buildForwarder } from '../../../scripts/forwarder.mjs';

const SOURCES = fileURLToPath(new URL('../src/', import.meta.url));
const VERSION = '7.8.9';
const TEMPLATES = process.env['PITON_TEST_TEMPLATES'] ?? mkdtempSync(join(tmpdir(), 'piton-templates-'));

export interface Runtime {
  readonly places: Places;
  readonly client: string;
  readonly runtime: string;
  /** A directory that stands for the agent's project. */
  readonly project: string;
  /** The frames that lie in the journal as files of their own. */
  journalled(): Frame[];
  /** What is kept for a root, the user's or one project's: by registration what to print. */
  setLastResort(root: string | null, denies: Readonly<Record<string, string>>): void;
  /** No server may be started for an hour. */
  setBackoff(): void;
  remove(): void;
}

/** A throw-away home with the forwarder and the client in it, bundled as the release bundles it. */
export async function makeRuntime(): Promise<Runtime> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'piton-client-')));
  const version = join(root, 'home', 'runtime', VERSION);
  const project = join(root, 'project');
  mkdirSync(version, { recursive: true, mode: 0o700 });
  mkdirSync(project);
  symlinkSync(VERSION, join(root, 'home', 'runtime', 'current'));
  writeFileSync(join(version, 'node'), `${process.execPath}\n`);
  cpSync(await bundled(), version, { recursive: true });
  copyFileSync(buildForwarder(), join(version, 'piton-forward'));
  chmodSync(join(version, 'piton-forward'), 0o755);
  const config = join(root, 'config');
  mkdirSync(config);
  writeFileSync(join(root, 'home', 'place.json'), JSON.stringify({ config }));
  const places = placesOf(join(root, 'home'), config);
  return {
    places,
    client: join(places.current, 'client.cjs'),
    runtime: version,
    project,
    journalled() {
      const names = existsSync(places.journal) ? readdirSync(places.journal).filter((name) => name.endsWith('.frame')) : [];
      return names.map((name) => {
        const read = readFrameFile(readFileSync(join(places.journal, name)));
        if (!read.ok) throw new Error(read.error);
        return read.frame;
      });
    },
    setLastResort(root, denies) {
      const folder = join(places.home, 'last-resort');
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      writeFileSync(join(folder, root === null ? 'user' : 'a-project'), lastResortText({ root, denies: new Map(Object.entries(denies)) }));
    },
    setBackoff() {
      mkdirSync(places.environment, { recursive: true, mode: 0o700 });
      writeFileSync(join(places.environment, 'backoff'), `${Date.now() + 1_000_000} 3 a test\n`);
    },
    remove() {
      rmSync(root, { recursive: true, force: true, maxRetries: 10 }); // what was killed may be writing still
      rmSync(places.sockets, { recursive: true, force: true });
    },
  };
}

/** Made once in a run of the tests. Whole or absent: another worker may make the same. */
async function bundled(): Promise<string> {
  const folder = join(TEMPLATES, `client-${VERSION}`);
  if (existsSync(folder)) return folder;
  mkdirSync(TEMPLATES, { recursive: true });
  const made = mkdtempSync(`${folder}-`);
  await bundle(made);
  try {
    renameSync(made, folder);
  } catch (error) {
    if (!existsSync(folder)) throw error;
    rmSync(made, { recursive: true, force: true });
  }
  return folder;
}

export async function bundle(into: string) {
  return build({
    entryPoints: { client: join(SOURCES, 'main.ts'), fallback: join(SOURCES, 'fallback.ts'), port: join(SOURCES, 'plugin', 'port.ts') },
    outdir: into,
    outExtension: { '.js': '.cjs' },
    bundle: true,
    minify: true,
    metafile: true,
    platform: 'node',
    target: 'node20.19',
    format: 'cjs',
    mainFields: ['module', 'main'],
    define: { PITON_VERSION: JSON.stringify(VERSION) },
    logLevel: 'error',
  });
}

export function makeSocketDirectory(places: Places): void {
  mkdirSync(dirname(places.sockets), { recursive: true, mode: 0o700 });
  mkdirSync(places.sockets, { recursive: true, mode: 0o700 });
}

export interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Started {
  readonly process: ChildProcess;
  readonly finished: Promise<Finished>;
}

export interface Launch {
  readonly argv: readonly string[];
  readonly cwd: string;
  /** Undefined leaves the pipe open. */
  readonly stdin?: string | Buffer | undefined;
  readonly env?: Readonly<Record<string, string | undefined>>;
}

export function launch({ argv, cwd, stdin, env }: Launch): Started {
  const [command = '', ...args] = argv;
  const child = spawn(command, args, { cwd, env: { ...process.env, PITON_DEPTH: undefined, PITON_RUN: undefined, ...env } });
  const [stdout, stderr]: [Buffer[], Buffer[]] = [[], []];
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk));
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk));
  child.stdin.on('error', () => undefined);
  if (stdin !== undefined) child.stdin.end(stdin);
  const finished = new Promise<Finished>((resolve) =>
    child.once('close', (code) => resolve({ code, stdout: Buffer.concat(stdout).toString(), stderr: Buffer.concat(stderr).toString() })),
  );
  return { process: child, finished };
}
