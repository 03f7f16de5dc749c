import { createHash } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { shellWord } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { codeOf, Failure, reasonOf } from '../failure.ts';
import { plural } from '../output/text.ts';
import { teamDirectory, writePrivate } from './membership.ts';
import type { Batch } from './reported/batch.ts';

/** One upload, whether it was acknowledged or not. */
export interface SentLine {
  readonly number: number;
  readonly at: string;
  readonly store: string;
  readonly after: number;
  readonly through: number;
  readonly records: number;
  readonly bytes: number;
  /** Of the bytes before they were packed. */
  readonly sha256: string;
}

/** So many of the last uploads are kept whole, for a person who wants to see them; and this many lines about earlier ones. */
const KEPT = 20;
const KEPT_BYTES = 16 * 1024 * 1024;
const KEPT_LINES = 2000;

export const keptDirectory = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'sent');
export const sentFile = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'sent.jsonl');
const fileOf = (places: Pick<Places, 'home'>, number: number): string => join(keptDirectory(places), `${number}.json.gz`);

/** Oldest first. */
export const sentLines = (places: Pick<Places, 'home'>): readonly SentLine[] => lookAtSentLines(places).lines;

/** `wrong`: why not all of it can be read. */
export function lookAtSentLines(places: Pick<Places, 'home'>): { readonly lines: readonly SentLine[]; readonly wrong?: string } {
  let text: string;
  try {
    text = readFileSync(sentFile(places), 'utf8');
  } catch (error) {
    if (codeOf(error) !== 'ENOENT') return { lines: [], wrong: reasonOf(error) };
    return keptNumbers(places).length === 0 ? { lines: [] } : { lines: [], wrong: 'the file is missing' };
  }
  const written = text.split('\n').filter((line) => line !== '');
  const lines = written.flatMap((line) => parse(line) ?? []);
  if (lines.length < written.length) return { lines, wrong: `${plural(written.length - lines.length, 'line')} of it cannot be read` };
  return lines.length === 0 && keptNumbers(places).length > 0 ? { lines, wrong: 'the file is empty' } : { lines };
}

function parse(line: string): SentLine | undefined {
  try {
    const value = JSON.parse(line) as SentLine;
    const { number, at, store, after, through, records, bytes, sha256 } = value;
    const isWhole = [number, after, through, records, bytes].every((each) => Number.isSafeInteger(each) && each >= 0);
    return isWhole && [at, store, sha256].every((each) => typeof each === 'string') && !Number.isNaN(Date.parse(at)) ? value : undefined;
  } catch {
    return undefined; // cut by a full disk, or damaged
  }
}

/** Written before it leaves, so that nothing leaves that nobody can see. The same bytes, sent again, are the same upload. */
export function keepUpload(places: Pick<Places, 'home'>, store: string, { after, through, records, text }: Batch, at: string): void {
  mkdirSync(keptDirectory(places), { recursive: true, mode: 0o700 });
  const sha256 = createHash('sha256').update(text).digest('hex');
  const { lines, wrong } = lookAtSentLines(places);
  const last = lines.at(-1);
  if (wrong === undefined && last?.sha256 === sha256 && last.store === store) return;
  // Also above what is kept but not listed any more: no upload takes the place of another.
  const number = Math.max(last?.number ?? 0, keptNumbers(places)[0] ?? 0) + 1;
  writePrivate(fileOf(places, number), gzipSync(text));
  const line: SentLine = { number, at, store, after, through, records, bytes: Buffer.byteLength(text), sha256 };
  if (wrong === undefined && lines.length <= 2 * KEPT_LINES) appendFileSync(sentFile(places), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  else begin(places, [...lines.slice(-KEPT_LINES), line], wrong !== undefined);
  dropOld(places, number);
}

/** The list anew. What of a damaged one could not be read stays beside it, for whoever wants to look. */
function begin(places: Pick<Places, 'home'>, lines: readonly SentLine[], isDamaged: boolean): void {
  const file = sentFile(places);
  if (isDamaged && existsSync(file)) renameSync(file, `${file}.damaged`);
  writePrivate(file, `${lines.map((each) => JSON.stringify(each)).join('\n')}\n`);
}

/** Newest first. */
function keptNumbers(places: Pick<Places, 'home'>): readonly number[] {
  try {
    return readdirSync(keptDirectory(places))
      .flatMap((name) => /^(\d{1,15})\.json\.gz$/.exec(name)?.[1] ?? [])
      .map(Number)
      .sort((a, b) => b - a);
  } catch {
    return []; // nothing left yet, or no folder: writing to it says so
  }
}

function dropOld(places: Pick<Places, 'home'>, last: number): void {
  let bytes = 0;
  for (const number of keptNumbers(places)) {
    bytes += statSync(fileOf(places, number)).size;
    if (number !== last && (number <= last - KEPT || bytes > KEPT_BYTES)) rmSync(fileOf(places, number), { force: true });
  }
}

/** The bytes of an upload, as they left. */
export function readUpload(places: Pick<Places, 'home'>, number: number): Buffer {
  const line = sentLines(places).find((each) => each.number === number);
  const where = fileOf(places, number);
  let bytes: Buffer;
  try {
    bytes = gunzipSync(readFileSync(where));
  } catch (error) {
    if (codeOf(error) === 'ENOENT')
      throw new Failure(line ? `upload ${number} is not kept any more` : `there is no upload ${number}`, {
        remedy: line ? `the last ${KEPT} are. Its sha256 is in: piton team status --json` : 'list them: piton team status',
      });
    throw damaged(number, where);
  }
  if (line && createHash('sha256').update(bytes).digest('hex') !== line.sha256) throw damaged(number, where);
  return bytes;
}

const damaged = (number: number, where: string): Failure =>
  new Failure(`what is kept of upload ${number} is damaged: it is not what left`, { where, remedy: `rm -rf ${shellWord(where)}` });

/** The kept uploads that are not what left. */
export function damagedUploads(places: Pick<Places, 'home'>): readonly Failure[] {
  return keptNumbers(places).flatMap((number) => {
    try {
      readUpload(places, number);
      return [];
    } catch (error) {
      return error instanceof Failure ? [error] : [];
    }
  });
}
