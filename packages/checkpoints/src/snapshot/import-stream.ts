import { type Checkpoint, checkpointRef, verbatimRef } from '../checkpoint.ts';
import { formatMessage } from '../checkpoint-message.ts';
import { pathBytes, type RawPath } from '../raw-path.ts';
import { verbatimEntry } from './conversion/recipe.ts';
import type { Observed } from './observe.ts';

/** A name that holds a line feed, or begins with a quote, must be quoted; everything else stands for itself. */
export function quoted(path: RawPath): Buffer {
  if (!path.startsWith('"') && !path.includes('\n')) return pathBytes(path);
  const inside = path.replace(/["\\\n]/g, (char) => (char === '\n' ? '\\n' : `\\${char}`));
  return pathBytes(`"${inside}"`);
}

export const line = (...parts: (string | Buffer)[]) =>
  Buffer.concat([...parts.map((part) => Buffer.from(part as string)), Buffer.from('\n')]);

function* data(bytes: Uint8Array): Generator<Uint8Array> {
  yield line(`data ${bytes.length}`);
  yield bytes;
  yield line('');
}

export function* commitHead(ref: string, mark: number, seconds: number, message: string): Generator<Uint8Array> {
  yield line(`commit ${ref}`);
  yield line(`mark :${mark}`);
  yield line(`committer Piton <piton@localhost> ${seconds} +0000`);
  yield* data(Buffer.from(message));
}

export function* put(path: RawPath, mode: string, oid: string, bytes: Buffer | undefined): Generator<Uint8Array> {
  const blob = mode !== '160000' && bytes;
  yield line(`M ${mode} ${blob ? 'inline' : oid} `, quoted(path));
  if (blob) yield* data(blob);
}

export interface Import {
  readonly written: Omit<Checkpoint, 'ref' | 'commit' | 'tree'>;
  readonly seconds: number;
  readonly format: 'sha1' | 'sha256';
  /** The tree of an earlier checkpoint on the same HEAD, from which only `files` differ. */
  readonly from: string | null;
  /** What differs from HEAD, or from `from`. */
  readonly files: ReadonlyMap<RawPath, Observed>;
  /** All that is kept verbatim. */
  readonly verbatim: ReadonlyMap<RawPath, Observed>;
}

/** What `git fast-import` reads for one checkpoint. It answers with the ids of the commit and of its tree. */
export function* importStream({ written, seconds, format, from, files, verbatim }: Import): Generator<Uint8Array> {
  yield* commitHead(checkpointRef(written.id), 1, seconds, formatMessage(written));
  if (written.base) yield line(`from ${written.base}`);
  // HEAD may have moved on by now: what the checkpoint is linked to must outlive its branch.
  if (written.linked !== null && written.linked !== written.base) yield line(`merge ${written.linked}`);
  if (from) yield line(`M 040000 ${from} `);
  // A file may have become a directory, or a directory a file: first all that is gone.
  for (const [path, { entry }] of files) if (!entry) yield line('D ', quoted(path));
  for (const [path, { entry, stored }] of files) if (entry) yield* put(path, entry.mode, entry.oid, stored);
  yield line('');
  if (verbatim.size > 0) {
    yield* commitHead(verbatimRef(written.id), 2, seconds, `Files of ${written.id} as they were\n`);
    for (const [path, file] of verbatim) {
      const { mode, oid, bytes } = verbatimEntry(format, file);
      yield* put(path, mode, oid, bytes);
    }
    yield line('');
  }
  yield line('get-mark :1');
  yield line('ls :1 ');
  yield line('done');
}
