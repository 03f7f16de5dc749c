import { payloadTexts, type Ran, runHook } from '../hook-run.ts';
import { matches } from '../matcher.ts';
import { canonicalEvent } from './canonical-event.ts';
import type { FireOptions } from './fire.ts';
import type { Env, Event, Hook, HookResult } from './hook.ts';
import { prepare } from './preparation.ts';

/**
 * Runs all matching hooks one after the other, in the order of their definition; how each went. One that fails, is late
 * or denies does not stop the next. To have one decision made of what they say, use `fire`.
 */
export async function run(
  hooks: readonly Hook[],
  event: Event,
  toolName = '',
  env: Env = {},
  options: Omit<FireOptions, 'toolName' | 'env'> = {},
): Promise<HookResult[]> {
  const all = { ...options, toolName, env };
  const happened = canonicalEvent(event, all);
  const { definitions, common } = prepare(hooks, event, happened, all);
  const endsAt = common.now() + common.budgetMs;
  const payload = payloadTexts(common.context);
  const results: HookResult[] = [];
  for (const hook of definitions) {
    if (!hook.enabled || options.signal?.aborted) continue;
    if (hook.status.kind === 'broken') {
      // It did not run, and must not look as if it had nothing to say.
      results.push(notRun(hook.name, { stderr: hook.status.note, exitCode: 126 }));
    } else if (matches(hook, happened)) {
      const left = endsAt - common.now();
      if (left < 1) results.push(notRun(hook.name, { stderr: 'no time was left for it', timedOut: true }));
      else results.push(resultOf(hook.name, (await runHook(hook, happened, left, payload, common)).entry));
    }
  }
  return results;
}

const notRun = (name: string, why: Partial<HookResult>): HookResult => ({
  name,
  stdout: '',
  stderr: '',
  exitCode: -1,
  duration: 0,
  timedOut: false,
  said: { decision: 'observe' },
  ...why,
});

const resultOf = (name: string, entry: Ran['entry']): HookResult => ({
  name,
  stdout: entry.stdout,
  stderr: entry.stderr,
  exitCode: entry.exitCode,
  duration: entry.durationMs,
  timedOut: entry.timedOut !== undefined,
  ...(entry.truncated && { truncated: true }),
  said: entry.said,
});
