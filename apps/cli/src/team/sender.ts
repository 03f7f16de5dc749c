import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TeamInventory, TeamToken } from '@piton/contracts/team';
import type { Store } from '@piton/store';
import { type Batch, nextBatch } from './reported/batch.ts';
import type { RecordPorts } from './reported/records.ts';
import type { SenderProblem, SenderState } from './sender-state.ts';
import { callInventory, callPosition, callToken, callUpload, type Reply, type Speaker } from './server-call.ts';

/** What the sender works with. Files and the store come in; `state` is what it left for others. */
export interface SenderPorts {
  readonly url: string;
  /** With the key as it is now. */
  readonly speaker: () => Speaker;
  /** Asked before anything leaves. `over`: this membership does not hold any more. A text: why nothing may leave now. */
  readonly check: () => 'over' | string | undefined;
  /** The person agreed that bodies leave. */
  readonly bodies: boolean;
  readonly signal: AbortSignal;
  /** Undefined if nothing was ever recorded, or it cannot be read now. Opened anew when another one lies there. */
  readonly openStore: () => Promise<Store | undefined>;
  readonly portsOf: (store: Store, identity: string, bodies: boolean) => RecordPorts;
  readonly inventory: (store: Store) => Promise<TeamInventory>;
  readonly readState: () => SenderState;
  readonly writeState: (state: SenderState) => void;
  /** Before it leaves. */
  readonly keep: (store: string, batch: Batch) => void;
  readonly now: () => number;
  /** True once nobody needs it any more, asked when all is sent. */
  readonly isOver: () => boolean;
  readonly waits?: Partial<typeof WAITS>;
}

const WAITS = {
  /** Changes come in bursts: what leaves a second later leaves in one batch. */
  idleMs: 2000,
  firstRetryMs: 1000,
  lastRetryMs: 300_000,
  /** A file is mended by hand: seen soon. */
  mendMs: 2000,
  inventoryMs: 15 * 60_000,
  /** So often a machine shows that it is there, though nothing changed. */
  sameInventoryMs: 6 * 3_600_000,
};

/** Why a step did not get further. */
interface Stopped {
  readonly why: string;
  readonly error: string;
  readonly retryAfter?: number;
}
type Step = 'sent' | 'nothing' | Stopped;

/** Sends what is new until it is told to end. Nothing that a server does makes it fail: it waits, and says so in its state. */
export async function runSender(ports: SenderPorts): Promise<void> {
  const { signal, now } = ports;
  const waits = { ...WAITS, ...ports.waits };
  const session = createSession(ports);
  let failures = 0;
  while (!signal.aborted) {
    const broken = ports.check();
    if (broken === 'over') return;
    const step = broken === undefined ? await session.step(waits).catch(failed) : { why: 'files', error: broken };
    if (signal.aborted) return;
    if (typeof step === 'string') {
      if (failures > 0) noteProblem(ports, null);
      failures = 0;
      if (step === 'nothing') {
        if (ports.isOver()) return;
        await pause(waits.idleMs, signal);
      }
      continue;
    }
    if (broken !== undefined && ports.isOver()) return;
    failures++;
    const wait = broken === undefined ? waitAfter(step, failures, waits) : waits.mendMs;
    const { why, error } = step;
    noteProblem(ports, { why, error, failures, nextAt: new Date(now() + wait).toISOString() });
    await pause(wait, signal);
  }
}

const failed = (error: Error): Stopped => ({ why: 'failed', error: error.message });
/** A machine that the team has ended asks seldom. */
const waitAfter = ({ why, retryAfter }: Stopped, failures: number, waits: typeof WAITS): number =>
  retryAfter === undefined ? backOff(why === 'machine' ? 99 : failures, waits) : retryAfter * 1000;

/** Not all machines of a team at the same time. */
const backOff = (failures: number, { firstRetryMs, lastRetryMs }: typeof WAITS): number =>
  Math.min(lastRetryMs, firstRetryMs * 2 ** Math.min(20, failures - 1)) * (0.75 + Math.random() / 2);

const pause = (ms: number, signal: AbortSignal): Promise<void> => sleep(ms, undefined, { signal }).catch(() => {});

function noteProblem({ readState, writeState, now }: SenderPorts, problem: Omit<SenderProblem, 'since'> | null): void {
  const state = readState();
  if (problem === null && state.problem === null) return;
  const goesOn = (state.problem?.why === 'files') === (problem?.why === 'files');
  const since = (goesOn && state.problem?.since) || new Date(now()).toISOString();
  try {
    writeState({ ...state, problem: problem && { ...problem, since } });
  } catch {
    // A full disk: the next time.
  }
}

/** What is known between two steps: a token, and where the server is. */
function createSession(ports: SenderPorts) {
  const { signal, now, url } = ports;
  let token: { readonly value: TeamToken; readonly until: number } | undefined;
  let reached: { readonly store: string; position: number; scanned: number; replaced: boolean } | undefined;
  let inventoryCheckedAt = Number.NEGATIVE_INFINITY;
  let conflicts = 0;

  async function freshToken(): Promise<Reply<TeamToken>> {
    if (token !== undefined && performance.now() < token.until) return { ok: true, value: token.value };
    const reply = await callToken(ports.speaker(), signal);
    if (!reply.ok) return reply;
    token = { value: reply.value, until: performance.now() + Math.min(3600, reply.value.seconds) * 800 };
    const state = ports.readState();
    const { bodies: teamWantsBodies, consent: consentKnown = true } = reply.value;
    if (state.teamWantsBodies !== teamWantsBodies || state.consentKnown !== consentKnown)
      ports.writeState({ ...state, teamWantsBodies, consentKnown });
    return reply;
  }

  /** Where the server is says the server: this machine may have been set back, and so may it. */
  async function findPosition(value: string, identity: string, last: number): Promise<Stopped | undefined> {
    if (reached?.store === identity) return undefined;
    const reply = await callPosition(url, value, identity);
    if (!reply.ok) return stoppedBy(reply);
    if (reply.value.position > last) return ahead(reply.value.position, last);
    const before = ports.readState();
    const replaced = before.store !== null && before.store !== identity && reply.value.position === 0;
    const scanned = before.store === identity && before.position === reply.value.position ? Math.min(before.scanned, last) : 0;
    reached = { store: identity, position: reply.value.position, scanned, replaced };
    return undefined;
  }

  const ahead = (position: number, last: number): Stopped => ({
    why: 'odd',
    error: `the server says that it has ${position} changes, and this machine has ${last}`,
  });

  function stoppedBy(reply: Extract<Reply<unknown>, { ok: false }>): Stopped {
    const { why, error, retryAfter } = reply;
    if (why === 'token') token = undefined;
    return { why, error, ...(retryAfter !== undefined && { retryAfter }) };
  }

  async function step(waits: typeof WAITS): Promise<Step> {
    const store = await ports.openStore();
    if (store === undefined) return 'nothing';
    const last = await store.lastChange();
    if (
      reached !== undefined &&
      reached.store === last.store &&
      last.seq <= Math.max(reached.position, reached.scanned) &&
      !isInventoryDue(waits)
    )
      return 'nothing';
    const known = await freshToken();
    if (!known.ok) return stoppedBy(known);
    const failed = await findPosition(known.value.token, last.store, last.seq);
    if (failed !== undefined) return failed;
    const sent = isInventoryDue(waits) ? await sendInventory(store, known.value.token, waits) : undefined;
    if (sent !== undefined) return sent;
    return sendChanges(store, known.value, last.seq);
  }

  const isInventoryDue = ({ inventoryMs }: typeof WAITS): boolean => performance.now() - inventoryCheckedAt >= inventoryMs;

  async function sendInventory(store: Store, value: string, { sameInventoryMs }: typeof WAITS): Promise<Stopped | undefined> {
    const inventory = await ports.inventory(store);
    const hash = createHash('sha256')
      .update(JSON.stringify({ ...inventory, at: '' }))
      .digest('hex');
    const state = ports.readState();
    const age = state.inventoryAt === null ? Number.POSITIVE_INFINITY : now() - Date.parse(state.inventoryAt);
    if (hash !== state.inventoryHash || !(age >= 0 && age < sameInventoryMs)) {
      const reply = await callInventory(url, value, inventory);
      if (!reply.ok) return stoppedBy(reply);
      ports.writeState({ ...ports.readState(), inventoryAt: new Date(now()).toISOString(), inventoryHash: hash });
    }
    inventoryCheckedAt = performance.now();
    return undefined;
  }

  async function sendChanges(store: Store, { token: value, bodies, consent = true }: TeamToken, last: number): Promise<Step> {
    if (reached === undefined) return 'nothing';
    const { position, scanned, replaced } = reached;
    const record = ports.portsOf(store, reached.store, bodies && consent && ports.bodies);
    const batch = await nextBatch(store, record, { after: position, scanned, replaced, now });
    const state = ports.readState();
    if (batch.records === 0) {
      reached.scanned = batch.through;
      if (batch.through > state.scanned || state.problem !== null || state.store !== reached.store)
        ports.writeState({ ...state, store: reached.store, position, scanned: batch.through, problem: null });
      return batch.through >= last ? 'nothing' : 'sent';
    }
    ports.keep(reached.store, batch);
    const reply = await callUpload(url, value, reached.store, batch, now(), signal);
    if (!reply.ok && reply.why === 'position' && reply.position !== undefined) return moveTo(reply.position, last);
    if (!reply.ok) return stoppedBy(reply);
    conflicts = 0;
    reached = { store: reached.store, position: batch.through, scanned: batch.through, replaced: false };
    const about = { store: reached.store, position: batch.through, scanned: batch.through, uploads: state.uploads + 1 };
    const records = state.records + batch.records;
    ports.writeState({ ...state, ...about, records, lastSentAt: new Date(now()).toISOString(), problem: null });
    return 'sent';
  }

  /** It may do so once: a server that sends a machine back and forth is waited for. */
  function moveTo(position: number, last: number): Step {
    if (position > last) return ahead(position, last);
    if (reached !== undefined) reached = { ...reached, position, scanned: position };
    return ++conflicts > 1 ? { why: 'odd', error: `the server wants to go on from ${position}, once more` } : 'sent';
  }

  return { step };
}
