import type { Redacted } from '@piton/redact';

export interface Tokens {
  readonly input: number;
  readonly output: number;
  readonly cacheRead: number;
  readonly cacheWrite: number;
}

/** What is kept of one entry of a transcript, whatever agent wrote it. */
export interface KeptEntry {
  readonly kind: 'prompt' | 'answer' | 'tool-call' | 'tool-result' | 'usage';
  /** When, as the agent says. */
  readonly at: string | null;
  /** What was said, or the input of a tool call as JSON. Null also where it was left out or has been dropped. */
  readonly text: string | null;
  /** How many characters of it were left out. */
  readonly cut: number;
  readonly model: string | null;
  readonly name: string | null;
  readonly useId: string | null;
  readonly failed: boolean | null;
  readonly tokens: Tokens | null;
}

/** How far a transcript has been read, and how to tell that it is still the same file. */
export interface TranscriptMark {
  /** Device and inode. */
  readonly file: string;
  readonly size: number;
  readonly modifiedMs: number;
  readonly consumed: number;
  /** Of the last bytes before `consumed`: a file that was written anew in its place has others. */
  readonly tail: string;
}

/** One reading: what was found since the last. An entry whose key is known takes the place of the one before. */
export interface TranscriptReading {
  /** The session's id in the store. */
  readonly session: string;
  readonly path: Redacted<string>;
  /** The subagent whose transcript it is; null for the session's own. */
  readonly agentId: Redacted<string> | null;
  readonly format: string;
  readonly mark: TranscriptMark;
  readonly entries: readonly { readonly key: Uint8Array; readonly entry: Redacted<KeptEntry> }[];
  /** What was left out, and why. */
  readonly notes: Redacted<readonly string[]>;
  readonly redaction: string;
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
