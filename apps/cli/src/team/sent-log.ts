import { createHash } from 'node:crypto';
import { appendFileSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import type { Places } from '@piton/contracts/places';
import { Failure } from '../failure.ts';
import type { Batch } from './batch.ts';
import { teamDirectory, writePrivate } from './membership.ts';

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

const directoryOf = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'sent');
const linesOf = (places: Pick<Places, 'home'>): string => join(teamDirectory(places), 'sent.jsonl');
const fileOf = (places: Pick<Places, 'home'>, number: number): string => join(directoryOf(places), `${number}.json.gz`);

/** Oldest first. */
export function sentLines(places: Pick<Places, 'home'>): SentLine[] {
  let text: string;
  try {
    text = readFileSync(linesOf(places), 'utf8');
  } catch {
    return []; // nothing left yet
  }
  return text.split('\n').flatMap((line) => {
    try {
      return line === '' ? [] : [JSON.parse(line) as SentLine];
    } catch {
      return []; // cut by a full disk
    }
  });
}

/** Written before it leaves, so that nothing leaves that nobody can see. The same bytes, sent again, are the same upload. */
export function keepUpload(places: Pick<Places, 'home'>, store: string, { after, through, records, text }: Batch, at: string): void {
  mkdirSync(directoryOf(places), { recursive: true, mode: 0o700 });
  const sha256 = createHash('sha256').update(text).digest('hex');
  const lines = sentLines(places);
  const last = lines.at(-1);
  if (last?.sha256 === sha256 && last.store === store) return;
  const number = (last?.number ?? 0) + 1;
  writePrivate(fileOf(places, number), gzipSync(text));
  const line: SentLine = { number, at, store, after, through, records, bytes: Buffer.byteLength(text), sha256 };
  appendFileSync(linesOf(places), `${JSON.stringify(line)}\n`, { mode: 0o600 });
  if (lines.length > 2 * KEPT_LINES)
    writePrivate(linesOf(places), `${[...lines.slice(-KEPT_LINES), line].map((each) => JSON.stringify(each)).join('\n')}\n`);
  dropOld(places, number);
}

function dropOld(places: Pick<Places, 'home'>, last: number): void {
  const numbers = readdirSync(directoryOf(places))
    .map((name) => Number.parseInt(name, 10))
    .filter((number) => Number.isSafeInteger(number))
    .sort((a, b) => b - a);
  let bytes = 0;
  for (const number of numbers) {
    bytes += statSync(fileOf(places, number)).size;
    if (number !== last && (number <= last - KEPT || bytes > KEPT_BYTES)) rmSync(fileOf(places, number), { force: true });
  }
}

/** The bytes of an upload, as they left. */
export function readUpload(places: Pick<Places, 'home'>, number: number): Buffer {
  try {
    return gunzipSync(readFileSync(fileOf(places, number)));
  } catch {
    const known = sentLines(places).some((line) => line.number === number);
    throw new Failure(known ? `upload ${number} is not kept any more` : `there is no upload ${number}`, {
      remedy: known ? `the last ${KEPT} are. Its sha256 is in: piton team status --json` : 'list them: piton team status',
    });
  }
}
