import type { Author, Checkpoint } from '../checkpoint.ts';
import { type LastImage, readImage, writeImage } from '../images/image-state.ts';
import { pathsOf } from '../links/pending.ts';
import type { RawPath } from '../raw-path.ts';
import { readHead } from '../repositories/repository.ts';
import { compareStates } from '../snapshot/comparison.ts';
import { knownLast, type Looked, record } from '../snapshot/take.ts';
import { lookUp } from '../snapshot/tree.ts';
import type { Known, LastCheckpoint } from '../snapshot/working-state.ts';
import { isOver, type OpenTurn, updateTurn } from '../turns/turn-file.ts';
import type { Worktree } from '../worktree.ts';
import { isSameOwner, type Owner, ownerOf } from './owners.ts';
import { turnsAtWork } from './turns-at-work.ts';

interface Owned {
  readonly owners: ReadonlyMap<RawPath, Owner>;
  readonly parts: readonly Checkpoint[];
}

/**
 * Whose changes are that a look has just found. Where a file has been another's since the last checkpoint, what was known until now
 * becomes checkpoints first: within one a file has one author.
 */
export async function owned(
  worktree: Worktree,
  known: { readonly owners: ReadonlyMap<RawPath, Owner> } | null,
  changed: readonly RawPath[],
  { isWhole, files }: { readonly isWhole: boolean; readonly files: ReadonlyMap<RawPath, Known> },
): Promise<Owned> {
  const turns = turnsAtWork(worktree);
  if (isWhole) await closeOver(worktree, turns);
  if (known === null) return { owners: new Map(), parts: [] };
  const found = new Map(changed.map((path) => [path, ownerOf(path, turns, () => bytesOf(files.get(path)))]));
  const isAnothers = ([path, owner]: [RawPath, Owner]): boolean => {
    const before = known.owners.get(path);
    return before !== undefined && !isSameOwner(before, owner);
  };
  const parts = [...found].some(isAnothers) ? await takeParts(worktree, () => true) : [];
  return { owners: new Map([...(parts.length > 0 ? [] : known.owners), ...found]), parts };
}

/** The blob of what is on disk. */
const bytesOf = (known: Known | undefined): string | null => known?.verbatim ?? known?.entry?.oid ?? null;

/** Until this look it may have changed something, and not any more. */
async function closeOver(worktree: Worktree, turns: readonly OpenTurn[]): Promise<void> {
  for (const turn of turns) if (turn.calls && isOver(turn, worktree.now())) await updateTurn(worktree, turn.session, () => ({ calls: [] }));
}

const ORDER: readonly Author[] = ['human', 'shared', 'agent'];

/** What the last look found of some owners becomes a checkpoint of each, people's first. */
export async function takeParts(
  worktree: Worktree,
  isWanted: (owner: Owner) => boolean,
  kind: 'part' | 'stop' = 'part',
): Promise<Checkpoint[]> {
  const made: Checkpoint[] = [];
  for (const owner of ownersIn(readImage(worktree))) {
    if (!isWanted(owner)) continue;
    const [image, last] = [readImage(worktree), await knownLast(worktree)];
    if (!image || !last || image.after !== last.id) break;
    const part = await takePart(worktree, image, last, { owner, kind });
    if (part !== null) made.push(part);
    const left = [...image.owners].filter(([, one]) => !isSameOwner(one, owner));
    await writeImage(worktree, { ...image, after: part?.id ?? last.id, owners: new Map(left) });
  }
  return made;
}

/** People's first. */
export function ownersIn(image: Pick<LastImage, 'owners'> | null): Owner[] {
  const found: Owner[] = [];
  for (const owner of image?.owners.values() ?? []) if (!found.some((one) => isSameOwner(one, owner))) found.push(owner);
  return found.sort((a, b) => ORDER.indexOf(a.by) - ORDER.indexOf(b.by));
}

async function takePart(
  worktree: Worktree,
  image: LastImage,
  last: LastCheckpoint,
  { owner, kind }: { readonly owner: Owner; readonly kind: 'part' | 'stop' },
): Promise<Checkpoint | null> {
  const isTheirs = (path: RawPath): boolean => {
    const one = image.owners.get(path);
    return one !== undefined && isSameOwner(one, owner);
  };
  const all = await compareStates(worktree, last, image);
  const changes = all.filter((change) => pathsOf(change).some(isTheirs));
  if (changes.length === 0) return null;
  const others = all.flatMap(pathsOf).filter((path) => !isTheirs(path));
  const files = new Map(image.files);
  for (const [path, known] of await asBefore(worktree, last, image, others))
    if (known === null) files.delete(path);
    else files.set(path, known);
  const converted = new Map(image.converted ?? []);
  for (const path of others) {
    const known = last.converted?.get(path);
    if (known === undefined) converted.delete(path);
    else converted.set(path, known);
  }
  const { branch } = await readHead(worktree.git, worktree.repository);
  const state: Looked = { head: image.head, files, converted, skipped: image.skipped, at: { commit: image.head, branch } };
  const { by, session, agent, turn, among } = owner;
  const request = { kind, by, session, agent, turn, name: nameOf(owner), ...(among && { among }) } as const;
  return record(worktree, request, { last, state, changes, trusting: true });
}

/** Files as the last checkpoint has them; null where they are as HEAD has them, which has not moved since. */
async function asBefore(
  { git, repository }: Worktree,
  last: LastCheckpoint,
  image: LastImage,
  paths: readonly RawPath[],
): Promise<Map<RawPath, Known | null>> {
  const found = new Map<RawPath, Known | null>(paths.map((path) => [path, last.files.get(path) ?? null]));
  if (image.head === last.head) return found;
  const clean = paths.filter((path) => !last.files.has(path));
  const entries = clean.length > 0 ? await lookUp(git, repository.root, last.tree, clean) : new Map();
  for (const path of clean) found.set(path, { entry: entries.get(path) ?? null, untracked: false });
  return found;
}

function nameOf({ by, name }: Owner): string {
  if (by === 'human') return 'Your changes beside an agent';
  return name || (by === 'shared' ? 'Changes of several sessions' : 'Work without a prompt');
}
