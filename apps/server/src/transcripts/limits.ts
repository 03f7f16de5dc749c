/** What exceeds a limit is dropped, and a note says so. */
export interface Limits {
  /** Text of one entry. */
  readonly entryCharacters: number;
  /** Text of one transcript, and of a whole session. Tools and tokens are always recorded. */
  readonly transcriptCharacters: number;
  readonly sessionCharacters: number;
  readonly entries: number;
  /** A session may have many subagents, each with a transcript. */
  readonly transcripts: number;
  /** Read in one step. */
  readonly windowBytes: number;
  /** The longest line, or the longest file of a format that is one value. */
  readonly lineBytes: number;
}

const MIB = 1024 * 1024;

export const LIMITS: Limits = {
  entryCharacters: 64 * 1024,
  transcriptCharacters: 32 * MIB,
  sessionCharacters: 64 * MIB,
  entries: 100_000,
  transcripts: 200,
  windowBytes: MIB,
  lineBytes: 16 * MIB,
};
