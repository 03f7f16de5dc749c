import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';
import { readRegular } from '../files/regular-file.ts';
import { findHere, pathHere } from '../programs.ts';
import { chooseHookOf, filesOf, hookFolders } from './hook-folders.ts';
import type { FetchedHook } from './origin.ts';
import { baseNameOf, type SourceRef, sourceText } from './source-ref.ts';
import { readTarball, type SourceEntry } from './tar.ts';

const MOST_PACKED = 32 * 1024 * 1024;
const MOST_UNPACKED = 64 * 1024 * 1024;
const TIMEOUT_MS = 120_000;
/** npm's answer names every file of the package. */
const MOST_OUTPUT = 16 * 1024 * 1024;

type NpmRef = Extract<SourceRef, { kind: 'npm' }>;

/**
 * A package as its registry has it, by the person's npm, which knows their registry and their password for it. npm only downloads and
 * compares the tarball with the registry's checksum: nothing is installed, no script runs, and the tarball is read in memory.
 */
export async function npmHook(context: Context, ref: NpmRef, wanted: string | undefined, signal: AbortSignal): Promise<FetchedHook> {
  const where = sourceText(ref);
  const directory = mkdtempSync(join(tmpdir(), 'piton-npm-'));
  try {
    const { file, version } = await download(context, ref, directory, signal);
    const tarball = readOrFail(file, where);
    const entries = entriesIn(tarball, where);
    const { name, path } = chooseHookOf(
      hookFolders(
        entries.filter(({ not }) => not === undefined).map((entry) => entry.path),
        baseNameOf(ref),
      ),
      wanted,
      where,
    );
    return {
      name,
      files: filesOf(entries, path, where),
      origin: { kind: 'npm', source: where, path, version, integrity: `sha512-${createHash('sha512').update(tarball).digest('base64')}` },
      signed: [],
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function readOrFail(file: string, where: string): Buffer {
  try {
    return readRegular(file, MOST_PACKED);
  } catch (error) {
    throw new Failure(`cannot read what npm downloaded: ${reasonOf(error)}`, { where });
  }
}

/** Without the folder that is around everything in a package. */
function entriesIn(tarball: Buffer, where: string): SourceEntry[] {
  try {
    const entries = readTarball(tarball, MOST_UNPACKED);
    const leading = entries.find(({ path }) => path.startsWith('/') || path.split('/').includes('..'));
    if (leading !== undefined) throw new Error(`a path in it leads elsewhere: ${JSON.stringify(leading.path)}`);
    return entries.map((entry) => ({ ...entry, path: entry.path.split('/').slice(1).join('/') }));
  } catch (error) {
    throw new Failure(`this package cannot be read: ${reasonOf(error)}`, { where });
  }
}

interface Downloaded {
  readonly file: string;
  readonly version: string;
}

async function download(context: Context, ref: NpmRef, directory: string, signal: AbortSignal): Promise<Downloaded> {
  const where = sourceText(ref);
  const program = findHere(context, 'npm');
  if (program === undefined) throw new Failure('npm is not installed, or only inside of a repository', { where, remedy: 'install npm' });
  const spec = ref.wanted === '' ? ref.name : `${ref.name}@${ref.wanted}`;
  const args = [
    'pack',
    '--json',
    '--ignore-scripts',
    '--no-audit',
    '--no-fund',
    '--no-update-notifier',
    '--no-workspaces',
    '--pack-destination',
    directory,
    '--',
    spec,
  ];
  const { code, stdout, stderr } = await run(context, program, args, directory, signal);
  signal.throwIfAborted();
  const failed = (why: string): Failure => new Failure(`npm could not get it: ${why}`, { where, remedy: 'check the name and the version' });
  if (code !== 0) throw failed(saidByNpm(stderr));
  try {
    // npm before 9 writes the names of scoped packages with their slash.
    const [{ filename, version, integrity }] = JSON.parse(stdout) as [{ filename: string; version: string; integrity: string }];
    const file = join(directory, basename(filename.replace(/^@/, '').replaceAll('/', '-')));
    const actual = `sha512-${createHash('sha512').update(readRegular(file, MOST_PACKED)).digest('base64')}`;
    if (actual !== integrity) throw new Error('the tarball is not what npm says that it is');
    return { file, version };
  } catch (error) {
    throw failed(reasonOf(error));
  }
}

/** Its own messages, without where its log lies. */
function saidByNpm(stderr: string): string {
  const lines = stderr.split('\n').flatMap((line) => /^npm (?:error|ERR!) (?!code |A complete log)(\S.*)$/.exec(line)?.[1] ?? []);
  return lines[0]?.slice(0, 500) ?? 'it said nothing of why';
}

/**
 * In a directory that npm takes for a project: else it looks for one in those above, and reads its settings. Above is where temporary
 * files are, and everybody may write there.
 */
function run(context: Context, program: string, args: readonly string[], cwd: string, signal: AbortSignal) {
  const env = { ...context.env, PATH: [dirname(process.execPath), pathHere(context)].filter(Boolean).join(delimiter) };
  mkdirSync(join(cwd, 'node_modules'));
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: TIMEOUT_MS, signal });
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (part: string) => {
      said[name] += part;
      if (said[name].length > MOST_OUTPUT) child.kill();
    });
  return new Promise<{ code: number | null; stdout: string; stderr: string }>((resolve) => {
    child.on('error', (error) => resolve({ code: -1, stdout: '', stderr: `npm error ${error.message}` }));
    child.on('close', (code) => resolve({ code, ...said }));
  });
}
