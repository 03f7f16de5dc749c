import type { EventHeader, Store } from '@piton/store';

/** How a tool call ended that a hook would have stopped. */
export type CallResult = 'ran without harm' | 'failed' | 'did not run' | 'not known';

const MAX_EVENTS = 1_000_000;

/** Looks up how calls ended, one session at a time. A call that succeeded, and never failed, did no visible harm. */
export function openCallResults(store: Store): (event: Pick<EventHeader, 'session' | 'tool' | 'event'>) => Promise<CallResult> {
  const bySession = new Map<string, Promise<ReadonlyMap<string, CallResult>>>();
  const resultsOf = async (session: string): Promise<ReadonlyMap<string, CallResult>> => {
    const results = new Map<string, CallResult>();
    for (const { tool } of await store.events({ session, event: 'post_tool_use', limit: MAX_EVENTS }))
      if (tool?.useId) results.set(tool.useId, 'ran without harm');
    for (const { tool, derived } of await store.events({ session, event: 'post_tool_use_failure', limit: MAX_EVENTS }))
      if (tool?.useId) results.set(tool.useId, derived ? 'did not run' : 'failed');
    return results;
  };
  return async ({ session, tool, event }) => {
    if (session === null || !tool?.useId || event !== 'pre_tool_use') return 'not known';
    if (!bySession.has(session)) bySession.set(session, resultsOf(session));
    return (await bySession.get(session))?.get(tool.useId) ?? 'not known';
  };
}
