import { dirname, join } from 'node:path';
import type { MadeReport } from '@piton/checkpoints';
import type { TraceEntry } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { RelinkReport, RewindReport } from '@piton/contracts/server-api';
import { cleanEnvironment, type Registry } from '@piton/hooks';
import type { FrameOutcome, LifecyclePorts, PreparedFrame } from '@piton/lifecycle';
import type { Journal } from '../journal/journal.ts';
import { checkpointCreated, checkpointRestored, commitLinked, type Fired } from './fired.ts';
import { awaitDeliveries, postCommitWait } from './post-commit.ts';
import { failuresOf, type Raising, raisedBy, type Told } from './raised.ts';
import { createRunner } from './runner.ts';
import { type Delivery, Subscriptions } from './subscriptions.ts';

export interface EventPublisherPorts {
  readonly lifecycle: LifecyclePorts;
  readonly registry: Pick<Registry, 'subscriptionsFor'>;
  readonly journal: Journal;
  readonly places: Places;
  /** Where the runner's program lies. */
  readonly program: string;
  readonly redact: (text: string) => string;
}

/** Publishes Piton's events to subscriptions. */
export interface EventPublisher {
  fire(fired: Fired): Delivery;
  made(message: MadeReport): readonly Delivery[];
  rewound(report: RewindReport): void;
  relinked(report: RelinkReport): void;
  /** What git's `post-commit` prints: who failed of those that it waited for. It waits for nobody where nobody subscribed. */
  afterCommit(cwd: string, told: Promise<readonly Delivery[]>): Promise<string>;
  /** That it was denied, and that hooks failed on it. */
  answered(heard: Told, verdict: FrameOutcome): void;
  /** Of hooks that ran after the answer, those that failed. */
  ranLater(heard: PreparedFrame, trace: readonly TraceEntry[]): void;
  idle(): Promise<void>;
}

export function createEventPublisher({ lifecycle, registry, journal, places, program, redact }: EventPublisherPorts): EventPublisher {
  const { modules, sandbox, runs, reportProblem: trouble, repositoryOf, sessions } = lifecycle;
  const runner = createRunner(join(program, 'subscriber.cjs'), { ...cleanEnvironment(), ...whereabouts(places) });
  const subscriptions = new Subscriptions({
    ...{ registry, journal, runs, sandbox, trouble, redact },
    spawn: (request) => (request.hook.module === undefined ? runner.run(request) : modules.run(request)),
  });
  const tell = (event: Fired['event'], cwd: string, child: boolean): Delivery =>
    subscriptions.fire({ event, cwd, sessionRoot: null, child });
  const raising = ({ event }: Told): Raising => ({ redact, sessionRoot: sessions.rootOf(event) });
  const made: EventPublisher['made'] = ({ kind, checkpoint, root, child, commit }) => {
    const now = Date.now();
    const created = kind === 'made' ? [tell(checkpointCreated(checkpoint, root, now), root, child)] : [];
    return commit === null ? created : [...created, tell(commitLinked(checkpoint, root, commit, now), root, child)];
  };
  return {
    fire: (fired) => subscriptions.fire(fired),
    made,
    rewound({ root, made, restored }) {
      const now = Date.now();
      for (const checkpoint of made) tell(checkpointCreated(checkpoint, root, now), root, false);
      if (restored !== null) tell(checkpointRestored(restored.checkpoint, restored.undo, root, now), root, false);
    },
    relinked({ root, links }) {
      for (const link of links) made({ ...link, root, child: false, call: null });
    },
    async afterCommit(cwd, told) {
      const root = repositoryOf(cwd)?.root ?? cwd;
      if (!subscriptions.expects({ cwd: root, sessionRoot: null }, ['checkpoint-created', 'commit-linked'])) return '';
      const waitMs = postCommitWait(places.config);
      return waitMs === 0 ? '' : redact(await awaitDeliveries(told, waitMs));
    },
    answered(heard, verdict) {
      if (verdict.kind !== 'decided') return;
      for (const fired of raisedBy(heard, verdict, raising(heard))) subscriptions.fire(fired);
    },
    ranLater(heard, trace) {
      if (!trace.some((entry) => entry.did === 'ran' && entry.failed !== undefined)) return;
      const { root: repo = null, branch = null } = heard.repository() ?? {};
      for (const fired of failuresOf(heard, trace, { repo, branch }, raising(heard))) subscriptions.fire(fired);
    },
    idle: () => subscriptions.idle(),
  };
}

/** A subscription that calls `piton` means the Piton that called it. The server itself was started without these. */
function whereabouts({ home, config }: Places): Record<string, string> {
  const moved = dirname(home);
  if (home === join(moved, 'state') && config === join(moved, 'config')) return { PITON_HOME: moved };
  const { XDG_CONFIG_HOME, XDG_STATE_HOME } = process.env;
  return { ...(XDG_CONFIG_HOME && { XDG_CONFIG_HOME }), ...(XDG_STATE_HOME && { XDG_STATE_HOME }) };
}
