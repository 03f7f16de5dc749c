// Checks that npm ci can install from the lockfile alone, on every platform, from any registry, and runs no script that nobody has looked at.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { ROOT } from './sources.mjs';

/** Where npm looks for a dependency of the package at `from`: beside it, then in every node_modules above. */
function* candidates(from, name) {
  for (let at = from; ; ) {
    yield at === '' ? `node_modules/${name}` : `${at}/node_modules/${name}`;
    if (at === '') return;
    const above = at.lastIndexOf('/node_modules/');
    at = above < 0 ? '' : at.slice(0, above);
  }
}

/** The packages whose install scripts may run where a person types `npm ci`: one looks at its program, the other for its prebuilt file. */
const WITH_SCRIPTS = ['node_modules/@photostructure/sqlite', 'node_modules/esbuild'];

/** If a registry lacks a platform's package when the lock is made, its entry has no version, or is missing. Then npm ci fails. */
export function lockProblems({ packages }) {
  const problems = [];
  for (const [path, entry] of Object.entries(packages)) {
    if (/^[a-z+]*:\/\//.test(entry.resolved ?? '')) problems.push(`${path} names where it came from: ${entry.resolved}`);
    if (entry.hasInstallScript && !WITH_SCRIPTS.includes(path)) problems.push(`${path} runs a script when it is installed`);
    if (path.includes('node_modules/') && !entry.link && !entry.version) problems.push(`${path} has no version`);
    for (const name of Object.keys({ ...entry.dependencies, ...entry.optionalDependencies })) {
      if (![...candidates(path, name)].some((place) => packages[place] !== undefined))
        problems.push(`${path || 'the workspace'} needs ${name}, which is not in the lockfile`);
    }
  }
  return problems;
}

function main() {
  const problems = lockProblems(JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')));
  for (const problem of problems) console.log(problem);
  console.log(problems.length === 0 ? 'the lockfile is complete' : `${problems.length} problems in package-lock.json`);
  process.exitCode = problems.length === 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main();
