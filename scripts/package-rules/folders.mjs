// Limits the number of files in a folder, so that it can be read at a glance.
import { dirname } from 'node:path';

export function filesPerFolder(paths) {
  const counts = new Map();
  for (const path of paths) counts.set(dirname(path), (counts.get(dirname(path)) ?? 0) + 1);
  return counts;
}

export function fullFolders(paths, most) {
  return [...filesPerFolder(paths)]
    .filter(([, count]) => count > most)
    .map(([folder, count]) => `${folder} has ${count} files of code: sort them into folders, ${most} at most`);
}
