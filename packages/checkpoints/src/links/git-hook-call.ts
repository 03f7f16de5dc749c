import type { Amends } from './amended.ts';

/** What git said to one of its hooks. */
export interface GitHookCall {
  readonly hook: string;
  readonly args: readonly string[];
  readonly input: string;
  readonly indexFile: string | undefined;
  /** Of a commit: does it amend? */
  readonly amends: Amends;
  /** The stamp of the call. */
  readonly stamp: string;
  readonly child: boolean;
}
