import { resolve } from 'node:path';
import { DEFAULT_TIMEOUT_MS, type HookDefinition, PERMISSIONS } from '../definition.ts';
import { eventNameOf } from './canonical-event.ts';
import { hookProblem } from './define-hook.ts';
import type { Env, Event, Hook } from './hook.ts';

/** A hook as the engine takes it. */
export function definitionOf(hook: Hook, event: Event, env: Env): HookDefinition {
  const problem = hookProblem(hook);
  const name = String(hook.name);
  return {
    id: name,
    name,
    scope: 'user',
    event: eventNameOf(problem === undefined ? hook.event : event),
    source: '',
    argv: hook.command === undefined ? [] : ['/bin/sh', '-c', hook.command],
    ...(typeof hook.module === 'string' && { module: resolve(hook.module) }),
    env,
    matcher: typeof hook.matcher === 'string' ? hook.matcher : '',
    ...(hook.when && { when: hook.when }),
    timeoutMs: hook.timeout || DEFAULT_TIMEOUT_MS,
    enabled: hook.enabled !== false,
    observe: hook.observe === true || hook.mode === 'shadow',
    ...(hook.group !== undefined && { group: hook.group }),
    failClosed: hook.failClosed === true,
    injectOutput: hook.injectOutput,
    may: PERMISSIONS,
    root: null,
    status: problem === undefined ? { kind: 'ready' } : { kind: 'broken', note: problem },
  };
}
