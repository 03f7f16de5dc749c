import { createHash } from 'node:crypto';
import { existsSync, statSync } from 'node:fs';
import { type Checkpoints, openCheckpoints } from '@piton/checkpoints';
import { readRepositories } from '@piton/checkpoints/repositories';
import type { Waiting } from '@piton/contracts/page';
import type { Places } from '@piton/contracts/places';
import { createGit } from '@piton/git';
import type { OwnPrices } from '@piton/prices';
import type { Redactor } from '@piton/redact';
import { localStore, openStore, type Store } from '@piton/store';
import type { Context } from '../context.ts';
import { ownPrices } from '../export/cost.ts';
import { storeRemedy } from '../open-store.ts';
import { gitHere } from '../programs.ts';
import { redactorHere } from '../redactor.ts';
import { createWaitReader } from '../waiting/current-waits.ts';
import { notFound, Unanswerable } from './answer.ts';

/** What all answers are made from. */
export interface PageReader {
  readonly context: Context;
  readonly places: Places;
  readonly redactor: Redactor;
  prices(): OwnPrices;
  /** Null if nothing was ever recorded. */
  store(): Promise<Store | null>;
  /** Nothing new can be seen in a store on a read-only file system. */
  isLive(): boolean;
  /** Who is waited for now. */
  waits(store: Store): Promise<readonly Waiting[]>;
  /** Where sessions worked and where checkpoints are taken, the latest first. */
  roots(): Promise<readonly string[]>;
  /** The root of a repository by its id. */
  root(id: string): Promise<string>;
  /** Null where no repository lies any more. Nothing in the repository is written, and no lock is taken. */
  checkpoints(root: string): Promise<Checkpoints | null>;
}

/** Paths can be as long as they like, and hold any character: a repository is named by a part of their digest. */
export const repositoryId = (root: string): string => createHash('sha256').update(root).digest('hex').slice(0, 16);
export const repositoryIdOf = (root: string | null): string | null => (root === null ? null : repositoryId(root));

/** Nobody looks at a page for longer. */
const GIT_MS = 20_000;
const KEPT_MS = 5000;
const MOST_KEPT = 8;

export function createReader(context: Context, places: Places): PageReader {
  const redactor = redactorHere(context);
  const git = createGit({ ...gitHere(context), timeoutMs: GIT_MS });
  const target = localStore(places);
  const file = target.kind === 'sqlite' ? target.file : '';
  let opened: { readonly store: Store; readonly inode: number; readonly live: boolean } | undefined;
  const known = new Map<string, { readonly checkpoints: Promise<Checkpoints | null>; readonly until: number }>();

  async function store(): Promise<Store | null> {
    if (!existsSync(file)) return null;
    const inode = statSync(file).ino;
    if (opened?.inode === inode) return opened.store;
    // Another store lies there now: one that was moved away is of no use any more.
    await opened?.store.close();
    opened = undefined;
    const result = await openStore(target, { readonly: true });
    if (!result.ok && result.problem === 'missing') return null;
    if (!result.ok) throw new Unanswerable(503, 'store', result.error, storeRemedy(result));
    opened = { store: result.store, inode, live: result.live };
    return result.store;
  }

  async function roots(): Promise<readonly string[]> {
    const places_ = (await (await store())?.sessionPlaces()) ?? [];
    return [...new Set([...places_.map(({ root }) => root), ...readRepositories(places.home)])];
  }

  return {
    context,
    places,
    redactor,
    prices: () => ownPrices(context),
    store,
    waits: createWaitReader(),
    isLive: () => opened?.live ?? true,
    roots,
    async root(id) {
      const root = (await roots()).find((one) => repositoryId(one) === id);
      if (root === undefined) throw notFound('no such repository');
      return root;
    },
    checkpoints(root) {
      const before = known.get(root);
      if (before && before.until > Date.now()) return before.checkpoints;
      const checkpoints = existsSync(root)
        ? openCheckpoints({
            ...{ git, directory: root, home: places.home, asFound: true },
            redact: (text) => redactor.text(text),
          })
        : Promise.resolve(null);
      if (known.size >= MOST_KEPT) known.delete([...known.keys()][0] ?? '');
      known.set(root, { checkpoints, until: Date.now() + KEPT_MS });
      return checkpoints;
    },
  };
}
