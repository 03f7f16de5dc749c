import { dirname, join } from 'node:path';
import type { TraceEntry } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { cleanEnvironment } from '@piton/hooks';
import type { MadeMessage } from '../checkpoints/checkpointer.ts';
import type { Journal } from '../journal.ts';
import type { Heard, Pipeline } from '../pipeline.ts';
import type { Verdict } from '../verdict.ts';
import { checkpointCreated, checkpointRestored, commitLinked, type Fired, type Made } from './fired.ts';
import { awaitDeliveries, postCommitWait } from './post-commit.ts';
import { failuresOf, type Raising, raisedBy, type Told } from './raised.ts';
import { createRunner } from './runner.ts';
import { type Delivery, Subscriptions } from './subscriptions.ts';

export interface TellingPorts {
  readonly pipeline: Pipeline;
  readonly journal: Journal;
  readonly places: Places;
  /** Where the runner's program lies. */
  readonly program: string;
  readonly redact: (text: string) => string;
}

/** What `piton rewind` has done, as the command tells it. */
export interface Rewound {
  readonly root: string;
  /** Checkpoints that were made on the way. */
  readonly made: readonly Made[];
  readonly restored: { readonly checkpoint: Made; readonly undo: string } | null;
}

/** Links that `piton checkpoints repair` has found, the oldest commit first. */
export interface Relinked {
  readonly root: string;
  readonly links: readonly { readonly kind: 'made' | 'linked'; readonly checkpoint: Made; readonly commit: string }[];
}

/** Everything that the server has to tell, and to whom. */
export interface Telling {
  fire(fired: Fired): Delivery;
  made(message: MadeMessage): readonly Delivery[];
  rewound(rewound: Rewound): void;
  relinked(relinked: Relinked): void;
  /** What git's `post-commit` prints: who failed of those that it waited for. It waits for nobody where nobody subscribed. */
  afterCommit(cwd: string, told: Promise<readonly Delivery[]>): Promise<string>;
  /** That it was denied, and that hooks failed on it. */
  answered(heard: Told, verdict: Verdict): void;
  /** Of hooks that ran after the answer, those that failed. */
  ranLater(heard: Heard, trace: readonly TraceEntry[]): void;
  idle(): Promise<void>;
}

export function createTelling({ pipeline, journal, places, program, redact }: TellingPorts): Telling {
  const { registry, modules, sandbox, runs, trouble, repositoryOf, sessions } = pipeline;
  const runner = createRunner(join(program, 'subscriber.cjs'), { ...cleanEnvironment(), ...whereabouts(places) });
  const subscriptions = new Subscriptions({
    ...{ registry, journal, runs, sandbox, trouble, redact },
    spawn: (request) => (request.hook.module === undefined ? runner.run(request) : modules.run(request)),
  });
  const tell = (event: Fired['event'], cwd: string, child: boolean): Delivery =>
    subscriptions.fire({ event, cwd, sessionRoot: null, child });
  const raising = ({ event }: Told): Raising => ({ redact, sessionRoot: sessions.rootOf(event) });
  const made: Telling['made'] = ({ kind, checkpoint, root, child, commit }) => {
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
