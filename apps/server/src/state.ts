import type { Socket } from 'node:net';
import type { ServerStatus } from '@piton/contracts/server-api';
import type { Link } from './transport/connection.ts';

/** What changes while the server runs, and more than one of its parts reads. */
export interface ServerState {
  readonly startedAt: Date;
  readonly counts: { stored: number; late: number };
  /** Journals of earlier servers that the recorder is reading. */
  readonly replaying: Set<string>;
  /** Connections with an event that is not over. */
  readonly open: Set<Link>;
  /** Connected, and nothing asked yet: when something last came. */
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
