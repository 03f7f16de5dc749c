import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { chmodSync, mkdtempSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';

/** The same way as the server is built: one CommonJS file, the native module outside of it. */
export async function buildChild(): Promise<string> {
  const outfile = join(mkdtempSync(join(tmpdir(), 'piton-store-child-')), 'child.cjs');
  const native = createRequire(import.meta.url).resolve('@photostructure/sqlite');
  await build({
    entryPoints: [join(import.meta.dirname, 'programs/store-child.ts')],
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20',
    outfile,
    logLevel: 'error',
    plugins: [
      { name: 'native', setup: (api) => api.onResolve({ filter: /^@photostructure\/sqlite$/ }, () => ({ path: native, external: true })) },
    ],
  });
  chmodSync(join(outfile, '..'), 0o755);
  return outfile;
}

export interface Ended {
  readonly lines: readonly Record<string, unknown>[];
  readonly stderr: string;
  readonly code: number | null;
}

export interface Running {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  readonly firstLine: Promise<Record<string, unknown>>;
}

export function run(command: string, args: readonly string[], options: { uid?: number; gid?: number } = {}): Running {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
  let stdout = '';
  let stderr = '';
  const lines = () =>
    stdout
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const firstLine = new Promise<Record<string, unknown>>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk.toString();
      const [line] = lines();
      if (line !== undefined) resolve(line);
    });
    child.on('close', () => reject(new Error(`it ended without a word: ${stderr}`)));
  });
  firstLine.catch(() => {}); // whoever wants it hears of it
  child.stderr.on('data', (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = new Promise<Ended>((resolve) => child.on('close', (code) => resolve({ lines: lines(), stderr, code })));
  return { process: child, ended, firstLine };
}

/** How a command gets a mount namespace of its own here, or null where it cannot. */
export function ownMounts(): readonly string[] | null {
  const ways = process.getuid?.() === 0 ? [['-m'], ['-rm']] : [['-rm']];
  return (
    ways.find(
      (flags) => spawnSync('unshare', [...flags, 'sh', '-c', 'mount -t tmpfs -o size=64k none /mnt'], { stdio: 'ignore' }).status === 0,
    ) ?? null
  );
}
