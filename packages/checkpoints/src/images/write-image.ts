import { createHash } from 'node:crypto';
import { isUlid, ulid } from '@piton/contracts';
import type { RawPath } from '../raw-path.ts';
import { verbatimEntry } from '../snapshot/conversion/recipe.ts';
import { runImport } from '../snapshot/fast-import.ts';
import { commitHead, line, put, quoted } from '../snapshot/import-stream.ts';
import type { Observed } from '../snapshot/observe.ts';
import type { Worktree } from '../worktree.ts';
import { type Holder, readHolder, writeHolder } from './image-state.ts';

/** One ref for all images of a working tree: git reads every ref there is at each fetch. */
export function imagesRef({ repository: { worktree } }: Pick<Worktree, 'repository'>): string {
  const plain = /^[A-Za-z0-9][\w-]*$/.test(worktree);
  return `refs/piton/images/${plain ? worktree : createHash('sha256').update(worktree).digest('hex').slice(0, 24)}`;
}

export const IMAGES_MESSAGE = 'What files were before calls of recent turns\n';

export const MOST_TURNS = 20;
const MOST_IMAGES = 400;

export interface ImageFiles {
  readonly turn: string;
  /** A tree from which only `files` differ; null: nothing else is in the image. */
  readonly from: string | null;
  readonly files: ReadonlyMap<RawPath, Observed>;
  /** All that is kept verbatim. */
  readonly verbatim: ReadonlyMap<RawPath, Observed>;
}

export interface WrittenImage {
  /** Null: there is no file in it. */
  readonly tree: string | null;
  readonly verbatim: string | null;
}

/**
 * The ref's commit has a tree of images: `<turn>/<image>/files`, and beside that `verbatim`. Each commit is the last one's tree with an
 * image more, and without those of turns that are long past; it has no parent, so that those are free to go.
 */
export async function writeImageFiles(worktree: Worktree, image: ImageFiles): Promise<WrittenImage> {
  const now = worktree.now();
  const name = ulid(now, worktree.random(10));
  const turn = isUlid(image.turn) ? image.turn : createHash('sha256').update(image.turn).digest('hex').slice(0, 26);
  const holder = readHolder(worktree);
  const { kept, dropped } = withRoom(holder, turn, name);
  const place = `${turn}/${name}`;
  const stream = imageStream(worktree, { ...image, place, holder, dropped, seconds: Math.floor(now / 1000) });
  const [, files = '', verbatim = '', all = ''] = await runImport(worktree, name, stream, ['--force']);
  const treeIn = (listing: string): string | null => /^040000 tree ([0-9a-f]+)/.exec(listing)?.[1] ?? null;
  await writeHolder(worktree, { tree: treeIn(all) ?? '', images: kept });
  return { tree: treeIn(files), verbatim: treeIn(verbatim) };
}

/** The oldest turns go first, and of a turn without end its oldest images. */
function withRoom(holder: Holder | null, turn: string, name: string) {
  const all = [...(holder?.images ?? []), [turn, name] as const];
  const turns = new Set([...new Set([...all].reverse().map(([each]) => each))].slice(0, MOST_TURNS));
  const recent = all.filter(([each]) => turns.has(each)).slice(-MOST_IMAGES);
  const staying = new Set(recent.map(([, each]) => each));
  return { kept: recent, dropped: all.filter(([, each]) => !staying.has(each)) };
}

interface Streamed extends ImageFiles {
  readonly place: string;
  readonly holder: Holder | null;
  readonly dropped: Holder['images'];
  readonly seconds: number;
}

function* imageStream(worktree: Worktree, image: Streamed): Generator<Uint8Array> {
  const { place, from, files, verbatim, holder, dropped } = image;
  yield* commitHead(imagesRef(worktree), 1, image.seconds, IMAGES_MESSAGE);
  if (holder?.tree) yield line(`M 040000 ${holder.tree} `);
  for (const [turn, name] of dropped) yield line(`D ${turn}/${name}`);
  if (from) yield line(`M 040000 ${from} ${place}/files`);
  const inside = (folder: string, path: RawPath): RawPath => `${place}/${folder}/${path}`;
  if (from) for (const [path, { entry }] of files) if (!entry) yield line('D ', quoted(inside('files', path)));
  for (const [path, { entry, stored }] of files) if (entry) yield* put(inside('files', path), entry.mode, entry.oid, stored);
  for (const [path, file] of verbatim) {
    const { mode, oid, bytes } = verbatimEntry(worktree.repository.objectFormat, file);
    yield* put(inside('verbatim', path), mode, oid, bytes);
  }
  yield line('');
  yield line('get-mark :1');
  for (const listed of [`${place}/files`, `${place}/verbatim`, '']) yield line(`ls :1 ${listed}`);
  yield line('done');
}
