import type { FindWorktree } from '../repositories/known-worktrees.ts';
import type { SettingsReader } from '../settings-files.ts';
import type { OpenNames } from '../waiting/open-names.ts';
import type { WaitingEvents } from '../waiting/waiting-events.ts';
import type { CheckpointReport } from './messages.ts';
import type { Sessions, Works } from './session-work.ts';

/** What the parts of the worker share. */
export interface WorkerContext {
  readonly post: (report: CheckpointReport) => void;
  /** The working tree around a directory, or null. */
  readonly worktreeOf: FindWorktree;
  /** Takes secrets out of a text. */
  readonly redact: (text: string) => string;
  readonly waiting: WaitingEvents;
  readonly names: OpenNames;
  readonly settingsOf: SettingsReader;
  /** See `MessageRequest.settled`. */
  readonly settledMessages: Map<string, string>;
  readonly works: Works;
  /** Whose session it is, as far as this worker knows. */
  readonly agents: Sessions<string>;
  /** What each session was asked last, wherever that was. */
  readonly asked: Sessions<{ readonly turn: string; readonly prompt: string }>;
  /** The directory of all that Piton knows. */
  readonly home: string;
  /** Somebody is before whoever comes next there. */
  readonly isBusy: (directory: string) => boolean;
  /** One thing at a time in each working tree: two checkpoints of it must not overtake each other. */
  readonly enqueue: (directory: string, act: () => Promise<unknown>) => Promise<unknown>;
}
