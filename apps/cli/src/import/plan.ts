import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { lintArtifact, toArtifact } from '@piton/artifacts';
import type { Agent, NativeHook, NativePlugin, NotImported } from '@piton/contracts';
import { ARTIFACT_FILE } from '@piton/hooks';
import { type Change, fileChange } from '../install/change.ts';
import { LINT_CONTEXT } from '../lint/lint-context.ts';
import type { GatheredFile } from './gather.ts';
import { type PluginFile, pluginTree } from './plugins.ts';
import { scriptsOf } from './scripts.ts';

/** An artifact that would be written. */
export interface Planned {
  readonly agent: Agent;
  readonly from: GatheredFile;
  readonly hook: NativeHook;
  readonly folder: string;
  readonly files: readonly { readonly path: string; readonly bytes: Buffer; readonly mode: number }[];
  /** Compared with what exists: `changed` is another artifact with the same name. */
  readonly state: 'new' | 'same' | 'changed';
  readonly notes: readonly string[];
  /** Files that it runs from where they are: they can change without review. */
  readonly notPinned: readonly string[];
}
export interface Left extends NotImported {
  readonly from: GatheredFile;
}
export interface ImportPlan {
  readonly planned: readonly Planned[];
  readonly left: readonly Left[];
}

export interface PlanOptions {
  /** The directory that gets one folder per agent: for the hooks of a file. */
  readonly outFor: (from: GatheredFile) => string;
  readonly home: string;
  readonly project: string;
  readonly copyScripts: boolean;
  /** For the user only: a command may contain what others should not read. */
  readonly isOwn: boolean;
}

/** Each file that it writes, as it is announced. */
export const plannedChanges = ({ folder, files, hook }: Planned): Change[] =>
  files.flatMap(({ path, bytes, mode }) => {
    const before = textAt(join(folder, path)) ?? null;
    if (before?.equals(bytes)) return [];
    return [fileChange(join(folder, path), before, bytes, `imported hook on ${hook.place.nativeEvent}`, mode)];
  });

export function planImport(files: readonly GatheredFile[], options: PlanOptions): ImportPlan {
  const planned: Planned[] = [];
  const left: Left[] = files.flatMap((from) => from.left.map((each) => ({ ...each, from })));
  for (const from of files) {
    for (const hook of from.hooks) {
      const one = planOne(from, hook, options, (folder) => planned.some((other) => other.folder === folder));
      if ('why' in one) left.push({ ...one, place: hook.place, from });
      else planned.push(one);
    }
  }
  return { planned, left };
}

function planOne(
  from: GatheredFile,
  hook: NativeHook,
  { outFor, home, project, copyScripts, isOwn }: PlanOptions,
  isTaken: (folder: string) => boolean,
): Planned | { what: string; why: string } {
  const { agent, label, plugin } = from;
  const scripts = hook.bundled === undefined ? scriptsOf(hook.command, home, project) : [];
  const inFolder = plugin === undefined ? bundledFiles(hook) : pluginFiles(hook, plugin);
  if ('why' in inFolder) return { what: `a hook on ${hook.place.nativeEvent}`, why: inFolder.why };
  const made = toArtifact(withHome(hook, home), {
    ...{ agent, label, bundled: copyScripts ? scripts : [] },
    ...(plugin && { prelude: preludeOf(agent, plugin) }),
  });
  if (!made.ok) return made;
  const copied: readonly Copied[] = [
    ...(copyScripts ? scripts.map(({ as, bytes }) => ({ path: as, bytes, executable: true })) : []),
    ...inFolder,
  ];
  const folder = freeName(join(outFor(from), agent.id, ...(plugin ? [folderName(plugin)] : []), made.name), isTaken);
  const error = errorIn(made.text, folder, copied);
  if (error !== undefined) return { what: `a hook on ${hook.place.nativeEvent}`, why: error };
  const files = [
    ...copied.map(({ path, bytes, executable }) => ({ path, bytes, mode: modeOf(executable, isOwn) })),
    { path: ARTIFACT_FILE, bytes: Buffer.from(made.text), mode: modeOf(false, isOwn) },
  ];
  const alone = copyScripts && scripts.length > 0 ? ['only the script was copied. If it uses other files, copy them too'] : [];
  const runsItself = plugin?.enabled ? [`${agent.title} goes on running it in the plugin, so this one does nothing there`] : [];
  return {
    ...{ agent, from, hook, folder, files, state: stateOf(folder, files), notes: [...made.notes, ...alone, ...runsItself] },
    notPinned: copyScripts ? [] : scripts.map(({ file }) => file),
  };
}

const modeOf = (executable: boolean, isOwn: boolean): number => (executable ? (isOwn ? 0o700 : 0o755) : isOwn ? 0o600 : 0o644);

type Copied = PluginFile;

const bundledFiles = ({ bundled = [] }: NativeHook): readonly Copied[] =>
  bundled.map(({ path, text }) => ({ path, bytes: Buffer.from(text), executable: false }));

/** All of the plugin, so that what was looked at is what runs. */
function pluginFiles(hook: NativeHook, plugin: NativePlugin): readonly Copied[] | { why: string } {
  const tree = pluginTree(plugin.root);
  return 'why' in tree ? tree : [...tree.map((file) => ({ ...file, path: `${PLUGIN_FOLDER}/${file.path}` })), ...bundledFiles(hook)];
}

const PLUGIN_FOLDER = 'plugin';
const folderName = ({ name }: NativePlugin): string => name.replace(/[^\w.-]+/g, '-').replace(/^[.-]+/, '') || 'plugin';

/** What the agent would set. An enabled plugin's hooks it runs itself, and would run twice. */
function preludeOf(agent: Agent, plugin: NativePlugin): string {
  const once = plugin.enabled ? [`[ "$PITON_AGENT" != ${agent.id} ] || exit 0`] : [];
  return [...once, agent.importer?.plugins?.prelude(plugin.name, `$PITON_ARTIFACT_DIR/${PLUGIN_FOLDER}`) ?? ''].join('\n');
}

/** A pattern on files begins with a path, never with `~`. */
const withHome = (hook: NativeHook, home: string): NativeHook =>
  hook.file?.startsWith('~/') ? { ...hook, file: join(home, hook.file.slice(2)) } : hook;

function freeName(folder: string, isTaken: (folder: string) => boolean): string {
  let name = folder;
  for (let count = 2; isTaken(name); count++) name = `${folder}-${count}`;
  return name;
}

/** What cannot run is not written. The first error is the reason. */
function errorIn(text: string, folder: string, copied: readonly Copied[]): string | undefined {
  const findings = lintArtifact({
    file: join(folder, ARTIFACT_FILE),
    text,
    bundled: [...new Set(copied.map(({ path }) => path.split('/')[0] ?? path))],
    findFile: (path) => {
      const found = copied.find((one) => one.path === path);
      return found && { executable: found.executable, text: null };
    },
    context: LINT_CONTEXT,
  });
  const error = findings.find(({ severity }) => severity === 'error');
  return error && `${error.what} (${error.rule})`;
}

function stateOf(folder: string, files: Planned['files']): Planned['state'] {
  const there = textAt(join(folder, ARTIFACT_FILE));
  if (there === undefined) return 'new';
  return files.every(({ path, bytes }) => textAt(join(folder, path))?.equals(bytes)) ? 'same' : 'changed';
}

export function textAt(path: string): Buffer | undefined {
  try {
    return readFileSync(path);
  } catch {
    return undefined;
  }
}
