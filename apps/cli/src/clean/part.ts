/** Something that takes room and may go. */
export interface Part {
  readonly name: PartName;
  /** What it is, in a few words: what would go, how much of it, from where. */
  readonly what: string;
  readonly where: string;
  /** How much room that would give, as far as it can be told before. */
  readonly bytes: number;
  readonly count: number;
  /** A folder outside Piton's own home whose size tells what was freed. */
  readonly disk?: string;
  /** Kept though it is old, and why. */
  readonly note?: string;
  /** Does it; says what went otherwise than planned. */
  remove(): Promise<string | undefined>;
}

export const PART_NAMES = ['events', 'transcripts', 'checkpoints', 'logs', 'runtimes', 'trust', 'aside'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** What is looked for. */
export interface CleanRequest {
  readonly parts: ReadonlySet<PartName>;
  readonly before: Date;
  /** Ids in the store; undefined is all. */
  readonly sessions?: readonly string[];
}
