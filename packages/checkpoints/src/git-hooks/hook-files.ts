import { access, chmod, constants, lstat, mkdir, open, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { GIT_HOOKS, type GitHook } from '@piton/contracts';
import type { Git } from '@piton/git';
import type { Repository } from '../repositories/repository.ts';
import { besideName, hasBlock, isShellScript, pitonScript, withBlock, withoutBlock } from './script.ts';

export type HooksDirectory =
  | { readonly kind: 'own'; readonly directory: string }
  /** Other repositories, or other people, would get our hooks too: only if the user says so. */
  | { readonly kind: 'shared'; readonly directory: string; readonly why: 'outside-the-repository' | 'part-of-the-project' }
  /** `core.hooksPath` points to nothing that can hold hooks. */
  | { readonly kind: 'disabled'; readonly directory: string };

/** Where git looks for hooks, and whether that place is this repository's alone. */
export async function hooksDirectory(git: Git, { hooksDir, root, commonDir }: Repository): Promise<HooksDirectory> {
  const found = await stat(hooksDir).catch(() => null);
  if (hooksDir === '/dev/null' || (found && !found.isDirectory())) return { kind: 'disabled', directory: hooksDir };
  const inside = (parent: string) => hooksDir === parent || hooksDir.startsWith(`${parent}/`);
  if (inside(commonDir)) return { kind: 'own', directory: hooksDir };
  if (!inside(root)) return { kind: 'shared', directory: hooksDir, why: 'outside-the-repository' };
  // Hook managers keep a folder in the project that git ignores.
  const name = join(relative(root, hooksDir), 'post-commit');
  const ignored = await git(['check-ignore', '--quiet', '--no-index', name], { cwd: root, environment: { GIT_LITERAL_PATHSPECS: '0' } });
  return ignored.code === 0 ? { kind: 'own', directory: hooksDir } : { kind: 'shared', directory: hooksDir, why: 'part-of-the-project' };
}

export interface Installed {
  /** Hooks that were not yet as they should be. */
  readonly written: readonly GitHook[];
  readonly failed: readonly { readonly hook: GitHook; readonly error: string }[];
}

/** Writes into a hooks directory. `command` is run with the hook's name and arguments behind it. One that fails stops no other. */
export async function installHookFiles(directory: string, command: readonly string[]): Promise<Installed> {
  await mkdir(directory, { recursive: true });
  const written: GitHook[] = [];
  const failed: { hook: GitHook; error: string }[] = [];
  for (const hook of GIT_HOOKS) {
    try {
      if (await install(directory, hook, command)) written.push(hook);
    } catch (error) {
      failed.push({ hook, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return { written, failed };
}

/** Which hooks are not there, or are of another Piton. */
export async function missingHookFiles(directory: string, command: readonly string[]): Promise<GitHook[]> {
  const missing: GitHook[] = [];
  for (const hook of GIT_HOOKS) {
    const text = await readFile(join(directory, hook), 'latin1').catch(() => '');
    const rest = hasBlock(text) ? withoutBlock(text, hook) : undefined;
    const wanted = rest === undefined ? null : rest === null ? pitonScript(hook, command) : withBlock(rest, hook, command);
    if (text !== wanted || !(await isExecutable(join(directory, hook)))) missing.push(hook);
  }
  return missing;
}

const isExecutable = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

async function install(directory: string, hook: GitHook, command: readonly string[]): Promise<boolean> {
  const file = join(directory, hook);
  const found = await lstat(file).catch(() => null);
  if (!found) return writeNew(file, pitonScript(hook, command), 0o755);
  const text = found.isFile() ? await readFile(file, 'latin1').catch(() => null) : null;
  const foreign = text === null ? null : hasBlock(text) ? withoutBlock(text, hook) : text;
  const ours = text !== null && foreign === null;
  if (ours) return replace(file, text, pitonScript(hook, command), 0o755);
  if (text !== null && foreign !== null && isShellScript(foreign) && (await isExecutable(file))) {
    return replace(file, text, withBlock(foreign, hook, command), found.mode & 0o777);
  }
  // A link, a program, something unreadable, or something that git would not run: it goes aside as it is.
  await rename(file, await freeName(directory, hook));
  return writeNew(file, pitonScript(hook, command), 0o755);
}

/** Nothing that lies aside already is ever written over. */
async function freeName(directory: string, hook: string): Promise<string> {
  const name = join(directory, besideName(hook));
  if (!(await lstat(name).catch(() => null))) return name;
  throw new Error(`${name} already holds an older hook, and ${hook} is a different one`);
}

/** Files are text of unknown encoding: read and written byte by byte. */
async function writeNew(file: string, text: string, mode: number): Promise<true> {
  const handle = await open(file, 'wx', mode);
  await handle.writeFile(text, 'latin1').finally(() => handle.close());
  await chmod(file, mode);
  return true;
}

async function replace(file: string, before: string, after: string, mode: number): Promise<boolean> {
  const executable = await isExecutable(file);
  if (before === after && executable) return false;
  const temporary = `${file}.piton-new`;
  await writeFile(temporary, after, { encoding: 'latin1', mode });
  await chmod(temporary, mode);
  await rename(temporary, file);
  return true;
}

/** Others move what they find aside, and so may have moved ours. */
const ALSO_AT = ['', '.old', '.legacy'];

/** Takes our part out again, and puts back what was there; gives back the files that changed. */
export async function uninstallHookFiles(directory: string): Promise<string[]> {
  const changed: string[] = [];
  for (const hook of GIT_HOOKS) {
    for (const ending of ALSO_AT) {
      const file = join(directory, `${hook}${ending}`);
      const found = await lstat(file).catch(() => null);
      const text = found?.isFile() ? await readFile(file, 'latin1').catch(() => '') : '';
      if (!found || !hasBlock(text)) continue;
      const rest = withoutBlock(text, hook);
      if (rest !== null) await replace(file, text, rest, found.mode & 0o777);
      else if (await lstat(join(directory, besideName(hook))).catch(() => null)) await rename(join(directory, besideName(hook)), file);
      else await rm(file);
      changed.push(file);
    }
  }
  return changed;
}
