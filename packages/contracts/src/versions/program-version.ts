import { closeSync, fstatSync, openSync, readSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { parseVersion } from './version-text.ts';

/** A program may lie some folders deep in its package. */
const MOST_PARENTS = 5;
const MAX_BYTES = 256 * 1024;

/** The version that the package of a program has: of the nearest `package.json` above that names this very file as its command. */
export function packageVersion(program: string): string | undefined {
  const file = realPathOf(program);
  if (file === undefined) return undefined;
  for (let at = dirname(file), steps = 0; steps < MOST_PARENTS && at !== dirname(at); at = dirname(at), steps++) {
    const manifest = manifestIn(at);
    if (manifest === undefined) continue;
    // Some ship another manifest beside their program, with paths that fit only above.
    if (!commandsOf(manifest).some((command) => realPathOf(resolve(at, command)) === file)) continue;
    return typeof manifest['version'] === 'string' ? parseVersion(manifest['version']) : undefined;
  }
  return undefined;
}

/** By which it is seen that a program was replaced: it need not be asked again while this stays. */
export function programIdentity(program: string): string | undefined {
  const file = realPathOf(program);
  if (file === undefined) return undefined;
  const { dev, ino, size, mtimeMs, ctimeMs } = statSync(file);
  return [file, dev, ino, size, mtimeMs, ctimeMs].join(':');
}

function commandsOf({ bin }: Record<string, unknown>): string[] {
  const values = typeof bin === 'object' && bin !== null ? Object.values(bin) : [bin];
  return values.filter((value) => typeof value === 'string');
}

function manifestIn(directory: string): Record<string, unknown> | undefined {
  try {
    const value: unknown = JSON.parse(readSmall(join(directory, 'package.json')));
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}

/** It may lie in a repository: a pipe there must not hang us, nor a large file fill the memory. */
function readSmall(file: string): string {
  if (!statSync(file).isFile()) return '';
  const handle = openSync(file, 'r');
  try {
    const { size } = fstatSync(handle);
    if (size > MAX_BYTES) return '';
    const bytes = Buffer.alloc(size);
    return bytes.toString('utf8', 0, readSync(handle, bytes));
  } finally {
    closeSync(handle);
  }
}

function realPathOf(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
