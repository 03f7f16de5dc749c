import { constants } from 'node:fs';
import { open, opendir } from 'node:fs/promises';
import { homedir } from 'node:os';
import { dirname, isAbsolute, join, resolve } from 'node:path';
import type { HookDefinition } from '@piton/hooks';

/** Where a hook finds its transcript: whatever reads one has this name in its text, a compiled program too. */
const FIELD = 'transcript_path';
const LONGEST_FILE = 32 * 1024 * 1024;
/** Of what nobody has named. */
const LONGEST_BESIDE = 1024 * 1024;
const MOST_FILES = 400;
const DEEPEST = 4;
const SKIPPED: ReadonlySet<string> = new Set(['node_modules', '.git', '__pycache__', '.venv']);
/** A script that a command names may be changed at any time. */
const LOOK_AGAIN_MS = 10_000;

interface Look {
  readonly at: number;
  readonly reads: Promise<boolean>;
}
const looks = new WeakMap<HookDefinition, Look>();

/** Does one of these read a transcript? By their own text, the files that their commands name, and the folders that those lie in. */
export async function readTranscripts(hooks: readonly HookDefinition[], now = Date.now()): Promise<boolean> {
  const found = await Promise.all(hooks.map((hook) => lookAt(hook, now)));
  return found.includes(true);
}

function lookAt(hook: HookDefinition, now: number): Promise<boolean> {
  const known = looks.get(hook);
  if (known !== undefined && now - known.at < LOOK_AGAIN_MS) return known.reads;
  const reads = looksInto(hook);
  looks.set(hook, { at: now, reads });
  return reads;
}

async function looksInto(hook: HookDefinition): Promise<boolean> {
  if (hook.argv.some((word) => word.includes(FIELD))) return true;
  for await (const { path, longest } of filesOf(hook)) if (await mentions(path, longest)) return true;
  return false;
}

/** The plugin that it comes from, its own folder, its module, what its command names, and what lies beside these. */
async function* filesOf(hook: HookDefinition): AsyncGenerator<{ readonly path: string; readonly longest: number }> {
  const named = [...(hook.module === undefined ? [] : [hook.module]), ...wordsOf(hook)].filter((path) => isAbsolute(path));
  const folders = [hook.env.CLAUDE_PLUGIN_ROOT, hook.folder].filter((folder) => folder !== undefined);
  let left = MOST_FILES;
  for (const path of named) yield { path, longest: LONGEST_FILE };
  const beside = new Set(named.filter((path) => !SYSTEM.test(path)).map((path) => dirname(path)));
  const around = [...folders.map((folder) => ({ folder, depth: DEEPEST })), ...[...beside].map((folder) => ({ folder, depth: 1 }))];
  for (const { folder, depth } of around)
    for await (const path of within(folder, depth)) {
      if (left-- <= 0) return;
      yield { path, longest: LONGEST_BESIDE };
    }
}

/** What stands between blanks, quotes and operators of a shell, with the variables that such commands use for paths. */
function wordsOf({ argv, env, root, source }: HookDefinition): string[] {
  const project = root ?? dirname(source);
  const variables: Readonly<Record<string, string>> = { HOME: homedir(), CLAUDE_PROJECT_DIR: project, ...env };
  const filled = (word: string): string =>
    word.replace(/\$\{?(\w+)\}?/g, (whole, name: string) => variables[name] ?? whole).replace(/^~(?=\/)/, homedir());
  return argv.flatMap((word) => word.split(/[\s"'`;|&<>()]+/)).flatMap((word) => (word === '' ? [] : [pathOf(filled(word), project)]));
}

const pathOf = (word: string, project: string): string => (word.includes('/') ? resolve(project, word) : word);

async function* within(folder: string, depth: number): AsyncGenerator<string> {
  try {
    for await (const entry of await opendir(folder)) {
      if (entry.isFile()) yield join(folder, entry.name);
      else if (depth > 1 && entry.isDirectory() && !SKIPPED.has(entry.name)) yield* within(join(folder, entry.name), depth - 1);
    }
  } catch {
    // Not there, or not ours to read: the hook cannot read it either.
  }
}

/** Programs such as `/bin/sh` are not what a person wrote. */
const SYSTEM = /^\/(?:usr|bin|sbin|lib|lib64|nix|opt\/homebrew)\//;

const known = new Map<string, { readonly sign: string; readonly mentions: boolean }>();
const MOST_KNOWN = 2000;

async function mentions(path: string, longest: number): Promise<boolean> {
  if (SYSTEM.test(path)) return false;
  try {
    const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const stats = await file.stat();
      if (!stats.isFile() || stats.size > longest) return false;
      const sign = `${stats.ino}:${stats.size}:${stats.mtimeMs}`;
      const before = known.get(path);
      if (before?.sign === sign) return before.mentions;
      const found = (await file.readFile()).includes(FIELD);
      if (known.size >= MOST_KNOWN) known.clear();
      known.set(path, { sign, mentions: found });
      return found;
    } finally {
      await file.close();
    }
  } catch {
    return false;
  }
}
