import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isUlid, ulid, ulidTime } from '@piton/contracts';
import { GitError } from '@piton/git';
import { type About, type Checkpoint, checkpointRef } from '../checkpoint.ts';
import { addPending } from '../links/pending.ts';
import type { RawPath } from '../raw-path.ts';
import { type Head, readHead } from '../repositories/repository.ts';
import { type Worktree, WorktreeGone } from '../worktree.ts';
import { compareStates, type FileChange } from './comparison.ts';
import { readConverted } from './conversion/converted.ts';
import { keptBeside } from './conversion/recipe.ts';
import { runImport } from './fast-import.ts';
import { importStream } from './import-stream.ts';
import { type Held, type HeldFiles, type Observed, observe, type Previous } from './observe.ts';
import { type Skipped, sameLeftOut, shortList } from './skipped.ts';
import { readStatus } from './status.ts';
import { changedSubmodules } from './submodules.ts';
import { candidatesAmong, touchedCandidates } from './touched.ts';
import { type Entry, sameEntry } from './tree.ts';
import { isSameLook, lookAt } from './working-file.ts';
import { type LastCheckpoint, readLast, type WorkingState, writeLast } from './working-state.ts';

export interface TakeRequest extends Omit<About, 'name'> {
  readonly name: string;
  /** The files that changed, if that is known; otherwise git is asked. */
  readonly touched?: readonly string[];
  /** Make one even if nothing changed. */
  readonly always?: boolean;
  /** Of kind `commit`: the user's commit. */
  readonly linked?: string;
  /** The session that changed what changed, if that is not `session`. */
  readonly workOf?: string | null;
  /** The agent of that session, where it is another. */
  readonly workAgent?: string | null;
  /** Of several sessions, one of which changed it: which. */
  readonly among?: readonly string[];
  /** What changed is what a rewind brought back. */
  readonly rewound?: boolean;
  /** Of kind `task`: files of which nobody knows which of several subagents changed them. */
  readonly shared?: readonly RawPath[];
  /** Those that are its own, where others were at work. */
  readonly own?: readonly RawPath[];
  /** Use this id, which was promised before. */
  readonly id?: string;
  /** What a look has just found, of which git has every byte: then nobody looks again. */
  readonly looked?: Looked;
}

/** A working tree as it was looked at, and HEAD then. */
export type Looked = Scan & { readonly at: Head };

export type Taken =
  | { readonly result: 'made'; readonly checkpoint: Checkpoint; readonly changes: readonly FileChange[] }
  | { readonly result: 'unchanged'; readonly id: string }
  | { readonly result: 'failed'; readonly error: string };

/** A rebase moves HEAD again and again: it shall not keep us for as long as it takes. */
const MOST_SCANS = 3;

/** One checkpoint of the working tree, if it differs from the last. */
export async function take(worktree: Worktree, request: TakeRequest, held: ReadonlyMap<RawPath, Held> = new Map()): Promise<Taken> {
  try {
    return await attempt(worktree, request, held, true);
  } catch (error) {
    if (error instanceof WorktreeGone) throw error;
    // A blob that we took for stored may be gone with a deleted checkpoint: read everything again.
    if (!(error instanceof GitError)) return { result: 'failed', error: String(error) };
    try {
      return await attempt(worktree, request, held, false);
    } catch (again) {
      return { result: 'failed', error: String(again) };
    }
  }
}

async function attempt(worktree: Worktree, request: TakeRequest, held: ReadonlyMap<RawPath, Held>, trusting: boolean): Promise<Taken> {
  const headNow = () => readHead(worktree.git, worktree.repository, { asking: !trusting });
  const last = await knownLast(worktree);
  const seen = trusting ? request.looked : undefined;
  const state = seen ?? (await settledScan(worktree, headNow, last, { touched: request.touched, held, trusting }));
  const changes = last ? await compareStates(worktree, last, state, state.inHead) : [];
  const isLeftOutAlike = last !== null && sameLeftOut(last.skipped, state.skipped);
  // What an older version made may not have all bytes: this one does.
  if (last?.converted && changes.length === 0 && isLeftOutAlike && !request.always) {
    const { id, tree, commit, atMs } = last;
    const known = { ...(commit !== undefined && { commit }), ...(atMs !== undefined && { atMs }) };
    await writeLast(worktree.state, { ...stripped(state), id, tree, ...known });
    await addPending(worktree, changedBy(request), [], state);
    return { result: 'unchanged', id };
  }
  return { result: 'made', checkpoint: await record(worktree, request, { last, state, changes, trusting }), changes };
}

/** A state that was looked at becomes a checkpoint. */
export async function record(
  worktree: Worktree,
  request: TakeRequest,
  {
    last,
    state,
    changes,
    trusting,
  }: {
    readonly last: LastCheckpoint | null;
    readonly state: Looked;
    readonly changes: readonly FileChange[];
    readonly trusting: boolean;
  },
): Promise<Checkpoint> {
  const checkpoint = await write(worktree, request, state.at, last, state, trusting);
  const { id, tree, commit, at } = checkpoint;
  await writeLast(worktree.state, { ...stripped(state), id, tree, commit, atMs: at.getTime() });
  await addPending(worktree, changedBy(request), changes, state);
  worktree.made?.(checkpoint);
  return checkpoint;
}

interface ScanOptions {
  readonly touched?: readonly string[] | undefined;
  readonly held?: ReadonlyMap<RawPath, Held>;
  readonly trusting: boolean;
}

/**
 * Git lists what differs from its own HEAD: one that another process has moved meanwhile is not the one that was read. Nor is what was
 * found the state before a call that went on meanwhile, and of which a server that stalled learns only now.
 */
export async function settledScan(
  worktree: Worktree,
  headNow: () => Promise<Head>,
  last: WorkingState | null,
  { touched, held = new Map(), trusting }: ScanOptions,
): Promise<Looked> {
  const { waiting } = worktree;
  for (let scans = 1; ; scans++) {
    const [head, news] = [await headNow(), waiting?.news()];
    const state = await scan(worktree, head, last, touched, heldFirst(held, waiting?.held()), trusting);
    await waiting?.allReceived();
    const isMoved = state.inHead === undefined && (await headNow()).commit !== head.commit;
    if (scans > MOST_SCANS || (!isMoved && waiting?.news() === news)) {
      if (worktree.isGone?.()) throw new WorktreeGone(worktree.repository.root);
      return { ...state, at: head };
    }
  }
}

/** What the caller has read is of its own moment. */
const heldFirst = (own: ReadonlyMap<RawPath, Held>, others: HeldFiles | undefined): HeldFiles =>
  others === undefined
    ? own
    : { get: (path) => own.get(path) ?? others.get(path), keys: () => new Set([...own.keys(), ...others.keys()]).keys() };

/** The last checkpoint, unless somebody deleted it. */
export async function knownLast(worktree: Worktree): Promise<LastCheckpoint | null> {
  const last = await readLast(worktree.state);
  if (!last || !isUlid(last.id)) return null;
  const ref = checkpointRef(last.id);
  // A ref that is not packed is a file: most are, and looking takes no process.
  if (existsSync(join(worktree.repository.commonDir, ref))) return last;
  const there = await worktree.git(['rev-parse', '--quiet', '--verify', ref], { cwd: worktree.repository.root });
  return there.code === 0 ? last : null;
}

export interface Scan extends WorkingState {
  readonly files: ReadonlyMap<RawPath, Observed>;
  readonly converted: ReadonlyMap<RawPath, Observed>;
  /** How HEAD has some of the paths, where that is known by now. */
  readonly inHead?: ReadonlyMap<RawPath, Entry | null>;
}

/** Looks at what was touched if all else is known, and at the whole working tree otherwise. */
export async function scan(
  worktree: Worktree,
  head: Head,
  last: WorkingState | null,
  touched: readonly string[] | undefined,
  held: HeldFiles,
  trusting = true,
): Promise<Scan> {
  const previous = previousOf(trusting ? last : null);
  if (touched && last?.converted && last.head === head.commit && trusting) {
    const { entries, inHead } = await touchedCandidates(worktree, head.commit, last, touched);
    const { files, converted, skipped } = await observe(worktree, head.commit, entries, previous, held);
    const looked = new Set(entries.map(({ path }) => path));
    const kept = [...last.files].filter(([path]) => !looked.has(path));
    const keptConverted = [...last.converted].filter(([path]) => !looked.has(path));
    return {
      head: head.commit,
      files: new Map<RawPath, Observed>([...kept, ...files]),
      converted: new Map<RawPath, Observed>([...keptConverted, ...converted]),
      skipped: [...last.skipped.filter(({ path }) => !looked.has(path)), ...skipped],
      inHead,
    };
  }
  const status = await readStatus(worktree, head.commit);
  const there = new Set(status.entries.map(({ path }) => path));
  // What was read early is what the checkpoint shall have, even if git sees nothing of it now.
  const isStill = (path: RawPath): boolean => isSameLook(lookAt(worktree.repository.root, path), held.get(path)?.look);
  const unseen = new Set([...held.keys()].filter((path) => !there.has(path) && !isStill(path)));
  const early = await candidatesAmong(worktree, head.commit, { files: new Map() }, unseen);
  const { files, converted, skipped } = await observe(worktree, head.commit, [...status.entries, ...early.entries], previous, held);
  const except = new Set([...there, ...unseen]);
  const others = await readConverted(worktree, { index: status.index, except, previous: previous.converted });
  const since = await observe(worktree, head.commit, others.changed, previous, held);
  const submodules = await changedSubmodules(worktree, others.submodules);
  const inner = status.innerRepositories.map((path): Skipped => ({ path, reason: 'inner-repository', bytes: 0 }));
  return {
    head: head.commit,
    files: new Map([...files, ...since.files]),
    converted: new Map([...converted, ...others.files, ...since.converted]),
    skipped: shortList([...status.leftOut, ...inner, ...skipped, ...since.skipped, ...others.skipped, ...submodules]),
  };
}

/** Older versions did not keep all bytes: what they knew tells nothing of these. */
export const previousOf = (last: WorkingState | null): Previous =>
  last?.converted ? { files: last.files, converted: last.converted } : { files: new Map(), converted: new Map() };

/** Without the bytes: those are in git now. */
export function stripped({ head, files, converted, skipped }: Scan): WorkingState {
  const known = (all: ReadonlyMap<RawPath, Observed>) =>
    new Map([...all].map(([path, { stored: _stored, bytes: _bytes, ...rest }]) => [path, rest] as const));
  return { head, files: known(files), converted: known(converted), skipped };
}

async function write(
  worktree: Worktree,
  request: TakeRequest,
  head: Head,
  last: LastCheckpoint | null,
  state: Scan,
  trusting: boolean,
): Promise<Checkpoint> {
  const { repository } = worktree;
  const { kind, name, by, session, agent, turn, linked, id } = request;
  const now = laterThan(last, worktree.now());
  const files = new Map(state.files);
  const verbatim = keptBeside(files, state.converted);
  const written = {
    kind,
    by,
    session,
    agent,
    turn,
    name: worktree.redact(name),
    id: id ?? ulid(now, worktree.random(10)),
    at: new Date(now),
    base: head.commit,
    branch: head.branch,
    worktree: repository.worktree,
    place: repository.place,
    before: last?.id ?? null,
    workOf: workOf(request),
    workAgent: workOf(request) === session ? agent : (request.workAgent ?? null),
    linked: linked ?? null,
    skipped: state.skipped,
    shared: request.shared ?? [],
    own: request.own ?? [],
    verbatim: verbatim.size > 0,
    asOnDisk: true,
  };
  // Only what is new goes to git, if nothing has gone back to how HEAD has it.
  const incremental = trusting && last && last.head === head.commit && [...last.files.keys()].every((path) => files.has(path));
  if (incremental) for (const [path, known] of last.files) if (sameKnown(files.get(path), known)) files.delete(path);
  const stream = importStream({
    ...{ written, seconds: Math.floor(now / 1000), format: repository.objectFormat },
    ...{ from: incremental ? last.tree : null, files, verbatim },
  });
  const [commit = '', listing = ''] = await runImport(worktree, written.id, stream);
  const tree = /^040000 tree ([0-9a-f]+)/.exec(listing)?.[1];
  if (!tree) throw new Error(`git fast-import answered ${JSON.stringify(listing)}`);
  return { ...written, ref: checkpointRef(written.id), commit, tree };
}

const workOf = ({ workOf: given, session }: TakeRequest): string | null => (given === undefined ? session : given);

const changedBy = (request: TakeRequest) => {
  const session = workOf(request);
  return { by: request.by, sessions: request.among ?? (session === null ? [] : [session]), rewound: request.rewound === true };
};

export const sameKnown = (a: Observed | undefined, b: Observed) => sameEntry(a?.entry, b.entry) && a?.verbatim === b.verbatim;

/** Even if the clock was set back. The last one's id may have been promised long before it was made. */
function laterThan(last: LastCheckpoint | null, now: number): number {
  return last ? Math.max(now, (last.atMs ?? ulidTime(last.id)) + 1, ulidTime(last.id) + 1) : now;
}
