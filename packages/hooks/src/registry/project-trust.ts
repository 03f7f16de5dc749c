import type { HookStatus } from '../definition.ts';
import type { TrustedHook, TrustedRoot } from '../trust/index-file.ts';
import type { DeclaredHook } from './declared-hook.ts';
import { READY } from './definitions.ts';
import type { ProjectPlace } from './places.ts';
import { linkStatOf } from './watched.ts';

export const trustedHooks = (place: ProjectPlace, trusted: TrustedRoot | undefined, kind: TrustedHook['kind']): [string, TrustedHook][] =>
  trusted === undefined ? [] : Object.entries(trusted.hooks).filter(([, hook]) => hook.kind === kind && hook.scope === place.scope);

export function sourceStatus(path: string | null, same: boolean): HookStatus {
  if (same) return READY;
  const there = path !== null && linkStatOf(path) !== undefined;
  const note = there
    ? 'changed, not yet trusted. The trusted copy runs. To compare: piton trust'
    : 'its source is gone. The trusted copy runs. To stop that: piton untrust';
  return { kind: 'changed', note };
}

export const brokenCopy = (why: string): { kind: 'broken'; note: string } => ({
  kind: 'broken',
  note: `${why}. To make a new one: piton trust`,
});
export const notTrusted = (path: string): HookStatus => ({
  kind: 'not-trusted',
  note: `${path} is not trusted. To review it: piton trust`,
});

/** Without its copy nobody knows what a hook was: if it was a policy, it must not pass for none. */
export const unknownPolicy = ({ name, event }: Pick<TrustedHook, 'name' | 'event'>): DeclaredHook => ({
  ...{ name, event, matcher: '', command: '', timeoutMs: 1, injectOutput: undefined },
  ...{ enabled: true, observe: false, failClosed: true },
});
