// During turns TurnTracker follows events and asks, createCheckpointWorker takes checkpoints and reports.
// Between turns openCheckpoints is all that the command needs. Where this happens is an entry of its own (`./repositories`), and so are
// what only the command loads: git's hooks in them (`./git-hooks`), and what is left when Piton leaves (`./clean`).

export type { BlamedLine } from './attribution/blame.ts';
export { type BlameOptions, UnknownCommit, UnreadableList } from './attribution/ignored-commits.ts';
export type { Unblamable } from './attribution/unblamable.ts';
export { type Checkpoint, checkpointRef } from './checkpoint.ts';
export { type Checkpoints, openCheckpoints } from './checkpoints.ts';
export type { LoggedCall } from './images/call-log.ts';
export { noWayBackText } from './kept/kept-call.ts';
export { amendsOf } from './links/amended.ts';
export { announcedPushes, type Pushed } from './links/pushes.ts';
export { shownPath } from './raw-path.ts';
export type { Rewound } from './rewind/rewind.ts';
export type { Kept, Refused, RewindOptions, RewindPlan } from './rewind/rewind-plan.ts';
export type { UndoPlan } from './rewind/undo.ts';
export { DEFAULT_SETTINGS } from './settings.ts';
export { ownsLocalSettings } from './settings-files.ts';
export type { Skipped } from './snapshot/skipped.ts';
export type { CheckpointReport, CheckpointRequest, MadeReport } from './turns/messages.ts';
export { type TrackedEvent, type TrackerPorts, TurnTracker } from './turns/tracker.ts';
export { createCheckpointWorker } from './turns/worker.ts';
