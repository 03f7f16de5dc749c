import type { PitonEventName, SubscriptionEntry } from '@piton/contracts';
import type { EventPlace, Registry, Subscription } from '@piton/hooks';
import type { Runs } from '@piton/lifecycle';
import type { Journal } from '../journal/journal.ts';
import type { Fired } from './fired.ts';
import { subscriptionFailed } from './raised.ts';
import { type RunPorts, runSubscription, whyNot } from './run.ts';

export interface SubscriptionPorts extends RunPorts {
  readonly registry: Pick<Registry, 'subscriptionsFor'>;
  readonly journal: Pick<Journal, 'appendOwn' | 'appendOwnRuns'>;
  readonly runs: Pick<Runs, 'open'>;
  readonly trouble: (what: string, remedy: string, kind?: 'note') => void;
  readonly redact: (text: string) => string;
  readonly mostWaiting?: number;
}

/** What has come of an event so far, and when all of its subscriptions are done. */
export interface Delivery {
  readonly entries: readonly SubscriptionEntry[];
  readonly done: Promise<void>;
}

const NOBODY: Delivery = { entries: [], done: Promise.resolve() };
/** Subscriptions that are slower than what happens must not fill the memory. */
const MOST_WAITING = 1000;
/** A server that dies over an event each time must not take the next one with it for ever. */
const MOST_ATTEMPTS = 3;

/**
 * Tells Piton's own events to whoever subscribed: journalled first, then one subscription after the other, and one event
 * after the other in each repository. What a dead server had not finished, the next one delivers again.
 */
export class Subscriptions {
  readonly #ports: SubscriptionPorts;
  readonly #queues = new Map<string, Promise<void>>();
  #waiting = 0;

  constructor(ports: SubscriptionPorts) {
    this.#ports = ports;
  }

  /** Would anybody hear one of these here? */
  expects(place: EventPlace, names: readonly PitonEventName[]): boolean {
    return names.some((name) => this.#find(place, name).some(({ enabled, status }) => enabled && isRunnable(status.kind)));
  }

  fire(fired: Fired): Delivery {
    const { journal } = this.#ports;
    const { event, child } = fired;
    const found = child ? [] : this.#find(fired, event.event);
    const attempt = (fired.attempt ?? 0) + 1;
    const runs = found.some((subscription) => whyNot(subscription, fired) === undefined) && this.#mayWait(fired, attempt);
    journal.appendOwn({ ...fired, attempt, waits: runs });
    if (found.length === 0) return NOBODY;
    const entries: SubscriptionEntry[] = [];
    const key = event.repo ?? fired.cwd;
    const deliver = (): Promise<void> => this.#deliver(fired, found, entries);
    if (!runs) {
      void this.#noteSkipped(fired, found);
      return NOBODY;
    }
    this.#waiting += 1;
    const done = (this.#queues.get(key) ?? Promise.resolve()).then(deliver).finally(() => {
      this.#waiting -= 1;
      if (this.#queues.get(key) === done) this.#queues.delete(key);
    });
    this.#queues.set(key, done);
    return { entries, done };
  }

  /** Everything that was fired so far, and what that has fired in turn, is delivered. */
  async idle(): Promise<void> {
    while (this.#queues.size > 0) await Promise.all(this.#queues.values());
  }

  #find({ cwd, sessionRoot }: EventPlace, name: PitonEventName): readonly Subscription[] {
    try {
      return this.#ports.registry.subscriptionsFor({ cwd, sessionRoot }, name);
    } catch (error) {
      this.#ports.trouble(`could not look up subscriptions to ${name}: ${(error as Error).message}`, 'piton doctor');
      return [];
    }
  }

  #mayWait({ event }: Fired, attempt: number): boolean {
    const { trouble } = this.#ports;
    if (attempt > MOST_ATTEMPTS) {
      trouble(
        `${event.event} ${event.id} was started ${MOST_ATTEMPTS} times and never finished. It is no longer delivered`,
        'piton events --own',
      );
      return false;
    }
    if (this.#waiting < (this.#ports.mostWaiting ?? MOST_WAITING)) return true;
    trouble(
      `subscriptions are too slow: ${event.event} was recorded but not delivered`,
      'make them faster. To see how long each takes: piton events --own',
    );
    return false;
  }

  async #deliver(fired: Fired, subscriptions: readonly Subscription[], entries: SubscriptionEntry[]): Promise<void> {
    const { runs, journal } = this.#ports;
    const release = runs.open(fired.event.id);
    try {
      for (const subscription of subscriptions) {
        const entry = await runSubscription(subscription, fired, this.#ports);
        entries.push(entry);
        this.#judge(fired, entry, entries.length);
      }
    } finally {
      release();
      journal.appendOwnRuns({ id: fired.event.id, trace: entries });
    }
  }

  /** None of them can run: that is on record, too. */
  async #noteSkipped(fired: Fired, subscriptions: readonly Subscription[]): Promise<void> {
    const skipped = subscriptions.filter((subscription) => whyNot(subscription, fired) !== undefined);
    const trace = await Promise.all(skipped.map((subscription) => runSubscription(subscription, fired, this.#ports)));
    for (const [at, entry] of trace.entries()) this.#judge(fired, entry, at);
    this.#ports.journal.appendOwnRuns({ id: fired.event.id, trace });
  }

  #judge(fired: Fired, entry: SubscriptionEntry, at: number): void {
    const { trouble, redact } = this.#ports;
    if (entry.did === 'skipped' && entry.why === 'not-trusted')
      trouble(`${entry.hook} did not run on ${entry.event}: not trusted`, `review it: piton trust ${entry.hook}`, 'note');
    if (entry.did !== 'ran' || entry.failed === undefined) return;
    trouble(`${entry.hook} failed on ${entry.event}: ${entry.note ?? entry.failed}`, `piton events show ${fired.event.id}`, 'note');
    const failed = subscriptionFailed(fired, entry, at, redact);
    if (failed !== null) this.fire({ ...failed, attempt: 0 });
  }
}

const isRunnable = (kind: Subscription['status']['kind']): boolean => kind === 'ready' || kind === 'changed';
