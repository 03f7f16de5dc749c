import { existsSync } from 'node:fs';
import { basename } from 'node:path';
import { type Checkpoint, type Checkpoints, shownPath } from '@piton/checkpoints';
import { readRepositories } from '@piton/checkpoints/repositories';
import type { PageCommit, PageList, PageRepository, PageRepositoryDetail, PageStep } from '@piton/contracts/page';
import { gitOutput } from '@piton/git';
import { commandName } from '../../../command-name.ts';
import { Unanswerable } from '../../answer.ts';
import { limitIn, positionIn, positionOf } from '../../query.ts';
import { type PageReader, repositoryId } from '../../reader.ts';
import { maybeMs } from '../../text.ts';
import { checkpointRow, knownSessions } from './checkpoint-rows.ts';

const MAX_FILES = 100;

async function repositoryRows(reader: PageReader): Promise<PageRepository[]> {
  const places = new Map(((await (await reader.store())?.sessionPlaces()) ?? []).map((place) => [place.root, place]));
  const watched = new Set(readRepositories(reader.places.home));
  return (await reader.roots()).map((root) => {
    const place = places.get(root);
    return {
      ...{ id: repositoryId(root), root, name: basename(root), lastAt: maybeMs(place?.lastUs ?? null), sessions: place?.sessions ?? 0 },
      ...{ watched: watched.has(root), missing: !existsSync(root) },
    };
  });
}

export async function answerRepositories(reader: PageReader, query: URLSearchParams): Promise<PageList<PageRepository>> {
  return partOf(await repositoryRows(reader), query);
}

/** Of a list that is there as a whole. */
function partOf<Item>(all: readonly Item[], query: URLSearchParams): PageList<Item> {
  const limit = limitIn(query);
  const [given] = positionIn(query) ?? [];
  const from = typeof given === 'number' ? given : 0;
  return { items: all.slice(from, from + limit), next: from + limit < all.length ? positionOf(from + limit) : null };
}

export async function requireCheckpoints(reader: PageReader, id: string): Promise<{ root: string; checkpoints: Checkpoints }> {
  const root = await reader.root(id);
  const checkpoints = await reader.checkpoints(root);
  if (checkpoints === null) throw new Unanswerable(404, 'git', 'no repository lies there any more', 'it was moved or deleted');
  return { root, checkpoints };
}

export async function answerRepository(reader: PageReader, _: URLSearchParams, id: string): Promise<PageRepositoryDetail> {
  const root = await reader.root(id);
  const row = (await repositoryRows(reader)).find((one) => one.id === id) as PageRepository;
  const checkpoints = await reader.checkpoints(root);
  const asked = async (...args: string[]): Promise<string | null> => {
    if (checkpoints === null) return null;
    const result = await checkpoints.git(args, { cwd: root, mostOutput: 10_000 });
    return result.code === 0 ? result.stdout.toString().trim() || null : null;
  };
  const piton = commandName(reader.context);
  return {
    ...row,
    branch: await asked('symbolic-ref', '--quiet', '--short', 'HEAD'),
    head: await asked('rev-parse', '--quiet', '--verify', 'HEAD'),
    checkpoints: (await checkpoints?.listAll())?.length ?? 0,
    commands: [
      { does: 'export', command: `${piton} export`, directory: root },
      { does: 'rewind-undo', command: `${piton} rewind --undo`, directory: root },
    ],
  };
}

const FORMAT = '%H%x00%cI%x00%an%x00%s';

/** Newest first. The sessions of a commit are known by the checkpoints that it carries; whose its lines are takes a while to find out. */
export async function answerCommits(reader: PageReader, query: URLSearchParams, id: string): Promise<PageList<PageCommit>> {
  const { root, checkpoints } = await requireCheckpoints(reader, id);
  const limit = limitIn(query, query.has('lines') ? 10 : 50);
  const [given] = positionIn(query) ?? [];
  const skip = typeof given === 'number' ? given : 0;
  const args = ['log', `--format=${FORMAT}`, `--max-count=${limit + 1}`, `--skip=${skip}`, 'HEAD', '--'];
  const log = await checkpoints.git(args, { cwd: root, mostOutput: 4_000_000 });
  // Before the first commit there is no HEAD.
  const lines = log.code === 0 ? log.stdout.toString().split('\n').filter(Boolean) : [];
  const linked = new Map<string, Checkpoint[]>();
  for (const one of await checkpoints.listAll()) if (one.linked) linked.set(one.linked, [...(linked.get(one.linked) ?? []), one]);
  const sessionOf = await knownSessions(await reader.store(), [...linked.values()].flat().slice(-500));
  const items: PageCommit[] = [];
  for (const line of lines.slice(0, limit)) {
    const [sha = '', at = '', author = '', ...subject] = line.split('\0');
    const own = linked.get(sha) ?? [];
    const attribution = query.has('lines') ? await checkpoints.attributeCommit(sha) : null;
    items.push({
      ...{ sha, at: Date.parse(at), author: reader.redactor.text(author), subject: reader.redactor.text(subject.join(' ')) },
      lines: attribution && {
        agent: attribution.agent,
        human: attribution.human,
        shared: attribution.shared,
        removed: attribution.removed,
      },
      checkpoints: own.map((one) => one.id),
      sessions: own.flatMap(({ session, agent }) => (session === null ? [] : [{ id: sessionOf(session), agent, providerRef: session }])),
    });
  }
  return { items, next: lines.length > limit ? positionOf(skip + limit) : null };
}

/** The slider: each checkpoint with the files that changed since the one before. Newest first. */
export async function answerSteps(reader: PageReader, query: URLSearchParams, id: string): Promise<PageList<PageStep>> {
  const { root, checkpoints } = await requireCheckpoints(reader, id);
  const all = await checkpoints.listAll();
  const session = query.get('session');
  const found = session === null ? undefined : await (await reader.store())?.session(session);
  const ref = found?.found === 'one' ? found.value.providerRef : session;
  const wanted = ref === null ? all : all.filter((one) => one.session === ref);
  const part = partOf(wanted.toReversed(), query);
  const changed = await checkpoints.changedFiles(part.items, all);
  const sessionOf = await knownSessions(await reader.store(), part.items);
  return {
    ...part,
    items: part.items.map((one, at): PageStep => {
      const files = changed[at]?.map(shownPath) ?? null;
      return {
        ...checkpointRow(root, one, sessionOf),
        files: files?.slice(0, MAX_FILES) ?? null,
        filesCut: Math.max(0, (files?.length ?? 0) - MAX_FILES),
      };
    }),
  };
}

export const outputOf = async (checkpoints: Checkpoints, args: readonly string[], mostOutput: number): Promise<Buffer> => {
  const result = await checkpoints.git(args, { cwd: checkpoints.repository.root, mostOutput });
  // Cut by us: so much of it is enough.
  if (result.code !== 0 && result.stdout.length < mostOutput)
    await gitOutput(async () => result, args, { cwd: checkpoints.repository.root });
  return result.stdout;
};
