// Files that are generated from the code and committed.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './sources.mjs';

function read(path) {
  try {
    return readFileSync(join(ROOT, path), 'utf8');
  } catch {
    return undefined;
  }
}

/** The files that would change: stale, missing, or left over. */
export function drift(files, orphans) {
  return [...files.filter(({ path, text }) => read(path) !== text).map(({ path }) => path), ...orphans];
}

/** Writes what is stale, or with `--check` lists it and fails. */
export function settle(files, orphans, remedy) {
  const stale = drift(files, orphans);
  if (process.argv.includes('--check')) {
    for (const path of stale) console.log(`stale: ${path}`);
    if (stale.length > 0) console.log(`run: ${remedy}`);
    process.exitCode = stale.length === 0 ? 0 : 1;
    return;
  }
  for (const { path, text } of files) if (stale.includes(path)) writeFileSync(join(ROOT, path), text);
  for (const path of orphans) rmSync(join(ROOT, path));
  console.log(stale.length === 0 ? 'nothing to do' : stale.map((path) => `wrote ${path}`).join('\n'));
}
