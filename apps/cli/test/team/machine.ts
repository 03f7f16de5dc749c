import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TeamInventory } from '@piton/contracts/team';
import { openStore, type Store } from '@piton/store';
import { redactor } from '../../../../packages/store/test/records.ts';
import { newKey } from '../../src/team/membership.ts';
import { createRepositories } from '../../src/team/repositories.ts';
import { runSender, type SenderPorts } from '../../src/team/sender.ts';
import { NO_STATE, type SenderState } from '../../src/team/sender-state.ts';
import { keepUpload, readUpload, sentLines } from '../../src/team/sent-log.ts';
import { callJoin } from '../../src/team/server-call.ts';

export interface MachineOptions {
  readonly bodies?: boolean;
  readonly agreedUs?: number;
  readonly repositories?: readonly string[];
  readonly remotes?: Readonly<Record<string, string>>;
  /** The code by which it joins a server that has to know it. */
  readonly join?: string;
  readonly now?: () => number;
  readonly check?: () => 'over' | string | undefined;
  /** What leaves, before it does. */
  readonly onKeep?: (text: string) => void;
}

interface Server {
  readonly url: string;
  readonly tenant: { readonly id: string };
  readonly register?: (machine: string, key: string) => void;
}

const INVENTORY: TeamInventory = {
  ...{ at: '2026-11-19T09:00:00.000Z', piton: '0.1.0', platform: 'linux x64', agents: [], hooks: [], mcpServers: [] },
  guard: { builtIn: 'deny', lifted: false },
};

/** A machine with a real store and a real sender; only its inventory is empty. */
export async function startMachine(server: Server, options: MachineOptions = {}) {
  const home = realpathSync(mkdtempSync(join(tmpdir(), 'piton-team-')));
  const opened = await openStore({ kind: 'sqlite', file: join(home, 'piton.db') });
  if (!opened.ok) throw new Error(opened.error);
  let store: Store = opened.store;
  const { publicKey, privateKey } = newKey();
  const machine = await joined(server, publicKey, options, `machine-${home.slice(-6)}`);
  const { now = Date.now, onKeep } = options;
  let state: SenderState = NO_STATE;
  let running: { ended: AbortController; done: Promise<void> } | undefined;
  const repositories = createRepositories(options.repositories ?? [], { remoteOf: (root) => options.remotes?.[root], salt: 'salt' });

  const ports = (signal: AbortSignal): SenderPorts => ({
    url: server.url,
    speaker: () => ({ url: server.url, tenant: server.tenant.id, machine, key: privateKey }),
    check: () => options.check?.(),
    bodies: options.bodies ?? false,
    signal,
    openStore: async () => store,
    portsOf: (of, identity, bodies) => ({
      ...{ machine, store: identity, bodies, agreedUs: options.agreedUs ?? 0, repositories, redactor, digestOf: () => null },
      usage: (session) => of.usage([session]),
      session: async (id) => {
        const found = await of.session(id);
        return found.found === 'one' ? found.value : undefined;
      },
    }),
    inventory: async () => INVENTORY,
    readState: () => state,
    writeState: (next) => {
      state = next;
    },
    keep: (identity, batch) => {
      onKeep?.(batch.text);
      keepUpload({ home }, identity, batch, '2026-11-19T09:00:00.000Z');
    },
    now,
    isOver: () => false,
    waits: { idleMs: 10, firstRetryMs: 20, lastRetryMs: 40 },
  });
  const stop = async (): Promise<void> => {
    running?.ended.abort();
    await running?.done;
    running = undefined;
  };
  return {
    home,
    machine,
    get store() {
      return store;
    },
    useStore: (other: Store) => {
      store = other;
    },
    state: () => state,
    forgetState: () => {
      state = NO_STATE;
    },
    sent: () => sentLines({ home }),
    upload: (number: number) => readUpload({ home }, number).toString('utf8'),
    start: () => {
      const ended = new AbortController();
      running = { ended, done: runSender(ports(ended.signal)) };
    },
    stop,
    remove: async () => {
      await stop();
      await store.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function joined(server: Server, key: string, { join: code, bodies = false }: MachineOptions, name: string): Promise<string> {
  server.register?.(name, key);
  if (code === undefined) return name;
  const reply = await callJoin(server.url, { code, key, name, platform: 'linux x64', piton: '0.1.0', bodies });
  if (!reply.ok) throw new Error(reply.error);
  return reply.value.machine;
}
