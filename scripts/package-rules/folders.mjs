// Limits the number of files in a folder, so that it can be read at a glance.
import { dirname } from 'node:path';

export function filesPerFolder(paths) {
  const counts = new Map();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return counts;
}

/** `exceptions`: folder → its limit. One that no longer needs its exception is reported too. */
export function fullFolders(paths, most, exceptions) {
  const counts = filesPerFolder(paths);
  return [
    ...[...counts]
      .filter(([folder, count]) => count > (exceptions[folder] ?? most))
      .map(([folder, count]) => `${folder} has ${count} files of code: sort them into folders, ${exceptions[folder] ?? most} at most`),
    ...Object.keys(exceptions)
      .filter((folder) => (counts.get(folder) ?? 0) <= most)
      .map((folder) => `${folder} needs no exception from ${most} files`),
  ];
}
