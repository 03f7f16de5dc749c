import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Agent, Loss, MaterializePlace } from '@piton/contracts';
import { findProgram, readTree, type Sandbox } from '@piton/hooks';
import { codeOf, Failure, reasonOf } from '../failure.ts';
import { readConfig } from '../install/config-file.ts';
import { type InstallScope, lookUp } from '../install/config-place.ts';
import { oneLine } from '../output/text.ts';
import type { FoundArtifact } from './artifact.ts';
import { portableHook } from './portable-hook.ts';

/** One file, before and after. */
export interface FilePlan {
  readonly path: string;
  readonly before: Buffer | null;
  /** Null: the file is deleted. */
  readonly after: Buffer | null;
  readonly mode: number;
  /** Text that can be shown in a diff. */
  readonly shown: boolean;
}

export interface Outcome {
  readonly artifact: string;
  readonly agent: Agent;
  /** Undefined if it is written. */
  readonly refused?: { readonly code: string; readonly why: string };
  readonly nativeEvents: readonly string[];
  readonly losses: readonly Loss[];
  readonly folder: string | null;
  readonly files: readonly FilePlan[];
  readonly activation: string | null;
}

export interface MaterializeTarget {
  readonly scope: InstallScope;
  /** The user's home, the project, or the directory in `--out`. */
  readonly base: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly path: string | undefined;
  readonly sandbox: Sandbox;
  readonly platform: NodeJS.Platform;
  readonly allowMissing: boolean;
}

/** Files to be written. Each hook sees what the hooks before it would write. */
export interface StagedFiles extends MaterializePlace {
  readonly agent: Agent;
  put(path: string, after: Buffer | null): void;
  bytes(path: string): Buffer | null;
  target(path: string): string;
}

export function openStagedFiles(agent: Agent, { scope, base, env }: MaterializeTarget, written: Map<string, Buffer | null>): StagedFiles {
  const target = (path: string): string => lookUp(agent, scope, base, { path, label: path }).target;
  const bytes = (path: string): Buffer | null => {
    const at = target(path);
    const known = written.get(at);
    return known === undefined ? readBytes(at) : known;
  };
  const text = (path: string): string | null => {
    const known = written.get(target(path));
    return known === undefined ? readConfig(target(path)).text : (known?.toString('utf8') ?? null);
  };
  return {
    agent,
    scope,
    base,
    env,
    target,
    bytes,
    text,
    put: (path, after) => void written.set(target(path), after),
  };
}

export function planHook(artifact: FoundArtifact, agent: Agent, target: MaterializeTarget, written: Map<string, Buffer | null>): Outcome {
  const { name, hook } = artifact;
  const nothing = { artifact: name, agent, nativeEvents: [], losses: [], folder: null, files: [], activation: null };
  const refuse = (code: string, why: string): Outcome => ({ ...nothing, refused: { code: `materialize.${code}`, why } });
  const [error] = artifact.errors;
  if (error !== undefined || hook === null)
    return refuse('lint_failed', error === undefined ? 'it cannot be read' : `${error.file}:${error.line}: ${oneLine(error.what)}`);
  if (hook.targets !== undefined && !hook.targets.includes(agent.id))
    return refuse('not_targeted', `its target_harnesses are ${hook.targets.join(', ')}`);
  const portable = portableHook({ ...artifact, hook });
  if (!portable.ok) return refuse('untranslatable', portable.why);
  const missing = (hook.requires ?? []).filter((program) => findProgram(program, target.path) === undefined);
  if (missing.length > 0 && !target.allowMissing)
    return refuse('runtime_unavailable', `not on PATH: ${missing.join(', ')}. To write it anyway: --allow-missing`);
  const unconfined = sandboxProblem(hook.sandbox, target);
  if (unconfined !== undefined) return refuse('sandbox_unsupported', `sandbox_profile ${hook.sandbox}: ${unconfined}`);
  if (agent.materializer === null) return refuse('untranslatable', `nothing can be written for ${agent.title}`);

  const staged = openStagedFiles(agent, target, written);
  const made = agent.materializer.materialize(portable.hook, staged);
  if (!made.ok) return { ...nothing, refused: { code: made.code, why: made.why } };
  const folder = staged.target(made.folder);
  if (filesBelow(folder).length > 0 && !isWritten(folder))
    return refuse('config_invalid', `${folder} exists and was not written by Piton: move it away, then run this again`);
  const isOwn = (path: string): boolean => path.startsWith(`${made.folder}/`);
  const texts = made.files.map(({ path, text, executable }): WantedFile => {
    const mode = executable ? 0o755 : target.scope === 'user' ? 0o600 : 0o644;
    return { path, bytes: text === null ? null : Buffer.from(text), mode, shown: true };
  });
  // A read-only original is no reason for a read-only copy: it is to be committed, written again and removed.
  const bundled = artifact.bundled.map(({ path, bytes, mode, executable }): WantedFile => {
    return { path: `${made.folder}/artifact/${path}`, bytes, mode: executable ? 0o755 : mode | 0o600 };
  });
  // The files come before the entry that runs them.
  const ownFolder = [...texts.filter(({ path }) => isOwn(path)), ...bundled];
  const wanted = [...ownFolder, ...texts.filter(({ path }) => !isOwn(path))];
  const files = wanted.map((file) => planFile(staged, file));
  const stale = filesBelow(folder).filter((path) => !files.some((file) => file.path === path));
  for (const { path, bytes } of wanted) staged.put(path, bytes);
  return {
    ...nothing,
    nativeEvents: made.nativeEvents,
    losses: [...portable.losses, ...made.losses],
    folder,
    files: [...files.filter(changes), ...stale.map(planDeletion)],
    activation: agent.materializer.activation(target.scope),
  };
}

function sandboxProblem(
  profile: Parameters<Sandbox['problem']>[0] | undefined,
  { sandbox, platform }: MaterializeTarget,
): string | undefined {
  if (profile === undefined) return undefined;
  if (platform !== 'linux') return 'without Piton it is enforced only on Linux, by bubblewrap';
  return sandbox.problem(profile);
}

interface WantedFile {
  readonly path: string;
  readonly bytes: Buffer | null;
  readonly mode: number;
  readonly shown?: boolean;
}

function planFile(staged: StagedFiles, { path, bytes, mode, shown = false }: WantedFile): FilePlan {
  return { path: staged.target(path), before: staged.bytes(path), after: bytes, mode, shown };
}

/** True if bytes differ, or an executable bit is missing. Other mode bits of an existing file are the user's choice. */
function changes({ path, before, after, mode }: FilePlan): boolean {
  if (before === null || after === null) return before !== after;
  if (!before.equals(after)) return true;
  const now = statSync(path, { throwIfNoEntry: false })?.mode;
  return now !== undefined && (mode & 0o100) !== 0 && (now & 0o100) === 0;
}

/** A file of an older version of the artifact that this one no longer has is deleted. */
export const planDeletion = (path: string): FilePlan => ({ path, before: readBytes(path), after: null, mode: 0o644, shown: false });

export function filesBelow(folder: string): string[] {
  const tree = readTree(folder);
  return tree.ok ? tree.tree.files.map(({ path }) => join(folder, path)) : [];
}

function readBytes(path: string): Buffer | null {
  try {
    return readFileSync(path);
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return null;
    throw new Failure(`cannot read the file: ${reasonOf(error)}`, { where: path });
  }
}

/** A folder of that name that we did not write is not ours to delete. */
export function isWritten(folder: string): boolean {
  const script = join(folder, 'run.sh');
  return existsSync(script) && readFileSync(script, 'utf8').split('\n', 2)[1]?.includes('by piton materialize') === true;
}
