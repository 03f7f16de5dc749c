import { AsyncLocalStorage } from 'node:async_hooks';
import type { Hook } from './hook.ts';

const current = new AsyncLocalStorage<readonly Hook[]>();

/** Calls `fn`; there, and in everything that it starts, `hooksFromContext()` gives these hooks. */
export const withHooks = <T>(hooks: readonly Hook[], fn: () => T): T => current.run(hooks, fn);

/** The hooks of the nearest `withHooks` around the caller; `undefined` outside. */
export const hooksFromContext = (): readonly Hook[] | undefined => current.getStore();
