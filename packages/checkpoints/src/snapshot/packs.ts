import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { type Git, gitOutput } from '@piton/git';
import type { Repository } from '../repositories/repository.ts';
import type { Worktree } from '../worktree.ts';

/** Marks a pack as ours, and as one that the user's gc neither counts nor rewrites. */
const KEEP = 'piton checkpoints\n';

/** How many packs of ours may lie about. */
const MERGE_AT = 20;

/** Where git lists what several packs hold: in one file, or in several of which each adds to the one before. */
const [ONE_FILE, CHAIN] = ['multi-pack-index', 'multi-pack-index.d'];

export function keepPack(packFile: string): void {
  writeFileSync(packFile.replace(/\.pack$/, '.keep'), KEEP);
}

export interface Pack {
  /** Without an ending. */
  readonly name: string;
  readonly bytes: number;
}

/** Names of packs that somebody keeps. */
function keptPacks({ packDir }: Repository): string[] {
  try {
    const names = readdirSync(packDir).filter((name) => name.endsWith('.keep'));
    return names.map((name) => name.slice(0, -'.keep'.length));
  } catch {
    return [];
  }
}

/** Our packs that may be deleted at once, the smallest first. One that a multi-pack-index lists is git's to delete. */
export async function pitonPacks(repository: Repository): Promise<Pack[]> {
  const listed = await indexedIn(repository);
  return (await ourPacks(repository)).filter(({ name }) => !listed.has(name));
}

/** All of ours, the smallest first. */
async function ourPacks(repository: Repository): Promise<Pack[]> {
  const { packDir } = repository;
  const packs: Pack[] = [];
  for (const name of keptPacks(repository)) {
    const text = await readFile(join(packDir, `${name}.keep`), 'utf8').catch(() => '');
    const found = await stat(join(packDir, `${name}.pack`)).catch(() => null);
    if (text === KEEP && found) packs.push({ name, bytes: found.size });
  }
  return packs.sort((a, b) => a.bytes - b.bytes);
}

/** Names of the packs that a multi-pack-index lists, be it one file or a chain of them. */
async function indexedIn({ packDir }: Repository): Promise<Set<string>> {
  const chain = (await readdir(join(packDir, CHAIN)).catch(() => [])).map((name) => join(CHAIN, name));
  const names = (await readdir(packDir).catch(() => [])).filter((name) => name.endsWith('.idx'));
  const found = new Set<string>();
  for (const file of [ONE_FILE, ...chain]) {
    const bytes = await readFile(join(packDir, file)).catch(() => Buffer.alloc(0));
    for (const name of names) if (bytes.includes(`${name}\0`)) found.add(name.slice(0, -'.idx'.length));
  }
  return found;
}

/** A large pack is left alone until as much again has gathered: else each merge would copy everything. */
function worthMerging(packs: readonly Pack[]): Pack[] {
  const chosen: Pack[] = [];
  let sum = 0;
  for (const pack of packs) {
    if (chosen.length > 1 && pack.bytes > 2 * sum && pack.bytes > 1024 * 1024) break;
    chosen.push(pack);
    sum += pack.bytes;
  }
  return chosen.length > 1 ? chosen : [];
}

/**
 * Makes one pack of many. No object is ever dropped here: the user may have added a file whose blob lies in our pack alone.
 * `always`: at the end of a session.
 */
export async function mergePacks(git: Git, repository: Repository, { always = false } = {}): Promise<number> {
  // At every checkpoint: while there are few of anybody's, it does not matter whose they are.
  if (!always && keptPacks(repository).length < MERGE_AT) return 0;
  // A chain of indexes can only grow: what it lists is left alone.
  const packs = existsSync(join(repository.packDir, CHAIN)) ? await pitonPacks(repository) : await ourPacks(repository);
  if (!always && packs.length < MERGE_AT) return 0;
  const merged = worthMerging(packs);
  if (merged.length === 0) return 0;
  const cwd = repository.root;
  const input = Buffer.from(merged.map(({ name }) => `${name}.pack\n`).join(''));
  const args = ['pack-objects', '--quiet', '--stdin-packs', '--delta-base-offset', join(repository.packDir, 'pack')];
  const result = await git(args, { cwd, input });
  const name = result.stdout.toString().trim();
  // Another process merged the same packs, or the user's git took them away: there is nothing to do then.
  if (result.code !== 0 || !/^[0-9a-f]+$/.test(name)) return 0;
  const made = { name: `pack-${name}`, bytes: 0 };
  keepPack(join(repository.packDir, `${made.name}.pack`));
  const old = merged.filter((pack) => pack.name !== made.name);
  if (!(await indexWithout(git, repository, old, made))) {
    if (old.length === merged.length) await removePack(repository, made);
    return 0;
  }
  for (const pack of old) await removePack(repository, pack);
  return merged.length;
}

/** The multi-pack-index, where it lists any of the old packs, lists the new one in their place. False: it could not be written. */
async function indexWithout(git: Git, repository: Repository, old: readonly Pack[], made: Pack): Promise<boolean> {
  const listed = await indexedIn(repository);
  if (!old.some(({ name }) => listed.has(name))) return true;
  const gone = new Set(old.map(({ name }) => name));
  const staying = [...listed].filter((name) => !gone.has(name));
  const input = Buffer.from([...new Set([...staying, made.name])].map((name) => `${name}.idx\n`).join(''));
  const hasBitmap = readdirSync(repository.packDir).some((name) => /^multi-pack-index-.*\.bitmap$/.test(name));
  const args = ['multi-pack-index', 'write', '--stdin-packs', '--no-progress', ...(hasBitmap ? ['--bitmap'] : [])];
  return (await git(args, { cwd: repository.root, input })).code === 0;
}

export async function removePack({ packDir }: Repository, { name }: Pack): Promise<void> {
  for (const ending of ['idx', 'rev', 'pack', 'keep']) await rm(join(packDir, `${name}.${ending}`), { force: true });
}

/** A pack of ours with just these objects; says its name, or null where git could not. */
export async function writePack(
  { git, repository }: Pick<Worktree, 'git' | 'repository'>,
  oids: readonly string[],
): Promise<string | null> {
  const input = Buffer.from(oids.map((oid) => `${oid}\n`).join(''));
  const args = ['pack-objects', '--quiet', '--delta-base-offset', join(repository.packDir, 'pack')];
  const { code, stdout } = await git(args, { cwd: repository.root, input });
  const name = `pack-${stdout.toString().trim()}`;
  if (code !== 0 || !/^pack-[0-9a-f]+$/.test(name)) return null;
  keepPack(join(repository.packDir, `${name}.pack`));
  return name;
}

/** Gives our packs back to git: what no ref holds any more goes with git's own next gc, or now. */
export async function releasePacks(git: Git, repository: Repository, { now = false } = {}): Promise<void> {
  for (const { name } of await pitonPacks(repository)) await rm(join(repository.packDir, `${name}.keep`), { force: true });
  if (now) await gitOutput(git, ['gc', '--quiet', '--prune=now'], { cwd: repository.root });
}
