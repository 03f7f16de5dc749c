import { readFileSync } from 'node:fs';
import { settleUntilNow } from '../authors/until-now.ts';
import type { Checkpoint } from '../checkpoint.ts';
import { findCheckpoint, listCheckpoints } from '../history/listing.ts';
import type { RawPath } from '../raw-path.ts';
import { openOperation, readHead } from '../repositories/repository.ts';
import type { Trailer } from '../settings.ts';
import { compareStates } from '../snapshot/comparison.ts';
import { take } from '../snapshot/take.ts';
import type { Entry } from '../snapshot/tree.ts';
import { blobId, lookAt, readWorkingFile } from '../snapshot/working-file.ts';
import { readLast } from '../snapshot/working-state.ts';
import { type OpenTurn, openTurns } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';
import { type Amends, messageOf, readCommit, replacedCommit } from './amended.ts';
import { type CommitChanges, committedChanges, recordedSessionsIn, sessionsIn, stagedChanges } from './commit-work.ts';
import { addTrailers, canAsk, hasMessage, idsIn, offerTrailers } from './message.ts';
import { broughtBack, pathsOf, readPending, settlePending } from './pending.ts';
import { isQuiet } from './quiet-note.ts';
import { dropReservations, readReservations, reserve } from './reservation.ts';
import { noteRewritten } from './rewritten.ts';

export interface MessageRequest {
  readonly hook: 'prepare-commit-msg' | 'commit-msg';
  /** The message file, absolute. */
  readonly file: string;
  /** The second argument of prepare-commit-msg; '' for commit-msg. */
  readonly source: string;
  /** Its third: the commit that the message was taken from. */
  readonly from?: string;
  /** Left out: it does not. */
  readonly amends?: Amends;
  /** `GIT_INDEX_FILE` as git gave it to the hook, absolute; the usual one if it gave none. */
  readonly indexFile?: string;
  /** Left out: only where an agent had a hand in it. */
  readonly trailer?: Trailer;
  /** What prepare-commit-msg has made of the messages of commits that are under way, by their files. Its commit-msg finds nothing new in them. */
  readonly settled?: Map<string, string>;
}

/**
 * Puts a trailer into the message of a commit that holds agents' work; gives back the ids. `-m` and `-F` are settled
 * before the commit, a message from an editor only when it is written: an abandoned one stays empty.
 */
export async function markMessage(worktree: Worktree, request: MessageRequest): Promise<string[]> {
  const { git, repository } = worktree;
  // Each step of a rebase or a cherry-pick brings its message along; a merge has no work of its own.
  const { trailer = 'agent-work' } = request;
  if (openOperation(repository) || trailer === 'never') return [];
  const syntax = repository.settings.messages;
  const { file, settled } = request;
  await keepTrailers(worktree, request);
  const text = readFileSync(file, 'utf8');
  if (request.hook === 'commit-msg' && settled?.get(file) === text) return [];
  if (trailer === 'ask') {
    if (!(await canAsk(git, repository.root, request))) return [];
  } else {
    if (request.hook === 'prepare-commit-msg' && request.source !== 'message') return [];
    if (!hasMessage(text, syntax)) return [];
  }
  const ids = await markFor(worktree, request, text);
  if (trailer === 'ask') await offerTrailers(git, repository.root, file, ids);
  else addTrailers(file, ids, syntax);
  settled?.clear();
  if (request.hook === 'prepare-commit-msg') settled?.set(file, readFileSync(file, 'utf8'));
  return ids;
}

/** The ids that are new in a message: one for each session of which the commit will hold work. */
async function markFor(worktree: Worktree, request: MessageRequest, text: string): Promise<string[]> {
  const { git, repository } = worktree;
  const { trailer = 'agent-work' } = request;
  const named = idsIn(text);
  // After prepare-commit-msg has named them all there is nothing to ask git for, however many others wait.
  if (request.hook === 'commit-msg' && named.length > 0) {
    const promised = (await readReservations(worktree)).map(({ id }) => id);
    if (named.every((id) => promised.includes(id))) return [];
  }
  const waiting = named.length > 0 ? await waitingSessions(worktree) : [];
  if (named.length > 0 && (await unnamed(worktree, named, waiting)).length === 0) return [];
  await settleWork(worktree);
  const head = await readHead(git, repository);
  const changes = await stagedChanges(worktree, head.commit, request.indexFile ?? repository.indexFile);
  const sessions =
    named.length > 0
      ? await unnamed(worktree, named, await recordedSessionsIn(worktree, changes))
      : await sessionsIn(worktree, changes, head.commit);
  if (sessions.length === 0 && (trailer !== 'always' || named.length > 0)) return [];
  const ids: string[] = [];
  for (const session of sessions.length > 0 ? sessions : ['']) ids.push((await reserve(worktree, session || null, ids.at(-1))).id);
  return ids;
}

/** An amend whose message comes from elsewhere takes the links of the commit that it replaces along; whoever edits that one's message decides. */
async function keepTrailers({ git, repository }: Worktree, { hook, source, from, file, amends = false }: MessageRequest): Promise<void> {
  const isOther = source === 'message' || (source === 'commit' && from !== 'HEAD');
  const syntax = repository.settings.messages;
  if (hook !== 'prepare-commit-msg' || !isOther || amends === false || !hasMessage(readFileSync(file, 'utf8'), syntax)) return;
  const replaced = await replacedCommit(git, repository, amends);
  if (replaced !== null) addTrailers(file, idsIn(replaced), syntax);
}

/** Also those of work that went away: it may be back. */
async function waitingSessions(worktree: Worktree): Promise<string[]> {
  const { paths, dormant } = await readPending(worktree);
  return [...paths.values(), ...dormant.values()].flatMap(({ sessions }) => sessions);
}

export interface Linked {
  readonly commit: string;
  /** Checkpoints of kind `commit` that were made for it, one for each session. */
  readonly made: readonly Checkpoint[];
  /** Older ones that its message names: it was amended, picked, or squashed. */
  readonly carried: readonly string[];
  /** What was in the works beside it, with whose it is. */
  readonly parts: readonly Checkpoint[];
}

/** After a commit: makes the checkpoints that its message promised, or that its content calls for. */
export async function linkCommit(
  worktree: Worktree,
  agentOf: (session: string) => string | null | Promise<string | null> = (session) => recordedAgent(worktree, session),
): Promise<Linked | null> {
  const { git, repository } = worktree;
  const { commit } = await readHead(git, repository);
  if (!commit || openOperation(repository) === 'rebase') return null;
  const message = messageOf((await readCommit(git, repository, commit)) ?? '');
  const named = idsIn(message);
  if (named.length === 0 && (await isQuiet(worktree))) return { commit, made: [], carried: [], parts: [] };
  const reservations = (await readReservations(worktree)).filter(({ id }) => named.includes(id));
  const carried: string[] = [];
  for (const id of named) if (await findCheckpoint(git, repository, id)) carried.push(id);
  // A commit that was there before the work cannot hold it.
  const isOlder = (await readPending(worktree)).head === commit;
  const parts = await settleWork(worktree);
  const changes = await committedChanges(worktree, commit);
  const promised = reservations.filter(({ id }) => !carried.includes(id));
  const pending = await readPending(worktree);
  const settled = isOlder || (promised.length > 0 && carried.length === 0);
  const unpromised = settled
    ? []
    : carried.length > 0
      ? (await recordedSessionsIn(worktree, changes)).filter((session) => !promised.some((one) => (one.session ?? '') === session))
      : await sessionsIn(worktree, changes, await parentOf(worktree, commit));
  const wanted = [...promised, ...unpromised.map((session) => ({ id: undefined, session: session || null }))];
  const [open, ...others] = await unfollowedTurns(worktree);
  const by = others.length > 0 ? 'shared' : open ? 'agent' : 'human';
  const workOf = others.length > 0 ? null : (open?.session ?? null);
  const workAgent = workOf === null ? null : await agentOf(workOf);
  const made: Checkpoint[] = [];
  for (const { id, session } of wanted) {
    const about = {
      kind: 'commit',
      by,
      name: message.split('\n')[0] ?? '',
      session,
      workOf,
      workAgent,
      turn: workOf === null ? null : (open?.turn ?? null),
    } as const;
    const agent = session === null ? null : await agentOf(session);
    const taken = await take(worktree, { ...about, agent, always: true, linked: commit, ...(id === undefined ? {} : { id }) });
    if (taken.result === 'made') made.push(taken.checkpoint);
  }
  await dropReservations(worktree, new Set(named));
  // If it was amended git says so next, and then it is known already.
  if (made.length + carried.length > 0) await noteRewritten(worktree, `${commit} ${commit}`);
  if (pending.paths.size + broughtBack(pending, changes).size > 0) await settle(worktree, commit, changes);
  return { commit, made, carried, parts };
}

/** Whose everything is that is there now: a commit may hold some of it that no checkpoint has yet. */
async function settleWork(worktree: Worktree): Promise<readonly Checkpoint[]> {
  const turns = await openTurns(worktree);
  return turns.some(({ calls }) => calls === undefined) ? [] : (await settleUntilNow(worktree, null)).parts;
}

/** Those of whose calls nobody knows. */
const unfollowedTurns = async (worktree: Worktree): Promise<OpenTurn[]> => {
  const turns = await openTurns(worktree);
  return turns.some(({ calls }) => calls === undefined) ? turns : [];
};

/**
 * Those that no id in the message stands for yet: an amend with the old message may take in the work of others. Only what is
 * recorded counts there; in an open turn also a cherry-pick of older work looks new. One line for each session is enough.
 */
async function unnamed(worktree: Worktree, ids: readonly string[], sessions: readonly string[]): Promise<string[]> {
  if (sessions.length === 0) return [];
  const promised = (await readReservations(worktree)).filter(({ id }) => ids.includes(id));
  const others = ids.filter((id) => !promised.some((one) => one.id === id));
  const made = await Promise.all(others.map((id) => findCheckpoint(worktree.git, worktree.repository, id)));
  const known = new Set([...promised, ...made].flatMap((one) => (one ? [one.session ?? ''] : [])));
  return sessions.filter((session) => !known.has(session));
}

/** Of a session that began before whoever asks did, its checkpoints know: most often the last, and to read all takes longer with each. */
export async function recordedAgent({ git, repository, state }: Worktree, session: string): Promise<string | null> {
  const last = await findCheckpoint(git, repository, (await readLast(state))?.id ?? '');
  if (last?.session === session && last.agent !== null) return last.agent;
  const all = await listCheckpoints(git, repository, { here: true });
  return all.findLast((one) => one.session === session && one.agent !== null)?.agent ?? null;
}

/**
 * A commit that nobody linked: whoever was to do it died, or did not hear of it. HEAD names a checkpoint that was promised
 * and is still waited for, or was made right on top of the commit on which work waited; one that lies deeper is reported by a repair.
 */
export async function recoverLink(worktree: Worktree, agentOf?: Parameters<typeof linkCommit>[1]): Promise<Linked | null> {
  const promised = await readReservations(worktree);
  const pending = await readPending(worktree);
  const { commit } = await readHead(worktree.git, worktree.repository);
  const mayHold = pending.paths.size > 0 && pending.head !== null && pending.head !== commit;
  if (commit === null || (promised.length === 0 && !mayHold)) return null;
  const text = (await readCommit(worktree.git, worktree.repository, commit)) ?? '';
  const named = idsIn(messageOf(text));
  const isNext = mayHold && text.includes(`\nparent ${pending.head}\n`);
  return isNext || promised.some(({ id }) => named.includes(id)) ? linkCommit(worktree, agentOf) : null;
}

async function parentOf({ git, repository }: Worktree, commit: string): Promise<string | null> {
  const result = await git(['rev-parse', '--quiet', '--verify', `${commit}^`], { cwd: repository.root });
  return result.code === 0 ? result.stdout.toString().trim() : null;
}

/** What still differs from the commit is still pending. */
async function settle(worktree: Worktree, commit: string, committed: CommitChanges): Promise<void> {
  const last = await readLast(worktree.state);
  if (!last) return;
  const differing = new Set((await compareStates(worktree, { head: commit, files: new Map(), skipped: [] }, last)).flatMap(pathsOf));
  const { paths } = await readPending(worktree);
  const replaced = new Set<RawPath>();
  // Where no checkpoint was made of the commit, the last one has the work that somebody has replaced before it.
  for (const { path, after } of committed.values())
    if (differing.has(path) && paths.has(path) && (await isOnDisk(worktree, path, after))) replaced.add(path);
  await settlePending(worktree, { head: commit, committed }, differing, replaced);
}

async function isOnDisk({ repository }: Worktree, path: RawPath, entry: Entry | null): Promise<boolean> {
  const { kind } = lookAt(repository.root, path);
  if (kind !== 'file' && kind !== 'symlink') return kind === 'absent' && entry === null;
  const bytes = await readWorkingFile(repository.root, path, kind);
  return bytes !== null && blobId(repository.objectFormat, bytes) === entry?.oid;
}
