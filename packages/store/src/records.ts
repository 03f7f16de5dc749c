import type { Envelope, EventName, Outcome, PitonEvent, ToolKind } from '@piton/contracts';
import type { Redacted } from '@piton/redact';
import type { LedgerEntry } from './ledger.ts';

export interface RecordedTool {
  readonly name: string;
  readonly nativeName: string;
  readonly kind: ToolKind;
  readonly useId: string | null;
  readonly command: string | null;
  readonly files: readonly string[];
}

/**
 * An event as it is written: a header and two bodies. All text of an agent or a hook is `Redacted`, so text that did not
 * pass through the redactor does not compile here.
 */
export interface EventRecord {
  /** The frame's stamp. The same stamp is the same event. */
  readonly eventId: string;
  readonly nativeEvent: string;
  readonly via: string;
  /** No server answered it in time: no hooks ran, nothing was decided. */
  readonly late: boolean;
  /** The server derived it from another event. */
  readonly derived: boolean;
  /** The event it was derived from, or in whose hook it happened. */
  readonly parentId: string | null;
  readonly depth: number;
  readonly run: string;
  readonly bootId: string;
  readonly monotonicUs: bigint;
  readonly wallUs: bigint;
  readonly pid: number;
  readonly ppid: number;
  readonly terminal: boolean;
  readonly truncated: boolean;
  readonly payloadSize: number;
  readonly sender: string;
  /** Sent by `piton status` to prove delivery: stored, but of no session. */
  readonly canary: boolean;
  readonly names: readonly EventName[];
  readonly tool: Redacted<RecordedTool> | null;
  readonly prompt: Redacted<string> | null;
  readonly source: Redacted<string> | null;
  readonly agentId: Redacted<string> | null;
  /** The agent's id of the parent session, if a subagent has its own session. */
  readonly parentRef?: Redacted<string> | null;
  readonly transcriptPath: Redacted<string> | null;
  readonly text: Redacted<string> | null;
  readonly model: Redacted<string> | null;
  readonly problems: Redacted<readonly string[]>;
  readonly repo: string | null;
  readonly branch: Redacted<string> | null;
  readonly envelope: Redacted<Envelope>;
  readonly outcome: Redacted<Outcome> | null;
  /** What the session has done by it. */
  readonly ledger?: Redacted<readonly LedgerEntry[]>;
  /** Time spent in the server, in µs. */
  readonly serverUs: number | null;
  /** The version of the rules that redacted it. */
  readonly redaction: string;
}

/**
 * Something about a session that is not an event. A `crash` ends it; a `commit` is counted in its turn. The others change nothing in
 * it: a `handoff` is what another session needs to continue, a `fix` an error and what fixed it, `works` a command that works here.
 */
export const OBSERVATION_KINDS = ['crash', 'commit', 'note', 'handoff', 'fix', 'works'] as const;
export type ObservationKind = (typeof OBSERVATION_KINDS)[number];

export interface ObservationRecord {
  /** A ULID: the same id is the same observation. A `handoff`, `fix` or `works` that is newer replaces the earlier one. */
  readonly id: string;
  /** The session's id in the store. */
  readonly session: string;
  readonly kind: ObservationKind;
  readonly wallUs: bigint;
  readonly body: Redacted<unknown>;
  /** After that it is forgotten. */
  readonly expiresUs?: bigint;
  /** The version of the rules that redacted it. */
  readonly redaction: string;
}

/** Every stored text of an event that an agent or a hook wrote. */
export interface EventTexts {
  readonly prompt: string | null;
  readonly text: string | null;
  readonly command: string | null;
  readonly files: readonly string[] | null;
  readonly problems: readonly string[] | null;
  readonly source: string | null;
  readonly agentId: string | null;
  readonly transcriptPath: string | null;
  readonly model: string | null;
  readonly branch: string | null;
  /** Undefined if its body was dropped. */
  readonly payload: unknown;
  readonly outcome: Outcome | null;
  readonly reason: string | null;
  readonly delivered: unknown;
  /** Notes of its hook runs, by index. */
  readonly notes: readonly { readonly at: number; readonly note: string }[];
}
export interface PitonEventTexts {
  readonly event: PitonEvent;
  /** Notes of its subscription runs, by index. */
  readonly notes: EventTexts['notes'];
}
export interface PushTexts {
  readonly remote: string;
  readonly url: string;
  readonly ref: string;
}
interface BodyHeader {
  readonly seq: number;
  readonly id: string;
  readonly redaction: string;
}
export type StoredBody =
  | ({ readonly of: 'piton-event'; readonly body: PitonEventTexts } & BodyHeader)
  | ({ readonly of: 'push'; readonly body: PushTexts } & BodyHeader)
  | ({ readonly of: 'ledger'; readonly body: LedgerEntry } & BodyHeader)
  | {
      readonly of: 'event';
      readonly seq: number;
      readonly id: string;
      readonly agent: string;
      readonly redaction: string;
      readonly body: EventTexts;
    }
  | { readonly of: 'observation'; readonly seq: number; readonly id: string; readonly redaction: string; readonly body: unknown }
  | { readonly of: 'transcript'; readonly seq: number; readonly id: string; readonly redaction: string; readonly body: TranscriptTexts };

/** Every text of one entry of a transcript. */
export interface TranscriptTexts {
  readonly text: string | null;
  readonly model: string | null;
  readonly name: string | null;
}

/** A body that was redacted again, with newer rules. */
export type RewrittenBody =
  | { readonly of: 'piton-event'; readonly seq: number; readonly redaction: string; readonly body: Redacted<PitonEventTexts> }
  | { readonly of: 'push'; readonly seq: number; readonly redaction: string; readonly body: Redacted<PushTexts> }
  | { readonly of: 'ledger'; readonly seq: number; readonly redaction: string; readonly body: Redacted<LedgerEntry> }
  | { readonly of: 'event'; readonly seq: number; readonly redaction: string; readonly body: Redacted<EventTexts> }
  | { readonly of: 'observation'; readonly seq: number; readonly redaction: string; readonly body: Redacted<unknown> }
  | { readonly of: 'transcript'; readonly seq: number; readonly redaction: string; readonly body: Redacted<TranscriptTexts> };
