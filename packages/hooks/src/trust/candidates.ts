import { lstatSync } from 'node:fs';
import { basename, dirname, relative, resolve } from 'node:path';
import { EVENTS, PITON_EVENTS } from '@piton/contracts';
import { ARTIFACT_FILE, type Artifact, createArtifacts } from '../registry/artifacts.ts';
import type { DeclaredHook } from '../registry/declared-hook.ts';
import { modulePath, settingId } from '../registry/definitions.ts';
import { createExecutables } from '../registry/executables.ts';
import { type ProjectPlace, projectPlaces } from '../registry/places.ts';
import { type HookReading, readSettings, settingsReading } from '../registry/settings.ts';
import type { TrustedHook } from './index-file.ts';
import { copiedModule, DEFINITION_FILE, settingTree } from './setting-copy.ts';
import { readTree, type Tree, type TreeResult } from './tree.ts';

/** A hook of a project that could be trusted, with the bytes that would be. */
export interface Candidate extends Pick<TrustedHook, 'kind' | 'scope' | 'event' | 'name' | 'file'> {
  readonly id: string;
  readonly source: string;
  readonly tree: Tree | null;
  /** Of its files those that a reviewer reads first: what runs. */
  readonly main: readonly string[];
  /** The shell command of a setting or an artifact. */
  readonly command?: string;
  /** Why it cannot be trusted as it is. */
  readonly problem?: string;
}

export interface Candidates {
  readonly hooks: readonly Candidate[];
  readonly enabled: Record<'project' | 'local', boolean>;
}

/** Reads each event directory once: all hooks in it are shown, hashed and copied from the same bytes. */
export function readCandidates(root: string, reading: HookReading): Candidates {
  const executables = createExecutables();
  const artifacts = createArtifacts(reading.parseArtifact, reading.agents);
  const trees = new Map<string, ReturnType<typeof readTree>>();
  const hooks: Candidate[] = [];
  const enabled = { project: true, local: true };
  for (const place of projectPlaces(root)) {
    const settings = readSettings(place.settingsFile, settingsReading(reading)).file;
    enabled[place.scope] = settings.enabled;
    hooks.push(
      ...settings.hooks.map((hook) => fromSetting(place, hook)),
      ...artifacts.find(place).flatMap((each) => fromArtifact(root, each, place)),
    );
    for (const event of [...EVENTS, ...PITON_EVENTS]) {
      for (const { id, name, path, directory } of executables.find(place, event)) {
        const read = trees.get(directory) ?? readTree(directory);
        trees.set(directory, read);
        const problem = read.ok ? (linkAbove(root, directory) ?? fileProblem(read.tree, name)) : read.error;
        const tree = read.ok ? read.tree : null;
        hooks.push({
          id,
          kind: 'executable',
          scope: place.scope,
          event,
          name,
          file: name,
          source: path,
          tree,
          main: [name],
          ...(problem !== undefined && { problem }),
        });
      }
    }
  }
  return { hooks, enabled };
}

function fromSetting(place: ProjectPlace, hook: DeclaredHook): Candidate {
  const folder = hook.module === undefined ? undefined : moduleFolder(place, hook.module);
  const problem = hook.broken ?? (folder?.ok === false ? folder.error : undefined);
  return {
    id: settingId(place, hook.name),
    kind: 'setting',
    scope: place.scope,
    event: hook.event,
    name: hook.name,
    file: DEFINITION_FILE,
    source: place.settingsFile,
    tree: settingTree(hook, folder?.ok ? folder.tree : null),
    main: [DEFINITION_FILE, ...(hook.module === undefined ? [] : [copiedModule('', hook.module)])],
    command: hook.command,
    ...(problem !== undefined && { problem }),
  };
}

function fromArtifact(root: string, { id, folder, file, hook, problems }: Artifact, place: ProjectPlace): Candidate[] {
  if (hook === null) return [];
  const read = readTree(folder);
  const problem =
    hook.broken ?? linkAbove(root, folder) ?? (read.ok ? undefined : read.error) ?? (problems.length > 0 ? problems.join('; ') : undefined);
  return [
    {
      id,
      kind: 'artifact',
      scope: place.scope,
      event: hook.event,
      name: hook.name,
      file: ARTIFACT_FILE,
      source: file,
      tree: read.ok ? read.tree : null,
      main: [ARTIFACT_FILE, ...(hook.module === undefined ? [] : [hook.module])],
      command: hook.command,
      ...(problem !== undefined && { problem }),
    },
  ];
}

/** The folder in which a project's module lies: all of it is reviewed and copied, since the module may import it. */
function moduleFolder(place: ProjectPlace, module: string): TreeResult {
  const path = modulePath(place, module);
  const directory = dirname(path);
  if (!directory.startsWith(`${place.root}/`)) return { ok: false, error: `${path} is outside the project` };
  if (directory === dirname(place.settingsFile)) return { ok: false, error: `${path} needs its own folder: the whole folder is copied` };
  const linked = linkAbove(place.root, directory);
  if (linked !== undefined) return { ok: false, error: linked };
  const read = readTree(directory);
  if (read.ok && !read.tree.files.some((file) => file.path === basename(path)))
    return { ok: false, error: `${path} is missing or not a regular file` };
  return read;
}

/** From what was read, not from a second look at the file. */
function fileProblem(tree: Tree, name: string): string | undefined {
  const file = tree.files.find(({ path }) => path === name);
  if (file === undefined) return `${name} is a link or not a file: a project hook must be a regular file`;
  return file.executable ? undefined : `${name} is not executable: chmod +x it`;
}

/** `.piton/hooks` as a link would let the project choose what is read. */
function linkAbove(root: string, directory: string): string | undefined {
  let path = root;
  for (const part of relative(root, directory).split('/')) {
    path = resolve(path, part);
    if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return `${path} is a symbolic link`;
  }
  return undefined;
}
