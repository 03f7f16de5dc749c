import { randomBytes } from 'node:crypto';
import { chmodSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { readTree, type Tree } from './tree.ts';

export const objectsOf = (trustDir: string): string => join(trustDir, 'objects');
export const objectPath = (trustDir: string, hash: string): string => join(objectsOf(trustDir), hash);

/** Puts a read-only copy where its hash names it. What is there already is used if nobody touched it. */
export function writeObject(trustDir: string, tree: Tree): string {
  const target = objectPath(trustDir, tree.hash);
  const there = readTree(target);
  if (there.ok && there.tree.hash === tree.hash && there.tree.leftOut.length === 0) return target;
  const draft = join(objectsOf(trustDir), `.${tree.hash.slice(0, 16)}.${process.pid}.${randomBytes(4).toString('hex')}`);
  mkdirSync(draft, { recursive: true, mode: 0o700 });
  const directories = new Set<string>();
  for (const { path, executable, bytes } of tree.files) {
    const file = join(draft, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    for (let up = dirname(file); up !== draft; up = dirname(up)) directories.add(up);
    writeFileSync(file, bytes, { flag: 'wx', mode: 0o600 });
    chmodSync(file, executable ? 0o500 : 0o400);
  }
  for (const directory of directories) chmodSync(directory, 0o500);
  settle(draft, target, tree.hash);
  // After the rename: some systems do not move a directory that cannot be written.
  chmodSync(target, 0o500);
  return target;
}

function settle(draft: string, target: string, hash: string): void {
  if (lstatSync(target, { throwIfNoEntry: false }) !== undefined) {
    const there = readTree(target);
    // Another process was faster.
    if (there.ok && there.tree.hash === hash && there.tree.leftOut.length === 0) return removeObject(draft);
    removeObject(target);
  }
  renameSync(draft, target);
}

/** Its directories are read-only, so they must be opened first. */
export function removeObject(path: string): void {
  const open = (directory: string): void => {
    chmodSync(directory, 0o700);
    for (const entry of readdirSync(directory, { withFileTypes: true })) if (entry.isDirectory()) open(join(directory, entry.name));
  };
  if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) open(path);
  rmSync(path, { recursive: true, force: true });
}

/** Removes copies that no trusted hook refers to. */
export function removeUnused(trustDir: string, used: ReadonlySet<string>): void {
  let names: string[];
  try {
    names = readdirSync(objectsOf(trustDir));
  } catch {
    return;
  }
  // Drafts of a process that is at work begin with a dot.
  for (const name of names) if (!name.startsWith('.') && !used.has(name)) removeObject(join(objectsOf(trustDir), name));
}
