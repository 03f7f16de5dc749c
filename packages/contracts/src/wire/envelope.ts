import type { EventName } from '../events.ts';

export const ENVELOPE_VERSION = 1;

/** The versioned wrapper around a native payload: exactly these seven fields. */
export interface Envelope {
  readonly schemaVersion: typeof ENVELOPE_VERSION;
  /** The agent's id. The envelope alone calls it provider. */
  readonly provider: string;
  readonly event: EventName;
  /** The agent's own session id, opaque; empty if it sends none. */
  readonly providerRef: string;
  /** Absolute: the working directory of the event. */
  readonly projectPath: string;
  /** ISO-8601 in UTC, by the forwarder's clock. */
  readonly receivedAt: string;
  /** The native JSON, unmodified in flight; the stored copy is redacted. */
  readonly payload: unknown;
}
