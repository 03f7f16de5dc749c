import { basename } from 'node:path';
import { type Checkpoint, type Checkpoints, openCheckpoints } from '@piton/checkpoints';
import type { ExportCommit } from '@piton/contracts';
import { createGit } from '@piton/git';
import type { Redactor } from '@piton/redact';
import type { SessionDetail, Store } from '@piton/store';
import type { Context } from '../context.ts';
import { gitHere } from '../programs.ts';
import { ownPrices } from './cost.ts';
import { type DocumentFacts, documentOf } from './document.ts';
import type { Chosen } from './target.ts';
import type { SessionFacts } from './turns.ts';

const MAX_EVENTS = 100_000;

export interface Gathering {
  readonly context: Context;
  readonly checkpoints: Checkpoints | null;
  readonly store: Store | null;
  readonly chosen: Chosen;
  readonly redactor: Redactor;
  readonly full: boolean;
}

/** Reads commits from git and sessions from the store. */
export async function gather({ context, checkpoints, store, chosen, redactor, full }: Gathering) {
  const all = (await checkpoints?.listAll()) ?? [];
  const commits = checkpoints ? await readCommits(context, checkpoints, shas(chosen, all), redactor) : [];
  const refs = chosen.kind === 'session' ? chosen.sessions : [...new Set([...chosen.sessions, ...sessionsBehind(commits, all)])];
  const { sessions, unknown } = store ? await readSessions(store, refs, all) : { sessions: [], unknown: refs.length };
  const repository = checkpoints ? basename(checkpoints.repository.root) : null;
  const target = { kind: chosen.kind, name: redactor.text(chosen.name), base: chosen.base, repository };
  const facts: DocumentFacts = { piton: context.version, now: new Date(), target, commits, sessions, full, prices: ownPrices(context) };
  return { document: documentOf(facts), unknown };
}

/** For a session: the commits that contain its work. */
function shas({ kind, commits, providerRef }: Chosen, checkpoints: readonly Checkpoint[]): readonly string[] {
  if (kind !== 'session' || !providerRef) return commits;
  return [...new Set(checkpoints.flatMap(({ session, linked }) => (session === providerRef && linked ? [linked] : [])))];
}

async function readCommits(
  context: Context,
  checkpoints: Checkpoints,
  list: readonly string[],
  redactor: Redactor,
): Promise<ExportCommit[]> {
  const slow = context.interactive && list.length > 5;
  const commits: ExportCommit[] = [];
  for (const [at, commit] of list.entries()) {
    if (slow) context.progress(`${at + 1} of ${list.length} commits…`);
    const found = await readCommit(checkpoints, commit, redactor);
    if (found) commits.push(found);
  }
  if (slow) context.progress('');
  return commits;
}

/** Sessions that wrote a line of a commit, or whose checkpoint it carries: deleting lines is work too. */
function sessionsBehind(commits: readonly ExportCommit[], checkpoints: readonly Checkpoint[]): string[] {
  const linked = new Set(commits.flatMap((commit) => commit.checkpoints));
  const named = checkpoints.flatMap(({ id, session }) => (linked.has(id) && session ? [session] : []));
  return [...commits.flatMap(({ sessions }) => sessions), ...named];
}

async function readCommit(checkpoints: Checkpoints, commit: string, redactor: Redactor): Promise<ExportCommit | null> {
  const found = await checkpoints.attributeCommit(commit);
  if (found === null) return null;
  const log = await checkpoints.git(['log', '-1', '--format=%cI%x00%s', commit], { cwd: checkpoints.repository.root });
  const [at = '', subject = ''] = log.stdout.toString().trimEnd().split('\0');
  const { agent, human, shared, removed, binary, sessions } = found;
  return {
    sha: found.commit,
    subject: redactor.text(subject),
    at: new Date(at).toISOString(),
    lines: { agent, human, shared, removed },
    binaryFiles: binary,
    checkpoints: found.checkpoints,
    sessions,
  };
}

async function readSessions(store: Store, refs: readonly string[], checkpoints: readonly Checkpoint[]) {
  const facts = new Map<string, SessionFacts>();
  let unknown = 0;
  for (const ref of refs) {
    const found = await store.session(ref);
    const ids = found.found === 'one' ? [found.value.id] : found.found === 'many' ? found.ids : [];
    if (ids.length === 0) unknown += 1;
    for (const id of ids) {
      const one = await store.session(id);
      if (one.found === 'one' && !facts.has(id)) facts.set(id, await readSession(store, one.value, checkpoints));
    }
  }
  return { sessions: [...facts.values()], unknown };
}

async function readSession(store: Store, session: SessionDetail, checkpoints: readonly Checkpoint[]): Promise<SessionFacts> {
  return {
    session,
    events: [...(await store.events({ session: session.id, limit: MAX_EVENTS }))].reverse(),
    transcripts: await store.transcripts(session.id),
    checkpoints: checkpoints.filter((one) => one.session === session.providerRef && session.providerRef !== ''),
  };
}

/** The repository in which a session worked, if it still exists. */
export const openAt = (context: Context, directory: string, home: string, redactor: Redactor): Promise<Checkpoints | null> =>
  openCheckpoints({
    git: createGit(gitHere(context)),
    directory,
    home,
    redact: (text) => redactor.text(text),
    asFound: true,
  });
