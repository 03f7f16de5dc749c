import { lstatSync, readFileSync, readlinkSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { shellWord } from '@piton/contracts';
import { isProgram } from '@piton/contracts/programs';
import { commandName, shellPath } from '../command-name.ts';
import type { Context } from '../context.ts';
import { Failure, reasonOf } from '../failure.ts';
import { LAUNCHER_NAME } from '../runtime/launcher.ts';
import { makeDirectories, removeConfig } from './config-file.ts';

/** A link in the user's directory of programs, to the command in the runtime. */
export interface CommandLink {
  readonly path: string;
  readonly target: string;
}

export const linkOf = (home: string, forwarder: string): CommandLink => ({
  path: join(home, '.local', 'bin', LAUNCHER_NAME),
  target: join(dirname(forwarder), LAUNCHER_NAME),
});

/** Undefined if it exists. Another command of that name is never replaced. */
export function planLink(link: CommandLink): CommandLink | undefined {
  const there = targetOf(link.path);
  if (there === link.target) return undefined;
  if (there === undefined) return link;
  throw new Failure('another command of that name exists', {
    where: link.path,
    remedy: 'move it away, or drop --link',
  });
}

/** `home` is Piton's, where it is noted which directories were made for the link. */
export function writeLink(home: string, { path, target }: CommandLink): void {
  const made = makeDirectories(dirname(path), 0o755);
  try {
    symlinkSync(target, path);
  } catch (error) {
    throw new Failure(`cannot create the link: ${reasonOf(error)}`, { where: path, remedy: 'drop --link' });
  }
  if (made.length > 0) writeFileSync(noteOf(home), `${JSON.stringify(made)}\n`, { mode: 0o600 });
}

const noteOf = (home: string): string => join(home, 'link-directories.json');

/** Is it ours, whoever made it? Without Piton it would be dangling. */
export const isLinked = ({ path, target }: CommandLink): boolean => targetOf(path) === target;

/** Removes it, then those of our directories that are empty. */
export function removeLink(home: string | undefined, { path }: CommandLink): void {
  removeConfig(path, home === undefined ? [] : madeFor(home));
  if (home !== undefined) rmSync(noteOf(home), { force: true });
}

function madeFor(home: string): string[] {
  try {
    return JSON.parse(readFileSync(noteOf(home), 'utf8')) as string[];
  } catch {
    return [];
  }
}

/** The target of a link. Null if it is not a link, undefined if it does not exist. */
function targetOf(path: string): string | null | undefined {
  const stat = lstatSync(path, { throwIfNoEntry: false });
  if (!stat) return undefined;
  return stat.isSymbolicLink() ? readlinkSync(path) : null;
}

/** How to get the command onto PATH. Empty if it is there. */
export function linkHint(context: Context, { path, target }: CommandLink): string[] {
  if (!isProgram(target) || commandName(context) === 'piton') return [];
  const directory = dirname(path);
  const known = (context.env.PATH ?? '').split(delimiter).includes(directory);
  // It is made already: what is missing is the directory.
  if (isLinked({ path, target }) && !known)
    return [
      `To run \`piton\` from any directory, put ${shellPath(context, directory)} on your PATH, in your shell's profile too:`,
      `  export PATH=${shellWord(directory)}:"$PATH"`,
    ];
  const where = known ? '' : `, once ${shellPath(context, directory)} is on your PATH`;
  return [`To run \`piton\` from any directory${where}:`, `  ${commandName(context)} init --link`];
}
