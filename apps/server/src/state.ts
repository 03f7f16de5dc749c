import type { Socket } from 'node:net';
import type { ServerStatus } from '@piton/contracts/server-api';
import type { Link } from './transport/connection.ts';

/** Mutable state that several parts of the server read. */
export interface ServerState {
  readonly startedAt: Date;
  readonly counts: { stored: number; late: number };
  /** Journals of earlier servers that the recorder is replaying. */
  readonly replaying: Set<string>;
  /** Connections whose event is not finished. */
  readonly open: Set<Link>;
  /** Connections without a whole message yet, and when they last sent something. */
  readonly silent: Map<Socket, number>;
  store: ServerStatus['store'];
  /** Since when everything in the journal is stored. */
  drainedAt: number | undefined;
  lastFrameAt: number;
  retiring: boolean;
}

export const createState = (): ServerState => ({
  startedAt: new Date(),
  counts: { stored: 0, late: 0 },
  replaying: new Set(),
  open: new Set(),
  silent: new Map(),
  store: { ok: true },
  drainedAt: undefined,
  lastFrameAt: Date.now(),
  retiring: false,
});
