import { existsSync, statSync } from 'node:fs';
import type { Places } from '@piton/contracts/places';
import { askGitSync } from '@piton/git';
import { installKey, type Redactor } from '@piton/redact';
import { localStore, openStore, type Store } from '@piton/store';
import type { Context } from '../context.ts';
import { hooksAt } from '../hooks/in-force.ts';
import { gitHere } from '../programs.ts';
import { redactorHere } from '../redactor.ts';
import type { Membership } from './membership.ts';
import { hookDigest } from './reported/hook-digest.ts';
import type { RecordPorts } from './reported/records.ts';
import { createRepositories, type Repositories } from './repositories.ts';

/** Rules, remotes and hooks change while the sender runs: they are read again after this time. */
const FRESH_MS = 30_000;
const GIT_MS = 5000;

/** What the records of this machine are made with. */
export interface MachineReader {
  readonly repositories: Repositories;
  redactor(): Redactor;
  portsOf(store: Store, identity: string, bodies: boolean): RecordPorts;
}

export function createMachineReader(
  context: Context,
  places: Places,
  { machine, repositories: patterns, bodiesSince }: Membership,
): MachineReader {
  const remoteOf = (root: string): string | undefined => {
    if (!existsSync(root)) return undefined;
    const { code, stdout } = askGitSync({ ...gitHere(context), timeoutMs: GIT_MS }, ['config', '--get', 'remote.origin.url'], {
      cwd: root,
    });
    return code === 0 ? stdout.toString().trim() : undefined;
  };
  const repositories = createRepositories(patterns, { remoteOf, salt: Buffer.from(installKey(places.home)).toString('hex') });
  const digests = new Map<string, ReadonlyMap<string, string | null>>();
  let redactor = redactorHere(context);
  let readAt = performance.now();

  function refresh(): void {
    if (performance.now() - readAt < FRESH_MS) return;
    readAt = performance.now();
    repositories.forget();
    digests.clear();
    redactor = redactorHere(context);
  }

  function digestOf(hook: string, root: string | null): string | null {
    const at = root !== null && existsSync(root) ? root : places.home;
    const known = digests.get(at) ?? new Map(hooksAt(places, at).map((each) => [each.id, hookDigest(each)]));
    digests.set(at, known);
    return known.get(hook) ?? null;
  }

  return {
    repositories,
    redactor: () => redactor,
    portsOf(store, identity, bodies) {
      refresh();
      return {
        ...{ machine, store: identity, bodies, repositories, redactor, digestOf },
        agreedUs: bodiesSince === undefined ? 0 : Date.parse(bodiesSince) * 1000,
        usage: (session) => store.usage([session]),
        session: async (id) => {
          const found = await store.session(id);
          return found.found === 'one' ? found.value : undefined;
        },
      };
    },
  };
}

/** The store to read, opened anew when another one lies there; `close` at the end. */
export function storeOpener(places: Places): { open: () => Promise<Store | undefined>; close: () => Promise<void> } {
  const target = localStore(places);
  let opened: { readonly store: Store; readonly inode: number } | undefined;
  const close = async (): Promise<void> => {
    const before = opened;
    opened = undefined;
    await before?.store.close();
  };
  return {
    async open() {
      const inode = statSync(places.store, { throwIfNoEntry: false })?.ino;
      if (inode !== undefined && opened?.inode === inode) return opened.store;
      await close();
      if (inode === undefined) return undefined;
      const result = await openStore(target, { readonly: true });
      if (!result.ok && result.problem === 'missing') return undefined;
      if (!result.ok) throw new Error(`cannot read the store: ${result.error}`);
      opened = { store: result.store, inode };
      return result.store;
    },
    close,
  };
}
