import type { TokenCounts } from '@piton/contracts';
import type { Redacted } from '@piton/redact';

/** What is kept of one entry of a transcript, whatever agent wrote it. */
export interface KeptEntry {
  readonly kind: 'prompt' | 'answer' | 'tool-call' | 'tool-result' | 'usage';
  /** The time that the agent wrote. */
  readonly at: string | null;
  /** The text, or the input of a tool call as JSON. Null if there is none, or it was left out or dropped. */
  readonly text: string | null;
  /** How many characters of it were left out. */
  readonly cut: number;
  readonly model: string | null;
  readonly name: string | null;
  readonly useId: string | null;
  readonly failed: boolean | null;
  readonly tokens: TokenCounts | null;
}

/** How far a transcript has been read, and how to recognise the file. */
export interface TranscriptMark {
  /** Device and inode. */
  readonly file: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly consumed: number;
  /** A hash of the last bytes before `consumed`: it differs if the file was rewritten. */
  readonly tail: string;
  /** The version of whoever read it. An older one has seen less. */
  readonly reader: number;
  /** What the lines so far say about later ones, in words of the format. */
  readonly memory: string;
}

/** One reading: what was found since the last. An entry with a known key replaces the earlier one. */
export interface TranscriptReading {
  /** The session's id in the store. */
  readonly session: string;
  readonly path: Redacted<string>;
  /** The subagent whose transcript it is; null for the session itself. */
  readonly agentId: Redacted<string> | null;
  readonly format: string;
  readonly mark: TranscriptMark;
  readonly entries: readonly { readonly key: Uint8Array; readonly entry: Redacted<KeptEntry> }[];
  /** What was left out, and why. */
  readonly notes: Redacted<readonly string[]>;
  readonly redaction: string;
}

/** A transcript that an older reader has read, with what is needed to find it again. */
export interface OutdatedTranscript {
  readonly session: string;
  readonly agent: string;
  readonly providerRef: string;
  readonly projectPath: string;
  readonly path: string;
  readonly agentId: string | null;
  readonly format: string;
}

/** The tokens of one request, or of as many as the format tells in one sum. */
export interface UsageRecord {
  readonly session: string;
  readonly format: string;
  readonly model: string | null;
  readonly tokens: TokenCounts;
}

export interface TranscriptHead {
  readonly path: string;
  readonly agentId: string | null;
  readonly format: string;
  readonly entries: number;
  /** Characters of text that were kept. */
  readonly characters: number;
  readonly notes: readonly string[];
  readonly mark: TranscriptMark;
  /** Some of its texts were dropped by age or size. */
  readonly expired: boolean;
}
export interface StoredTranscript extends TranscriptHead {
  /** In the order of the transcript. */
  readonly list: readonly KeptEntry[];
}
