import type { PitonEventName, SubscriptionEntry } from '@piton/contracts';
import type { EventPlace, Registry, Subscription } from '@piton/hooks';
import type { Runs } from '@piton/lifecycle';
import type { Journal } from '../journal/journal.ts';
import type { Fired } from './fired.ts';
import { subscriptionFailed } from './raised.ts';
import { type RunPorts, runSubscription, skipReason } from './run.ts';

export interface SubscriptionPorts extends RunPorts {
  readonly registry: Pick<Registry, 'subscriptionsFor'>;
  readonly journal: Pick<Journal, 'appendPitonEvent' | 'appendSubscriptionRuns'>;
  readonly runs: Pick<Runs, 'open'>;
  readonly reportProblem: (what: string, remedy: string, kind?: 'note') => void;
  readonly redact: (text: string) => string;
  readonly maxWaiting?: number;
}

/** The subscription runs of an event so far, those that are left, and when all of them are done. */
export interface Delivery {
  readonly event: PitonEventName;
  readonly entries: readonly SubscriptionEntry[];
  /** The ids of subscriptions that have not ended yet. */
  readonly pending: readonly string[];
  readonly done: Promise<void>;
}

const noDelivery = (event: PitonEventName): Delivery => ({ event, entries: [], pending: [], done: Promise.resolve() });
/** Subscriptions that are slower than events arrive must not fill the memory. */
const MAX_WAITING = 1000;
/** An event that crashes the server each time must not be delivered forever. */
const MAX_ATTEMPTS = 3;

/**
 * Delivers Piton's events to subscriptions: journalled first, then one subscription at a time, and one event at a time in
 * each repository. What a server that died had not finished, the next one delivers again.
 */
export class Subscriptions {
  readonly #ports: SubscriptionPorts;
  readonly #queues = new Map<string, Promise<void>>();
  #waiting = 0;

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports;
  }

  /** Does a subscription run on one of these events here? */
  hasSubscribers(place: EventPlace, names: readonly PitonEventName[]): boolean {
    return names.some((name) => this.#find(place, name).some(({ enabled, status }) => enabled && isRunnable(status.kind)));
  }

  fire(fired: Fired): Delivery {
    const { journal } = this.#ports;
    const { event, child } = fired;
    const found = child ? [] : this.#find(fired, event.event);
    const attempt = (fired.attempt ?? 0) + 1;
    const runs = found.some((subscription) => skipReason(subscription, fired) === undefined) && this.#mayWait(fired, attempt);
    journal.appendPitonEvent({ ...fired, attempt, waits: runs });
    if (found.length === 0) return noDelivery(event.event);
    const entries: SubscriptionEntry[] = [];
    const key = event.repo ?? fired.cwd;
    const pending = found.filter((subscription) => skipReason(subscription, fired) === undefined).map(({ id }) => id);
    const deliver = (): Promise<void> => this.#deliver(fired, found, entries, pending);
    if (!runs) {
      void this.#recordSkipped(fired, found);
      return noDelivery(event.event);
    }
    this.#waiting += 1;
    const done = (this.#queues.get(key) ?? Promise.resolve()).then(deliver).finally(() => {
      this.#waiting -= 1;
      if (this.#queues.get(key) === done) this.#queues.delete(key);
    });
    this.#queues.set(key, done);
    return { event: event.event, entries, pending, done };
  }

  /** Resolves when everything fired so far, and everything fired by that, is delivered. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  #find({ cwd, sessionRoot }: EventPlace, name: PitonEventName): readonly Subscription[] {
    try {
      return this.#ports.registry.subscriptionsFor({ cwd, sessionRoot }, name);
    } catch (error) {
      this.#ports.reportProblem(`could not look up subscriptions to ${name}: ${(error as Error).message}`, 'piton doctor');
      return [];
    }
  }

  #mayWait({ event }: Fired, attempt: number): boolean {
    const { reportProblem } = this.#ports;
    if (attempt > MAX_ATTEMPTS) {
      reportProblem(
        `${event.event} ${event.id} was started ${MAX_ATTEMPTS} times and never finished. It is no longer delivered`,
        'piton events --own',
      );
      return false;
    }
    if (this.#waiting < (this.#ports.maxWaiting ?? MAX_WAITING)) return true;
    reportProblem(
      `subscriptions are too slow: ${event.event} was recorded but not delivered`,
      'make them faster. To see how long each takes: piton events --own',
    );
    return false;
  }

  async #deliver(fired: Fired, subscriptions: readonly Subscription[], entries: SubscriptionEntry[], pending: string[]): Promise<void> {
    const { runs, journal } = this.#ports;
    const release = runs.open(fired.event.id);
    try {
      for (const subscription of subscriptions) {
        const entry = await runSubscription(subscription, fired, this.#ports);
        entries.push(entry);
        if (pending[0] === subscription.id) pending.shift();
        this.#raiseFailure(fired, entry, entries.length);
      }
    } finally {
      release();
      journal.appendSubscriptionRuns({ id: fired.event.id, trace: entries });
    }
  }

  /** None of them can run. That is recorded too. */
  async #recordSkipped(fired: Fired, subscriptions: readonly Subscription[]): Promise<void> {
    const skipped = subscriptions.filter((subscription) => skipReason(subscription, fired) !== undefined);
    const trace = await Promise.all(skipped.map((subscription) => runSubscription(subscription, fired, this.#ports)));
    for (const [at, entry] of trace.entries()) this.#raiseFailure(fired, entry, at);
    this.#ports.journal.appendSubscriptionRuns({ id: fired.event.id, trace });
  }

  #raiseFailure(fired: Fired, entry: SubscriptionEntry, at: number): void {
    // Doctor finds it in the store, and there only where it concerns.
    const failed = subscriptionFailed(fired, entry, at, this.#ports.redact);
    if (failed !== null) this.fire({ ...failed, attempt: 0 });
  }
}

const isRunnable = (kind: Subscription['status']['kind']): boolean => kind === 'ready' || kind === 'changed';
