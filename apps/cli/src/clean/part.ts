import type { Change } from '../install/change.ts';

/** Something that takes disk space and can be deleted. */
export interface Part {
  readonly name: PartName | 'repository';
  /** In a few words: what would be deleted, how much, from where. */
  readonly what: string;
  readonly where: string;
  /** Estimate of the space that this would free. */
  readonly bytes: number;
  readonly count: number;
  /** A folder outside Piton's home whose size shows what was freed. */
  readonly disk?: string;
  /** What is kept although it is old, and why. */
  readonly note?: string;
  /** What that changes, as `--json` lists it. */
  readonly changes: readonly Change[];
  /** Deletes it. Returns a problem, if there was one. */
  remove(): Promise<string | undefined>;
}

export const PART_NAMES = ['events', 'transcripts', 'checkpoints', 'logs', 'runtimes', 'trust', 'aside'] as const;
export type PartName = (typeof PART_NAMES)[number];

/** What to look for. */
export interface CleanRequest {
  readonly parts: ReadonlySet<PartName>;
  readonly before: Date;
  /** IDs in the store. Undefined means all. */
  readonly sessions?: readonly string[];
}
