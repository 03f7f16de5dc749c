import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { AGENTS } from '@piton/agents';
import { type LintFinding, parseArtifact } from '@piton/artifacts';
import { ARTIFACT_FILE, type DeclaredHook, readEntry, readTree, type TreeFile } from '@piton/hooks';
import { agentNames } from '@piton/lifecycle/reading';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { hooksAt } from '../hooks/in-force.ts';
import { lintFolder } from '../lint/lint-folder.ts';
import { hookPlaces } from '../locations.ts';

export interface Bundled extends TreeFile {
  readonly mode: number;
}

/** An artifact as it is in its folder. */
export interface FoundArtifact {
  /** One word: the name of the folder to write, and the marker of its entries. */
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly folder: string;
  /** Null if it cannot be read: then there are errors. */
  readonly hook: DeclaredHook | null;
  readonly bundled: readonly Bundled[];
  readonly errors: readonly LintFinding[];
}

/** By the path of its folder, or by the ID of one that is active here. */
export function findArtifact(context: Context, named: string): FoundArtifact {
  const found = lookForArtifact(context, named);
  if (found !== undefined) return found;
  throw new Failure(`no artifact is named ${JSON.stringify(named)}`, {
    where: `looked for ${join(named, ARTIFACT_FILE)} and among the hooks active here`,
    remedy: 'use the folder with its ARTIFACT.md',
  });
}

export function lookForArtifact(context: Context, named: string): FoundArtifact | undefined {
  const path = resolve(context.cwd, named);
  const folder = basename(path) === ARTIFACT_FILE ? dirname(path) : path;
  if (existsSync(join(folder, ARTIFACT_FILE))) return readArtifact(folder, basename(folder));
  const inForce = hooksAt(hookPlaces(context), context.cwd);
  const hook = inForce.find(({ id }) => id === named || id.replace(/^\w+:artifacts\//, '') === named);
  // Of a project, the trusted copy is active, and its folder is named differently.
  return hook?.folder === undefined ? undefined : readArtifact(hook.folder, basename(dirname(hook.source)));
}

function readArtifact(folder: string, called: string): FoundArtifact {
  const errors = lintFolder(folder).filter(({ severity }) => severity === 'error');
  const tree = readTree(folder);
  if (!tree.ok) throw new Failure(`cannot read the artifact: ${tree.error}`, { where: folder });
  const bundled = tree.tree.files.map((file) => ({ ...file, mode: statSync(join(folder, file.path)).mode & 0o777 }));
  const names = new Set(
    bundled.map(({ path }) => path.split('/')[0] ?? '').filter((name) => name !== ARTIFACT_FILE && !name.startsWith('.')),
  );
  const parsed = parseArtifact(readFileSync(join(folder, ARTIFACT_FILE), 'utf8'), [...names]);
  const { hook } = readEntry(parsed.entry, 'it', agentNames(AGENTS), () => called);
  const name = hook?.name ?? called;
  return { id: idOf(name), name, version: parsed.version, folder, hook, bundled, errors };
}

/** Names are free text. Paths and shell lines need something simpler. */
export const idOf = (name: string): string =>
  name
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'hook';
