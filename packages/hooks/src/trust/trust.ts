import { realpathSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Scope } from '@piton/contracts';
import type { HookEvent, Permission } from '../definition.ts';
import type { HookReading } from '../registry/settings.ts';
import { type Candidate, readCandidates } from './candidates.ts';
import { changeTrust, readTrust, type TrustedHook, type TrustedRoot } from './index-file.ts';
import { objectPath, removeUnused, writeObject } from './objects.ts';
import type { Reference } from './references/reference.ts';
import { referencesOf } from './references/references.ts';
import { readTree, type TreeFile } from './tree.ts';

export interface TrustPorts extends HookReading {
  readonly trustDir: string;
}

/** A hook of a project as a reviewer sees it. */
export interface Trustable {
  readonly id: string;
  readonly scope: Scope;
  readonly event: HookEvent;
  readonly name: string;
  readonly source: string;
  /** Of what lies there now; empty if it is gone. Given back to `trust`, it says what was seen. */
  readonly hash: string;
  readonly trusted: 'yes' | 'no' | 'changed';
  readonly may: readonly Permission[];
  /** The files of the trusted copy, and those that lie there now. */
  readonly old: readonly TreeFile[] | null;
  readonly now: readonly TreeFile[] | null;
  /** Of its files those to read first: what runs. */
  readonly main: readonly string[];
  /** What it uses and the copy does not hold: that can change without review. */
  readonly notPinned: readonly Reference[];
  /** Links and the like in the folder: they are not copied. */
  readonly leftOut: readonly { readonly path: string; readonly why: string }[];
  readonly problem?: string;
}

/** All hooks of a project, and those that were trusted and are gone. */
export function trustable(ports: TrustPorts, directory: string): Trustable[] {
  const root = realpathSync(directory);
  const given = readTrust(ports.trustDir).index.roots[root]?.hooks ?? {};
  const found = readCandidates(root, ports).hooks.map((candidate) => shown(ports.trustDir, root, candidate, given[candidate.id]));
  const ids = new Set(found.map(({ id }) => id));
  const gone = Object.entries(given).filter(([id]) => !ids.has(id));
  return [...found, ...gone.map(([id, hook]) => lost(ports.trustDir, root, id, hook))];
}

function shown(trustDir: string, root: string, candidate: Candidate, given: TrustedHook | undefined): Trustable {
  const { id, scope, event, name, file, source, tree, main, command, problem } = candidate;
  const hash = tree?.hash ?? '';
  const notPinned = referencesOf({
    root,
    files: tree?.files ?? [],
    ...(command !== undefined && { command: { path: file, text: command } }),
  });
  return {
    ...{ id, scope, event, name, source, hash, main, notPinned },
    trusted: given === undefined ? 'no' : given.hash === hash ? 'yes' : 'changed',
    may: given?.may ?? [],
    old: given === undefined ? null : filesOf(trustDir, given.hash),
    now: tree?.files ?? null,
    leftOut: tree?.leftOut ?? [],
    ...(problem !== undefined && { problem }),
  };
}

function lost(trustDir: string, root: string, id: string, hook: TrustedHook): Trustable {
  const { scope, event, name, may } = hook;
  const rest = { old: filesOf(trustDir, hook.hash), now: null, main: [], notPinned: [], leftOut: [] };
  return {
    id,
    scope,
    event,
    name,
    may,
    source: join(root, hook.source),
    hash: '',
    trusted: 'changed',
    ...rest,
    problem: 'its source is gone: piton untrust',
  };
}

function filesOf(trustDir: string, hash: string): readonly TreeFile[] | null {
  const read = readTree(objectPath(trustDir, hash));
  return read.ok ? read.tree.files : null;
}

/** An id alone, or with the hash that the reviewer saw. */
export type TrustRequest = string | { readonly id: string; readonly hash: string };

export interface TrustOptions {
  /** Left out: as it was, or nothing. */
  readonly may?: readonly Permission[];
  /** ISO-8601. */
  readonly at: string;
}

export interface TrustResult {
  readonly trusted: readonly string[];
  readonly refused: readonly { readonly id: string; readonly why: string }[];
}

/** Copies hooks away from the project and notes that they may run. What is copied is what was read here, once. */
export function trust(ports: TrustPorts, directory: string, requests: readonly TrustRequest[] | 'all', options: TrustOptions): TrustResult {
  const root = realpathSync(directory);
  const { hooks, enabled } = readCandidates(root, ports);
  const refused: { id: string; why: string }[] = [];
  const accepted: Candidate[] = [];
  for (const request of requests === 'all' ? hooks.map(({ id }) => id) : requests) {
    const [id, seen] = typeof request === 'string' ? [request, undefined] : [request.id, request.hash];
    const candidate = hooks.find((hook) => hook.id === id);
    const why = refusal(candidate, seen);
    if (candidate === undefined || why !== undefined) refused.push({ id, why: why ?? '' });
    else accepted.push(candidate);
  }
  changeTrust(ports.trustDir, (index) => {
    // Under the lock: taking trust back removes copies that nobody refers to.
    for (const { tree } of accepted) if (tree !== null) writeObject(ports.trustDir, tree);
    const before = index.roots[root];
    const given = Object.fromEntries(
      accepted.map((candidate) => [candidate.id, noted(root, candidate, before?.hooks[candidate.id], options)]),
    );
    if (before === undefined && accepted.length === 0) return index;
    return { ...index, roots: { ...index.roots, [root]: { enabled, hooks: { ...before?.hooks, ...given } } } };
  });
  return { trusted: accepted.map(({ id }) => id), refused };
}

function refusal(candidate: Candidate | undefined, seen: string | undefined): string | undefined {
  if (candidate === undefined) return 'no such hook in this project';
  if (candidate.problem !== undefined) return candidate.problem;
  if (candidate.tree === null) return 'it cannot be read';
  return seen !== undefined && seen !== candidate.tree.hash ? 'it changed since it was shown' : undefined;
}

function noted(root: string, candidate: Candidate, before: TrustedHook | undefined, { may, at }: TrustOptions): TrustedHook {
  const { kind, scope, event, name, file } = candidate;
  const hash = candidate.tree?.hash ?? '';
  return { kind, scope, event, name, source: relative(root, candidate.source), hash, file, may: may ?? before?.may ?? [], at };
}

/** Takes trust back; the ids of those that had it. The project may be gone by now. */
export function untrust(trustDir: string, directory: string, ids: readonly string[] | 'all'): string[] {
  const root = realOrSame(directory);
  let removed: string[] = [];
  changeTrust(trustDir, (index) => {
    const before = index.roots[root];
    if (before === undefined) return index;
    removed = Object.keys(before.hooks).filter((id) => ids === 'all' || ids.includes(id));
    const hooks = Object.fromEntries(Object.entries(before.hooks).filter(([id]) => !removed.includes(id)));
    const { [root]: _, ...others } = index.roots;
    const roots: Record<string, TrustedRoot> = Object.keys(hooks).length > 0 ? { ...others, [root]: { ...before, hooks } } : others;
    removeUnused(trustDir, new Set(Object.values(roots).flatMap((one) => Object.values(one.hooks).map(({ hash }) => hash))));
    return { ...index, roots };
  });
  return removed;
}

function realOrSame(directory: string): string {
  try {
    return realpathSync(directory);
  } catch {
    return directory;
  }
}
