/** What is beyond them is left out, and that is said. */
export interface Limits {
  /** Of one entry's text. */
  readonly entryCharacters: number;
  /** Of the texts of one transcript, and of all of one session. Tools and tokens are noted all the same. */
  readonly transcriptCharacters: number;
  readonly sessionCharacters: number;
  readonly entries: number;
  /** Subagents may be many. */
  readonly transcripts: number;
  /** Read at once. */
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
