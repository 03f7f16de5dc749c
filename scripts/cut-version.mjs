// npm run version: the changes in .changeset become the next version of all packages, and its section of CHANGELOG.md.
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { readChangesets, sectionOf, withSection } from './changeset-files.mjs';
import { installChangesets } from './changesets.mjs';
import { ROOT } from './sources.mjs';
import { settleUsage } from './usage.mjs';

export const PUBLISHED = ['@piton/cli', '@piton/hooks', '@piton/contracts'];

const read = (file) => JSON.parse(readFileSync(file, 'utf8'));
const write = (file, value) => writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`);

/** Changesets writes the manifests of the workspaces; the root, the lockfile and the changelog are ours. @returns the new version */
export function cutVersion(root, date, changesets) {
  const changes = readChangesets(root, PUBLISHED);
  if (changes.length === 0) throw new Error('nothing has changed since the last version: .changeset holds no file');
  const { status } = spawnSync(process.execPath, [changesets, 'version'], { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) throw new Error('changesets failed');
  const { version } = read(join(root, 'apps', 'cli', 'package.json'));
  const manifest = join(root, 'package.json');
  write(manifest, withOwn({ ...read(manifest), version }, version));
  updateLock(root, version);
  const changelog = join(root, 'CHANGELOG.md');
  writeFileSync(changelog, withSection(readFileSync(changelog, 'utf8'), sectionOf(version, date, changes)));
  return version;
}

const FIELDS = ['dependencies', 'devDependencies', 'optionalDependencies'];

/** Our packages name each other by their exact version. */
function withOwn(manifest, version) {
  const whole = { ...manifest };
  for (const field of FIELDS) {
    if (whole[field] === undefined) continue;
    whole[field] = Object.fromEntries(
      Object.entries(whole[field]).map(([name, range]) => [name, name.startsWith('@piton/') ? version : range]),
    );
  }
  return whole;
}

/** npm would ask a registry for it; only our own versions are new. */
function updateLock(root, version) {
  const file = join(root, 'package-lock.json');
  const lock = read(file);
  const ours = ([path, entry]) => path === '' || (!path.includes('node_modules/') && entry.version !== undefined);
  const packages = Object.fromEntries(
    Object.entries(lock.packages).map(([path, entry]) => [path, ours([path, entry]) ? withOwn({ ...entry, version }, version) : entry]),
  );
  write(file, { ...lock, version, packages });
}

function main() {
  settleUsage(
    `usage: npm run version

Makes the next version of the files in .changeset: in all manifests, the lockfile and CHANGELOG.md. It commits nothing.`,
    [],
  );
  const changesets = installChangesets();
  if (changesets === null) throw new Error('changesets could not be downloaded');
  const version = cutVersion(ROOT, new Date().toISOString().slice(0, 10), changesets);
  console.log(`${version}: look at CHANGELOG.md, commit, and push the tag v${version}. The release workflow publishes what has that tag.`);
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  try {
    main();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
