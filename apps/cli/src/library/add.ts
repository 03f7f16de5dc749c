import { join } from 'node:path';
import type { LintFinding } from '@piton/artifacts';
import { type Tree, type TreeFile, treeOf } from '@piton/hooks';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { type Change, ownChange } from '../install/change.ts';
import { hooksChanged } from '../last-resort.ts';
import { lintFolder } from '../lint/lint-folder.ts';
import { existingPlaces, futureHome, makePlaces } from '../locations.ts';
import { changesOf, type FileChange } from '../trust/diff.ts';
import { grant } from '../trust/grant.ts';
import { projectHooks } from '../trust/pending.ts';
import { type Added, readAdded, writeAdded } from './added-file.ts';
import { type ArtifactSource, casesOf, hookHash, inMode, type Mode, modeOf, userCases } from './artifact-source.ts';
import { type AddScope, artifactsFolder, folderChanges, treeAt, writeFolder } from './target.ts';

export interface AddRequest {
  readonly scope: AddScope;
  readonly mode?: Mode;
  readonly force: boolean;
}

export interface AddResult {
  readonly source: ArtifactSource;
  readonly folder: string;
  readonly did: 'added' | 'nothing' | 'replaced';
  readonly before?: string;
  readonly mode: Mode;
  readonly warnings: readonly LintFinding[];
}

/** The existing hook was changed by somebody: shown as a diff, never overwritten. */
export class ChangedHookError extends Error {
  readonly folder: string;
  readonly changes: readonly FileChange[];
  readonly links: Tree['leftOut'];
  constructor(folder: string, changes: readonly FileChange[], links: Tree['leftOut']) {
    super(`${folder} differs from what was added`);
    this.folder = folder;
    this.changes = changes;
    this.links = links;
  }
}

export interface AddPlan {
  readonly folder: string;
  readonly files: readonly TreeFile[];
  readonly there: readonly TreeFile[] | undefined;
  readonly same: boolean;
  readonly before: Added | undefined;
  readonly mode: Mode;
  readonly findings: readonly LintFinding[];
}

/** Looks only. */
export function planAdd(context: Context, source: ArtifactSource, request: AddRequest): AddPlan {
  const findings = lintFolder(source.folder);
  const [error] = findings.filter(({ severity }) => severity === 'error');
  if (error)
    throw new Failure(`${source.name} was not added: ${error.what}`, {
      where: `${source.place}${error.file.slice(source.folder.length)}:${error.line}`,
      ...(error.remedy && { remedy: error.remedy }),
    });
  const folder = join(artifactsFolder(context, request.scope), source.name);
  const tree = treeAt(folder);
  const there = tree?.files;
  const places = existingPlaces(context);
  const before = places && readAdded(places.home)[folder];
  const mode = request.mode ?? modeOf(there ?? source.files);
  const files = [...inMode(source.files, mode), ...(there ? userCases(there, [...casesOf(source.files), ...(before?.cases ?? [])]) : [])];
  const same = there !== undefined && treeOf(there).hash === treeOf(files).hash;
  const links = tree?.leftOut ?? [];
  const untouched =
    there !== undefined && links.length === 0 && (hookHash(there) === before?.essence || hookHash(there) === hookHash(files));
  if (there && !same && !untouched && !request.force) throw new ChangedHookError(folder, changesOf(there, files), links);
  return { folder, files, there, same, before, mode, findings };
}

/** What adding it would change. */
export function addChanges(context: Context, source: ArtifactSource, request: AddRequest): Change[] {
  const { folder, files } = planAdd(context, source, request);
  return [
    ...folderChanges(folder, files, request.scope),
    ownChange(futureHome(context), 'records, trust, and what holds without a server'),
  ];
}

/** What is kept of where a hook came from. */
export type AddedFrom = Pick<Added, 'origin' | 'digest' | 'signer'>;

export async function addHook(context: Context, source: ArtifactSource, request: AddRequest, from: AddedFrom): Promise<AddResult> {
  const { folder, files, there, same, before, mode, findings } = planAdd(context, source, request);
  const places = makePlaces(context);
  if (!same) writeFolder(folder, files, request.scope);
  writeAdded(places.home, folder, {
    version: source.version,
    essence: hookHash(files),
    cases: casesOf(source.files),
    at: new Date().toISOString(),
    ...from,
  });
  if (request.scope === 'project') await trustFolder(context, places, folder, treeOf(files).hash);
  else await hooksChanged(places);
  const warnings = findings.filter(({ severity }) => severity === 'warning');
  return {
    source,
    folder,
    mode,
    warnings,
    did: same ? 'nothing' : there ? 'replaced' : 'added',
    ...(before && { before: before.version }),
  };
}

/** Trusts only what the user has just added, byte for byte, and nothing else of the project. */
async function trustFolder(context: Context, places: ReturnType<typeof makePlaces>, folder: string, hash: string): Promise<void> {
  const chosen = projectHooks(context, places).filter(({ hook }) => hook.source.startsWith(`${folder}/`));
  const { refused } = await grant(
    places,
    chosen.map(({ root, hook }) => ({ root, hook: { ...hook, hash } })),
    [],
  );
  const [first] = refused;
  if (first) throw new Failure(`${first.id} was added, but not trusted: ${first.why}`, { where: folder, remedy: 'piton trust' });
}
