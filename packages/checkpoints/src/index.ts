// During turns TurnTracker follows events and asks, createCheckpointWorker takes checkpoints and reports.
// Between turns openCheckpoints is all that the command needs. The rest says where: watched repositories. Git's hooks in them are
// an entry of their own (`./git-hooks`), which only the command loads.

export type { BlamedLine } from './attribution/blame.ts';
export { type BlameOptions, UnknownCommit, UnreadableList } from './attribution/ignored-commits.ts';
export type { Unblamable } from './attribution/unblamable.ts';
export { type Checkpoint, checkpointRef } from './checkpoint.ts';
export { type Checkpoints, openCheckpoints } from './checkpoints.ts';
export { type KeptInRepository, keptInRepositories, knownRepositories, removeEverything } from './clean/everything.ts';
export { expiredRewindFiles } from './clean/rewind-files.ts';
export type { LoggedCall } from './images/call-log.ts';
export { noWayBackText } from './kept/kept-call.ts';
export { amendsOf } from './links/amended.ts';
export { announcedPushes, type Pushed } from './links/pushes.ts';
export { shownPath } from './raw-path.ts';
export { lastSeen } from './repositories/last-seen.ts';
export { readRepositories } from './repositories/listed.ts';
export { addRepository, removeRepository, watchRepositories } from './repositories/watched.ts';
export type { Rewound } from './rewind/rewind.ts';
export type { Kept, Refused, RewindOptions, RewindPlan } from './rewind/rewind-plan.ts';
export type { UndoPlan } from './rewind/undo.ts';
export { DEFAULT_SETTINGS } from './settings.ts';
export { ownsLocalSettings } from './settings-files.ts';
export type { Skipped } from './snapshot/skipped.ts';
export type { CheckpointReport, CheckpointRequest, MadeReport } from './turns/messages.ts';
export { type TrackedEvent, type TrackerPorts, TurnTracker } from './turns/tracker.ts';
export { createCheckpointWorker } from './turns/worker.ts';
