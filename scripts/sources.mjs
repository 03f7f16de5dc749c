// Which files a build is made from, and one hash over all of them.
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)));

const SKIPPED = new Set(['node_modules', 'dist', 'test', 'fixtures', 'samples', '.git']);

/** Every file below `directory`, sorted, as absolute paths. */
export function filesBelow(directory, skipped = SKIPPED) {
  const found = [];
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    const path = join(directory, entry.name);
    if (entry.isDirectory() && !skipped.has(entry.name)) found.push(...filesBelow(path, skipped));
    else if (entry.isFile()) found.push(path);
  }
  return found.sort();
}

export function sourceHash() {
  const files = ['packages', 'apps', 'hooks-library'].flatMap((room) => filesBelow(join(ROOT, room)));
  files.push(
    ...[
      'package.json',
      'package-lock.json',
      ...['build', 'bundle', 'forwarder', 'library', 'page'].map((name) => `scripts/${name}.mjs`),
    ].map((name) => join(ROOT, name)),
  );
  const hash = createHash('sha256');
  for (const file of files) {
    try {
      hash
        .update(`${relative(ROOT, file)}\0`)
        .update(readFileSync(file))
        .update('\0');
    } catch (error) {
      if (error.code !== 'ENOENT') throw error; // deleted since it was listed: its absence changes the hash
    }
  }
  return hash.digest('hex');
}
