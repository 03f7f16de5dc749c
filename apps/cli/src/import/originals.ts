import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { AGENTS } from '@piton/agents';
import type { Places } from '@piton/contracts/places';
import { Failure } from '../failure.ts';
import { readConfig } from '../install/config-file.ts';
import { sha256 } from '../install/records.ts';
import { treeAt } from '../library/target.ts';

/** What `import --remove-original` took out of an agent's file. The backup is the only copy of the person's own entries. */
export interface RemovedOriginals {
  readonly agent: string;
  readonly file: string;
  /** The places of the hooks in the backup. */
  readonly paths: readonly string[];
  /** SHA-256 of what was left in the file. */
  readonly afterHash: string;
  /** The backup. */
  readonly kept: string;
  readonly at: string;
  /** The artifacts that were made of the hooks. Absent in records of older versions. */
  readonly copies?: readonly ImportedCopy[];
}

/** An artifact as `import` wrote it: SHA-256 of each file by its path. */
export interface ImportedCopy {
  readonly folder: string;
  readonly files: Readonly<Record<string, string>>;
}

/** The copies of hooks that are back in the agents' files: those that nobody changed, and the others. Both would run beside them. */
export function copiesOf(records: readonly RemovedOriginals[]): {
  readonly unchanged: readonly string[];
  readonly changed: readonly string[];
} {
  const copies = records.flatMap((record) => record.copies ?? []).filter(({ folder }) => existsSync(folder));
  const isUnchanged = ({ folder, files }: ImportedCopy): boolean => {
    const now = treeAt(folder)?.files ?? [];
    return now.length === Object.keys(files).length && now.every(({ path, bytes }) => files[path] === sha256(bytes));
  };
  const folders = (some: readonly ImportedCopy[]): string[] => [...new Set(some.map(({ folder }) => folder))].sort();
  return { unchanged: folders(copies.filter(isUnchanged)), changed: folders(copies.filter((copy) => !isUnchanged(copy))) };
}

const directoryOf = (home: string): string => join(home, 'imported');

/** Keeps the file as it was, and what is needed to put the hooks back. */
export function keepOriginals(home: string, bytes: Buffer, removed: Omit<RemovedOriginals, 'kept' | 'at'>): string {
  const directory = directoryOf(home);
  mkdirSync(directory, { recursive: true, mode: 0o700 });
  const kept = join(directory, `${sha256(bytes).slice(0, 16)}-${basename(removed.file)}`);
  writeFileSync(kept, bytes, { mode: 0o600 });
  const record: RemovedOriginals = { ...removed, kept, at: new Date().toISOString() };
  writeFileSync(`${kept}.record`, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  return kept;
}

/** Backups of the person's files that were never put back, with or without a record of where they belong. */
export function keptBackups(home: string): string[] {
  try {
    const names = readdirSync(directoryOf(home)).filter((name) => !name.endsWith('.record'));
    return names.sort().map((name) => join(directoryOf(home), name));
  } catch {
    return [];
  }
}

function readRecords(home: string): RemovedOriginals[] {
  const records = keptBackups(home).flatMap((kept): RemovedOriginals[] => {
    try {
      const value = JSON.parse(readFileSync(`${kept}.record`, 'utf8')) as RemovedOriginals;
      return typeof value.file === 'string' && Array.isArray(value.paths) ? [{ ...value, kept }] : [];
    } catch {
      return []; // of an older Piton: the backup stays, and is named
    }
  });
  return records.sort((a, b) => (a.at < b.at ? 1 : -1));
}

/** An agent's file with the person's hooks back in it. */
export interface RestoredFile {
  readonly file: string;
  readonly before: Buffer | null;
  readonly after: Buffer;
  /** Nobody changed the file since the import: it becomes what it was, byte for byte. */
  readonly exact: boolean;
  readonly hooks: number;
  readonly records: readonly RemovedOriginals[];
}

export interface Restores {
  readonly files: readonly RestoredFile[];
  /** Files into which the hooks cannot be put back, and why. Their backups stay. */
  readonly failed: readonly { readonly file: string; readonly why: string; readonly kept: string }[];
}

/** Looks only. The newest import is undone first: each then finds the file as it left it. */
export function planRestores({ home }: Pick<Places, 'home'>, isWanted: (agent: string) => boolean = () => true): Restores {
  const files: RestoredFile[] = [];
  const failed: { file: string; why: string; kept: string }[] = [];
  const records = readRecords(home).filter(({ agent }) => isWanted(agent));
  for (const file of new Set(records.map((each) => each.file))) {
    const own = records.filter((each) => each.file === file);
    try {
      files.push(restored(file, own));
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      failed.push({ file, why: error.message, kept: own[0]?.kept ?? '' });
    }
  }
  return { files, failed };
}

function restored(file: string, records: readonly RemovedOriginals[]): RestoredFile {
  const { bytes: before } = readConfig(file);
  let [after, exact] = [before, true];
  for (const record of records) {
    const original = readFileSync(record.kept);
    if (after !== null && sha256(after) === record.afterHash) {
      after = original;
      continue;
    }
    exact = false;
    after = merged(after, original, record);
  }
  const hooks = records.reduce((sum, { paths }) => sum + paths.length, 0);
  return { file, before, after: after ?? Buffer.alloc(0), exact, hooks, records };
}

function merged(now: Buffer | null, original: Buffer, { agent, file, paths }: RemovedOriginals): Buffer {
  const importer = AGENTS.find(({ id }) => id === agent)?.importer;
  const text = importer?.restore?.(now?.toString('utf8') ?? null, original.toString('utf8'), paths);
  const read = text === undefined ? undefined : importer?.read(text, { path: file, label: basename(file) });
  if (text === undefined || !read?.ok)
    throw new Failure(`the hooks cannot be put back: ${read && !read.ok ? read.error : 'edit it by hand'}`);
  return Buffer.from(text);
}

/** They are in the agent's file again. */
export function dropBackups(records: readonly RemovedOriginals[]): void {
  for (const { kept } of records) for (const path of [kept, `${kept}.record`]) rmSync(path, { force: true });
}
