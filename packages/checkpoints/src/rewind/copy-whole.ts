import { constants, type Stats } from 'node:fs';
import { access, chmod, copyFile, lchown, lstat, readlink, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

type Place = Buffer | string;

const folderOf = (place: Buffer): Buffer => Buffer.from(dirname(place.toString('latin1')), 'latin1');

/** Files that may be read, and links. A pipe, a socket or a device has no content: one made anew would be another. */
export async function isCopyable(place: Place, found: Stats): Promise<boolean> {
  if (found.isSymbolicLink()) return true;
  if (!found.isFile()) return false;
  return succeeds(access(place, constants.R_OK));
}

const succeeds = (act: Promise<void>): Promise<boolean> =>
  act.then(
    () => true,
    () => false,
  );

/** The bytes and who may do what with them, or where a link leads. */
export async function copyWhole(from: Place, to: Place): Promise<void> {
  const found = await lstat(from);
  if (found.isSymbolicLink()) await symlink(await readlink(from, { encoding: 'buffer' }), to);
  else await copyFile(from, to, constants.COPYFILE_EXCL);
  const made = await lstat(to);
  const isTheirs = made.uid !== found.uid || made.gid !== found.gid;
  // Nobody but root can give a file to others: then it is ours, as any copy would be, and runs as nobody else.
  const isOurs = isTheirs && !(await succeeds(lchown(to, found.uid, found.gid)));
  if (!found.isSymbolicLink()) await chmod(to, found.mode & (isOurs ? 0o777 : 0o7777));
}

/** As far as anybody can tell without trying. `other` need not be there: then it is where it would be. */
export async function isOnOneDisk(place: Place, other: Place): Promise<boolean> {
  const { dev } = await lstat(place);
  for (let at: Buffer = Buffer.from(other); ; at = folderOf(at)) {
    const found = await lstat(at).catch(() => null);
    if (found?.isDirectory() || folderOf(at).equals(at)) return found?.dev === dev;
  }
}

/** Tried with a file of nothing: also on one disk it can be refused, where a folder is mounted a second time. */
export async function canRename(from: Place, to: Place): Promise<boolean> {
  await rm(from, { force: true });
  await writeFile(from, '', { flag: 'wx' });
  try {
    await rename(from, to);
    await unlink(to);
    return true;
  } catch (error) {
    await unlink(from).catch(() => null);
    if ((error as NodeJS.ErrnoException).code !== 'EXDEV') throw error;
    return false;
  }
}
