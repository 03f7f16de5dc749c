import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AGENTS } from '@piton/agents';
import { readLoneHook } from '@piton/hooks';
import type { Context } from '../context.ts';
import { casesAt } from '../hook-tests/cases.ts';
import { asEnforced } from '../hook-tests/hook-under-test.ts';
import { describeTested, isFailed, type Tested } from '../hook-tests/test-report.ts';
import { runTest } from '../hook-tests/test-run.ts';
import { READING } from '../hooks/in-force.ts';

export interface CaseResult {
  readonly count: number;
  /** What a person reads of those that failed. */
  readonly failed: readonly string[];
}

/** Runs the test cases that came with a hook, in a repository and a home made for it. Only after the person's yes: this is its code. */
export async function runHookCases(context: Context, folder: string, signal: AbortSignal): Promise<CaseResult> {
  const tests = join(folder, 'tests');
  const read = readLoneHook(folder, READING);
  // A script on one of Piton's own events decides nothing, so it has no cases.
  if (!read.ok || !existsSync(tests)) return { count: 0, failed: [] };
  const results: Tested[] = [];
  const request = {
    hook: asEnforced(read.hook),
    agents: AGENTS,
    cases: casesAt(tests),
    payloads: false,
    every: false,
    here: false,
    signal,
  };
  await runTest(context, request, (one) => results.push(one));
  return { count: results.length, failed: results.filter(isFailed).map((one) => describeTested(context, one)) };
}
