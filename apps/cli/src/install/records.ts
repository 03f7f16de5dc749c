import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Places } from '@piton/contracts/places';
import type { ConfigPlace, InstallScope } from './config-place.ts';

/** What `uninstall` needs to restore a file byte for byte. */
export interface InstallRecord {
  readonly agent: string;
  readonly scope: InstallScope;
  readonly file: string;
  /** Base64 of the original content. Null if there was no file. */
  readonly original: string | null;
  /** Its original mode, if we had to make it executable. */
  readonly originalMode?: number;
  /** SHA-256 of what we wrote. If the file still has it, nobody changed it since. */
  readonly installedHash: string;
  readonly madeDirectories: readonly string[];
  readonly at: string;
}

export const sha256 = (data: string | Buffer): string => createHash('sha256').update(data).digest('hex');

const directoryOf = (places: Places): string => join(places.home, 'installed');
/** Files that have no registration: those in which we gave the agent's own trust, and those with our MCP server. */
export type OtherEdit = 'consents' | 'mcp';
const folderOf = (places: Places, of: OtherEdit): string => join(directoryOf(places), of);

const nameOf = (agent: string, scope: InstallScope, file: string): string => `${agent}-${scope}-${sha256(file).slice(0, 8)}.json`;
const recordFile = (places: Places, { agent, scope, target }: ConfigPlace): string =>
  join(directoryOf(places), nameOf(agent.id, scope, target));
const otherFile = (places: Places, of: OtherEdit, { agent, scope, file }: Pick<InstallRecord, 'agent' | 'scope' | 'file'>): string =>
  join(folderOf(places, of), nameOf(agent, scope, file));

export function readRecord(places: Places, place: ConfigPlace): InstallRecord | undefined {
  return parse(recordFile(places, place));
}

export const allRecords = (places: Places): InstallRecord[] => recordsIn(directoryOf(places));
export const otherRecords = (places: Places, of: OtherEdit): InstallRecord[] => recordsIn(folderOf(places, of));

function recordsIn(directory: string): InstallRecord[] {
  try {
    return readdirSync(directory)
      .filter((name) => name.endsWith('.json'))
      .flatMap((name) => parse(join(directory, name)) ?? []);
  } catch {
    return [];
  }
}

/** The records of one agent at one level. */
export function recordsOf(places: Places, agent: string, scope: InstallScope): InstallRecord[] {
  return allRecords(places).filter((record) => record.agent === agent && record.scope === scope);
}

function parse(file: string): InstallRecord | undefined {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as InstallRecord;
    return typeof value.file === 'string' && typeof value.installedHash === 'string' ? value : undefined;
  } catch {
    return undefined; // without a record `uninstall` removes only our entries
  }
}

export function writeRecord(places: Places, place: ConfigPlace, record: InstallRecord): void {
  write(recordFile(places, place), record);
}

/** Keeps the original content across several edits, as long as nobody else changed the file. */
export function writeOther(places: Places, of: OtherEdit, record: InstallRecord, before: Buffer | null): void {
  const file = otherFile(places, of, record);
  const former = parse(file);
  const untouched = former !== undefined && before !== null && sha256(before) === former.installedHash;
  write(file, untouched ? { ...record, original: former.original, madeDirectories: former.madeDirectories } : record);
}

export function dropOther(places: Places, of: OtherEdit, record: Pick<InstallRecord, 'agent' | 'scope' | 'file'>): void {
  rmSync(otherFile(places, of, record), { force: true });
}

function write(file: string, record: InstallRecord): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(`${file}.new`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  renameSync(`${file}.new`, file);
}

export function dropRecord(places: Places, place: ConfigPlace): void {
  rmSync(recordFile(places, place), { force: true });
}
