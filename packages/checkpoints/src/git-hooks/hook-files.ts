import { access, chmod, constants, lstat, mkdir, open, readFile, readlink, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { GIT_HOOKS, type GitHook } from '@piton/contracts';
import { FORWARDER_NAME } from '@piton/contracts/places';
import type { Git } from '@piton/git';
import type { Repository } from '../repositories/repository.ts';
import { besideName, hasBlock, isShellScript, pitonScript, WAS_EMPTY, withBlock, withoutBlock } from './script.ts';

/** Whose a directory of hooks is: this repository's alone, others' too, or husky's, which runs its files in a shell whether they can be executed or not. */
export type HooksStyle = 'own' | 'shared' | 'husky';

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

/** What `init` does to one file of the hooks directory. */
export interface HookFilePlan {
  readonly hook: GitHook;
  readonly file: string;
  /** Text of unknown encoding, one character a byte. Null where there is no file, or none that could be read. */
  readonly before: string | null;
  readonly after: string;
  readonly mode: number;
  /** Where the person's own goes, if it cannot be added to. */
  readonly aside: string | null;
  /** The file becomes a link that leads there. Then `after` is empty. */
  readonly link: string | null;
}

/** Looks only. `command` is run with the hook's name and arguments behind it. Those that need no change are not in it. */
export async function planHookFiles(
  directory: string,
  command: readonly string[],
  style: HooksStyle = 'own',
  hooks: readonly GitHook[] = GIT_HOOKS,
): Promise<HookFilePlan[]> {
  const plans: HookFilePlan[] = [];
  for (const hook of hooks) {
    const plan = await (style === 'husky' ? planHuskyFile(directory, hook, command) : planHookFile(directory, hook, command, style));
    if (plan !== null) plans.push(plan);
  }
  return plans;
}

/** Writes into a hooks directory. One that fails stops no other. */
export async function installHookFiles(
  directory: string,
  command: readonly string[],
  style: HooksStyle = 'own',
  hooks: readonly GitHook[] = GIT_HOOKS,
): Promise<Installed> {
  await mkdir(directory, { recursive: true });
  const written: GitHook[] = [];
  const failed: { hook: GitHook; error: string }[] = [];
  for (const plan of await planHookFiles(directory, command, style, hooks)) {
    try {
      await applyHookFile(plan);
      written.push(plan.hook);
    } catch (error) {
      failed.push({ hook: plan.hook, error: error instanceof Error ? error.message : String(error) });
    }
  }
  return { written, failed };
}

/** Where a link of ours leads; null where there is none. The forwarder knows the hook by the name of the link. */
async function ourLink(file: string): Promise<string | null> {
  const target = await readlink(file).catch(() => null);
  return target !== null && basename(target) === FORWARDER_NAME ? target : null;
}

const isThere = (file: string): Promise<boolean> =>
  lstat(file).then(
    () => true,
    () => false,
  );

const isExecutable = (file: string) =>
  access(file, constants.X_OK).then(
    () => true,
    () => false,
  );

/** A script of the person's, or none yet: our part is put into it. One that cannot be read is left alone. */
async function planHuskyFile(directory: string, hook: GitHook, command: readonly string[]): Promise<HookFilePlan | null> {
  const file = join(directory, hook);
  const found = await lstat(file).catch(() => null);
  const before = found?.isFile() ? await readFile(file, 'latin1').catch(() => null) : null;
  if (found && before === null) return null;
  const theirs = before !== null && hasBlock(before) ? withoutBlock(before, hook) : before;
  const after = withBlock(theirs === '' ? WAS_EMPTY : (theirs ?? ''), hook, command);
  return before === after ? null : { hook, file, before, after, mode: found ? found.mode & 0o777 : 0o644, aside: null, link: null };
}

async function planHookFile(directory: string, hook: GitHook, command: readonly string[], style: HooksStyle): Promise<HookFilePlan | null> {
  const file = join(directory, hook);
  const whole = { hook, file, after: pitonScript(hook, command), mode: 0o755, link: null };
  const found = await lstat(file).catch(() => null);
  const linked: HookFilePlan = { hook, file, before: null, after: '', mode: 0o755, aside: null, link: command[0] ?? '' };
  const target = await ourLink(file);
  // A link leads to one person's home: others would have it as well.
  if (style === 'own' && (!found || target !== null)) return target === linked.link ? null : linked;
  if (!found) return { ...whole, before: null, aside: null };
  const text = found.isFile() ? await readFile(file, 'latin1').catch(() => null) : null;
  const foreign = text === null ? null : hasBlock(text) ? withoutBlock(text, hook) : text;
  if (style === 'own' && text !== null && !hasBlock(text) && isPreCommitScript(text) && hook !== NO_INPUT_THERE) {
    const before = `${file}${RUN_BEFORE}`;
    const there = await ourLink(before);
    if (there === linked.link) return null;
    if (there !== null || !(await isThere(before))) return { ...linked, file: before };
  }
  const executable = await isExecutable(file);
  const edit = (before: string, after: string, mode: number): HookFilePlan | null =>
    before === after && executable ? null : { hook, file, before, after, mode, aside: null, link: null };
  if (text !== null && foreign === null) {
    const isAlone = style === 'own' && !(await isThere(join(directory, besideName(hook))));
    return isAlone ? { ...linked, before: text } : edit(text, whole.after, 0o755);
  }
  if (text !== null && foreign !== null && isShellScript(foreign) && executable)
    return edit(text, withBlock(foreign, hook, command), found.mode & 0o777);
  // A link, a program, something unreadable, or something that git would not run: it goes aside as it is.
  return { ...whole, before: null, aside: join(directory, besideName(hook)) };
}

async function applyHookFile({ hook, file, before, after, mode, aside, link }: HookFilePlan): Promise<void> {
  if (link !== null) return placeLink(file, link);
  if (before !== null) return replace(file, after, mode);
  if (aside !== null) await keepOldHook(file, aside, hook);
  await writeNew(file, after, mode);
}

/** Nobody else is in this hook: git starts the forwarder itself, without a shell. Where the program is gone git finds no hook, and goes on. */
async function placeLink(file: string, program: string): Promise<void> {
  const temporary = `${file}.piton-new`;
  await rm(temporary, { force: true });
  await symlink(program, temporary);
  await rename(temporary, file);
}

/** Nothing that lies aside already is ever written over. */
async function keepOldHook(file: string, aside: string, hook: GitHook): Promise<void> {
  if (await lstat(aside).catch(() => null)) throw new Error(`${aside} already holds an older hook, and ${hook} is a different one`);
  await rename(file, aside);
}

/** Files are text of unknown encoding: read and written byte by byte. */
async function writeNew(file: string, text: string, mode: number): Promise<void> {
  const handle = await open(file, 'wx', mode);
  await handle.writeFile(text, 'latin1').finally(() => handle.close());
  await chmod(file, mode);
}

export async function replace(file: string, text: string, mode: number): Promise<void> {
  const temporary = `${file}.piton-new`;
  await writeFile(temporary, text, { encoding: 'latin1', mode });
  await chmod(temporary, mode);
  await rename(temporary, file);
}

/** pre-commit writes its scripts anew, and runs what lies beside them under this name first: where it moves hooks that it finds. */
const RUN_BEFORE = '.legacy';
/** It passes the input of `pre-push` on, and no other. */
const NO_INPUT_THERE: GitHook = 'post-rewrite';
const isPreCommitScript = (text: string): boolean => /^# File generated by pre-commit: /m.test(text);

/** Others move what they find aside, and so may have moved ours. */
const ALSO_AT = ['', '.old', RUN_BEFORE];

/** What `uninstall` does to one file of a hooks directory. */
export interface HookFileRemoval {
  readonly file: string;
  readonly before: string;
  /** What stays of it. Null if all of it is ours. */
  readonly after: string | null;
  readonly mode: number;
  /** What was moved aside, and comes back in its place. */
  readonly aside: string | null;
  /** The configuration of a hook manager. */
  readonly isConfiguration?: true;
}

/** Our part of every hook, wherever others may have moved it. Looks only. */
export async function planHookFileRemovals(directory: string, hooks: readonly GitHook[] = GIT_HOOKS): Promise<HookFileRemoval[]> {
  const plans: HookFileRemoval[] = [];
  for (const hook of hooks) {
    const aside = join(directory, besideName(hook));
    for (const ending of ALSO_AT) {
      const file = join(directory, `${hook}${ending}`);
      const found = await lstat(file).catch(() => null);
      const isLink = (await ourLink(file)) !== null;
      const before = found?.isFile() ? await readFile(file, 'latin1').catch(() => '') : '';
      if (!found || !(isLink || hasBlock(before))) continue;
      const after = isLink ? null : withoutBlock(before, hook);
      const isAside = after === null && (await isThere(aside)) && !plans.some((each) => each.aside === aside);
      plans.push({ file, before, after, mode: found.mode & 0o777, aside: isAside ? aside : null });
    }
  }
  return plans;
}

/** Takes our part out again, and puts back what was there; gives back the files that changed. */
export async function uninstallHookFiles(directory: string, hooks: readonly GitHook[] = GIT_HOOKS): Promise<string[]> {
  const plans = await planHookFileRemovals(directory, hooks);
  for (const { file, after, mode, aside } of plans) {
    if (after !== null) await replace(file, after, mode);
    else if (aside !== null) await rename(aside, file);
    else await rm(file);
  }
  return plans.map(({ file }) => file);
}
