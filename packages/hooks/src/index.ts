export { type Answer, parseAnswer, type RunResult } from './answer.ts';
export { machineDisk } from './built-in-guard/disk.ts';
export { type BuiltInGuard, createBuiltInGuard, GUARD_MODES, type GuardMode } from './built-in-guard/guard.ts';
export type { GuardedPlaces } from './built-in-guard/guarded-places.ts';
export { BUILT_IN_GUARD_ID, createBuiltIns } from './built-in-guard/hook.ts';
export { builtInGuardOf, type GuardedMachine, guardedPlacesOf } from './built-in-guard/machine-guard.ts';
export { builtInHook } from './built-in-hook.ts';
export { DEEPEST, type DecideOptions, decide, observe } from './decide.ts';
export {
  DEFAULT_TIMEOUT_MS,
  type HookDefinition,
  type HookEvent,
  type HookStatus,
  PERMISSIONS,
  type Permission,
  type Subscription,
} from './definition.ts';
export { withDecision } from './event-change.ts';
export { type RunRequest, type Spawn, STDERR_CAP, STDOUT_CAP } from './hook-run.ts';
export { isPolicy } from './last-resort/denies.ts';
export { type KeptFile, lastResortFolder, readLastResorts } from './last-resort/files.ts';
export { type LastResortPorts, refreshLastResort, refreshLastResorts, staleLastResorts } from './last-resort/refresh.ts';
export { matcherFits, matcherProblem, matches } from './matcher.ts';
export { createModuleHosts, type ModuleHosts } from './module/hosts.ts';
export { isTargeted, type Plan, plan, skipped } from './plan.ts';
export { type Part, reduce } from './reduce.ts';
export { ARTIFACT_FILE, type FileLookup, isArtifactPath } from './registry/artifacts.ts';
export { type DeclaredHook, type FieldProblem, readEntry } from './registry/declared-hook.ts';
export { isIgnored } from './registry/executables.ts';
export { type LoneHook, readLoneHook } from './registry/lone-hook.ts';
export { nearestName } from './registry/nearest-name.ts';
export { type HookPlace, type Problem, projectPlaces, userPlace } from './registry/places.ts';
export { createRegistry, type EventPlace, type Listing, type Registry, type RegistryPorts } from './registry/registry.ts';
export { type HookReading, type ParseSettings, settingPosition } from './registry/settings.ts';
export { isStable, type StatOf, statOf } from './registry/watched.ts';
export { cleanEnvironment } from './run/clean-environment.ts';
export { findProgram } from './run/find-program.ts';
export * from './run/index.ts';
export { bubblewrapped } from './sandbox/bubblewrap.ts';
export { SANDBOX_PROFILES, type SandboxProfile } from './sandbox/profile.ts';
export { createSandbox, type Sandbox } from './sandbox/sandbox.ts';
export { textMatch } from './text-match.ts';
export { readTrust, type TrustedHook, type TrustedRoot, type TrustIndex, type TrustRead } from './trust/index-file.ts';
export { withLock } from './trust/lock.ts';
export type { Reference, ReferenceKind } from './trust/references/reference.ts';
export { referencesOf } from './trust/references/references.ts';
export { readTree, type Tree, type TreeFile, treeOf } from './trust/tree.ts';
export {
  type Trustable,
  type TrustOptions,
  type TrustPorts,
  type TrustRequest,
  type TrustResult,
  trust,
  trustable,
  untrust,
} from './trust/trust.ts';
