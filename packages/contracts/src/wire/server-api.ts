/** What the command and the server send each other over HTTP on `cli.sock`. Besides the command only plugins call it. */

/** GET /v1/status */
export interface ServerStatus {
  readonly pid: number;
  readonly version: string;
  readonly startedAt: string;
  readonly home: string;
  readonly hash: string;
  readonly store: { readonly ok: true } | { readonly ok: false; readonly problem: string; readonly error: string };
  readonly journal: { readonly waiting: number; readonly oldestMs: number | null; readonly setAside: number };
  readonly open: number;
  readonly counts: { readonly frames: number; readonly answered: number; readonly stored: number; readonly late: number };
  /** The server's own share of an event, hooks not counted, over the last thousand. */
  readonly shareUs: { readonly p50: number | null; readonly p99: number | null };
  /** What went wrong since it started, newest first. */
  readonly troubles: readonly { readonly at: string; readonly what: string; readonly remedy: string; readonly kind?: 'note' }[];
  readonly retiring: boolean;
}

/** POST /v1/canary: a one-time token for PITON_CANARY. */
export interface CanaryIssued {
  readonly token: string;
}
/** GET /v1/canary/<token>: has it come through, and how? */
export interface CanaryState {
  readonly arrived: boolean;
  readonly eventId: string | null;
  readonly via: string | null;
  /** From the forwarder's stamp to the journal. */
  readonly tookUs: number | null;
}

/** POST /v1/envelopes answers 200 and a bare decision, or this with 202 when commands must run first. */
export interface AttachWanted {
  /** `piton-forward --attach <stamp>` runs them and prints the decision. */
  readonly attach: string;
}

/** POST /v1/flush answers when all that was journalled before it is stored and searchable. */
export interface Flushed {
  readonly stored: number;
}

/** As much of a checkpoint as an event carries. */
export interface CheckpointSummary {
  readonly id: string;
  readonly kind: string;
  readonly name: string;
  readonly base: string | null;
  readonly branch: string | null;
  readonly session: string | null;
  readonly agent: string | null;
  readonly linked: string | null;
}

export const summarizeCheckpoint = ({ id, kind, name, base, branch, session, agent, linked }: CheckpointSummary): CheckpointSummary => ({
  ...{ id, kind, name, base, branch, session, agent, linked },
});

/** POST /v1/rewound: what `piton rewind` has done. */
export interface RewindReport {
  readonly root: string;
  /** Checkpoints that were made on the way. */
  readonly made: readonly CheckpointSummary[];
  readonly restored: { readonly checkpoint: CheckpointSummary; readonly undo: string } | null;
}

/** POST /v1/history-read: what an agent asked `piton mcp`. */
export interface HistoryReadReport {
  readonly root: string;
  readonly agent: string | null;
  /** The agent's id of the session that asked, if it is known. */
  readonly session: string | null;
  readonly tool: string;
  readonly input: string;
  readonly results: number;
  readonly characters: number;
  readonly failed: string | null;
}

/** POST /v1/relinked: links that `piton checkpoints repair` has found, the oldest commit first. */
export interface RelinkReport {
  readonly root: string;
  readonly links: readonly { readonly kind: 'made' | 'linked'; readonly checkpoint: CheckpointSummary; readonly commit: string }[];
}
