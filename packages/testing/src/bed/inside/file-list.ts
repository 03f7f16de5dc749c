import { createHash } from 'node:crypto';
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { join } from 'node:path';
import type { FileList } from '../job.ts';

/** The files of a working tree, read without git, because git is also under test. */
export function listFiles(root: string): FileList {
  const found: Record<string, string> = {};
  const walk = (below: string): void => {
    for (const name of readdirSync(join(root, below)).sort()) {
      if (below === '' && name === '.git') continue;
      const path = below === '' ? name : `${below}/${name}`;
      const stat = lstatSync(join(root, path));
      if (stat.isDirectory()) walk(path);
      else if (stat.isSymbolicLink()) found[path] = `-> ${readlinkSync(join(root, path))}`;
      else if (stat.isFile())
        found[path] = createHash('sha256')
          .update(readFileSync(join(root, path)))
          .digest('hex');
    }
  };
  walk('');
  return found;
}
