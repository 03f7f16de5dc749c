import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import type { ConfigPlace, InstallScope } from './config-place.ts';

/** What `uninstall` needs to give a file back byte for byte. */
export interface InstallRecord {
  readonly agent: string;
  readonly scope: InstallScope;
  readonly file: string;
  /** Base64 of what was there before us, or null where there was nothing. */
  readonly original: string | null;
  /** Its mode then, where we had to make it executable. */
  readonly originalMode?: number;
  /** SHA-256 of what we wrote: if the file still has it, nobody touched it since. */
  readonly installedHash: string;
  readonly madeDirectories: readonly string[];
  readonly at: string;
}

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

const directoryOf = (places: Places): string => join(places.home, 'installed');

function recordFile(places: Places, place: ConfigPlace): string {
  return join(directoryOf(places), `${place.agent.id}-${place.scope}-${sha256(place.target).slice(0, 8)}.json`);
}

export function readRecord(places: Places, place: ConfigPlace): InstallRecord | undefined {
  return parse(recordFile(places, place));
}

export function allRecords(places: Places): InstallRecord[] {
  try {
    return readdirSync(directoryOf(places))
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => parse(join(directoryOf(places), name)) ?? []);
  } catch {
    return [];
  }
}

/** What is known of one agent at one level. */
export function recordsOf(places: Places, agent: string, scope: InstallScope): InstallRecord[] {
  return allRecords(places).filter((record) => record.agent === agent && record.scope === scope);
}

function parse(file: string): InstallRecord | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as InstallRecord;
    return typeof value.file === 'string' && typeof value.installedHash === 'string' ? value : undefined;
  } catch {
    return undefined; // without a record `uninstall` takes out only ours
  }
}

export function writeRecord(places: Places, place: ConfigPlace, record: InstallRecord): void {
  mkdirSync(directoryOf(places), { recursive: true, mode: 0o700 });
  const file = recordFile(places, place);
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function dropRecord(places: Places, place: ConfigPlace): void {
  rmSync(recordFile(places, place), { force: true });
}
