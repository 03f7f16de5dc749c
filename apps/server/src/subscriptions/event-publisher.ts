import { join } from 'node:path';
import type { MadeReport } from '@piton/checkpoints';
import type { TraceEntry } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { HistoryReadReport, RelinkReport, RewindReport } from '@piton/contracts/server-api';
import type { Registry } from '@piton/hooks';
import type { FrameOutcome, LifecyclePorts, PreparedFrame } from '@piton/lifecycle';
import type { Journal } from '../journal/journal.ts';
import { runEnvironment } from './environment.ts';
import { checkpointCreated, checkpointRestored, commitLinked, type Fired, historyRead } from './fired.ts';
import { awaitDeliveries, postCommitWait } from './post-commit.ts';
import { type AnsweredEvent, failuresOf, type PublishContext, raisedBy } from './raised.ts';
import { createRunner } from './runner.ts';
import { type Delivery, Subscriptions } from './subscriptions.ts';

export interface EventPublisherPorts {
  readonly lifecycle: LifecyclePorts;
  readonly registry: Pick<Registry, 'subscriptionsFor'>;
  readonly journal: Journal;
  readonly places: Places;
  /** The directory of the runner's program. */
  readonly program: string;
  readonly redact: (text: string) => string;
}

/** Publishes Piton's events to subscriptions. */
export interface EventPublisher {
  fire(fired: Fired): Delivery;
  made(message: MadeReport): readonly Delivery[];
  rewound(report: RewindReport): void;
  relinked(report: RelinkReport): void;
  historyRead(report: HistoryReadReport): void;
  /** What git's `post-commit` prints: the subscriptions that failed while it waited. Without subscribers it does not wait. */
  afterCommit(cwd: string, deliveries: Promise<readonly Delivery[]>): Promise<string>;
  /** Publishes that it was denied, and that hooks failed on it. */
  answered(source: AnsweredEvent, frameOutcome: FrameOutcome): void;
  /** Publishes failures of hooks that ran after the answer. */
  ranLater(source: PreparedFrame, trace: readonly TraceEntry[]): void;
  idle(): Promise<void>;
}

export function createEventPublisher({ lifecycle, registry, journal, places, program, redact }: EventPublisherPorts): EventPublisher {
  const { modules, sandbox, runs, reportProblem, repositoryOf, sessions } = lifecycle;
  const runner = createRunner(join(program, 'subscriber.cjs'), runEnvironment(places));
  const subscriptions = new Subscriptions({
    ...{ registry, journal, runs, sandbox, reportProblem, redact },
    spawn: (request) => (request.hook.module === undefined ? runner.run(request) : modules.run(request)),
  });
  const fire = (event: Fired['event'], cwd: string, child: boolean): Delivery =>
    subscriptions.fire({ event, cwd, sessionRoot: null, child });
  const contextOf = ({ event }: AnsweredEvent): PublishContext => ({ redact, sessionRoot: sessions.rootOf(event) });
  const made: EventPublisher['made'] = ({ kind, checkpoint, root, child, commit }) => {
    const now = Date.now();
    const created = kind === 'made' ? [fire(checkpointCreated(checkpoint, root, now), root, child)] : [];
    return commit === null ? created : [...created, fire(commitLinked(checkpoint, root, commit, now), root, child)];
  };
  return {
    fire: (fired) => subscriptions.fire(fired),
    made,
    rewound({ root, made, restored }) {
      const now = Date.now();
      for (const checkpoint of made) fire(checkpointCreated(checkpoint, root, now), root, false);
      if (restored !== null) fire(checkpointRestored(restored.checkpoint, restored.undo, root, now), root, false);
    },
    relinked({ root, links }) {
      for (const link of links) made({ ...link, root, child: false, call: null });
    },
    historyRead(report) {
      // A subscription's script is somebody else's program: no secret of a question goes there.
      fire(
        historyRead({ ...report, input: redact(report.input) }, Date.now(), repositoryOf(report.root)?.branch ?? null),
        report.root,
        false,
      );
    },
    async afterCommit(cwd, deliveries) {
      const root = repositoryOf(cwd)?.root ?? cwd;
      if (!subscriptions.hasSubscribers({ cwd: root, sessionRoot: null }, ['checkpoint-created', 'commit-linked'])) return '';
      const waitMs = postCommitWait(places.config);
      return waitMs === 0 ? '' : redact(await awaitDeliveries(deliveries, waitMs, lifecycle.command));
    },
    answered(source, frameOutcome) {
      if (frameOutcome.kind !== 'decided') return;
      for (const fired of raisedBy(source, frameOutcome, contextOf(source))) subscriptions.fire(fired);
    },
    ranLater(source, trace) {
      if (!trace.some((entry) => entry.did === 'ran' && entry.failed !== undefined)) return;
      const { root: repo = null, branch = null } = source.repository() ?? {};
      for (const fired of failuresOf(source, trace, { repo, branch }, contextOf(source))) subscriptions.fire(fired);
    },
    idle: () => subscriptions.idle(),
  };
}
