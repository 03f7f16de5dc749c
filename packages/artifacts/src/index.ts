export { anchored } from './anchor.ts';
export { filesNamed, type NamedFile } from './import/scripts-named.ts';
export { type Imported, toArtifact } from './import/to-artifact.ts';
export type { LintFinding } from './lint/finding.ts';
export { artifactErrors, type LintInput, lintArtifact, shellOf } from './lint/lint-artifact.ts';
export { type ExecutableInput, lintExecutable, lintSetting, type SettingInput } from './lint/lint-entry.ts';
export type { EntryReading, LintAgent, LintFile, LintWorld, LookAt } from './lint/world.ts';
export { caseDifference, type HookCase, type HookCasesResult, type HookExpectation, hookCaseText, readHookCases } from './hook-case.ts';
export { type ArtifactProblem, type ParsedArtifact, parseArtifact } from './parse.ts';
