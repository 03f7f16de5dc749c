import type { HookDefinition, HookEvent } from '../definition.ts';
import { findProgram } from '../run/find-program.ts';

/** Somebody may be installing what is missing just now; and nothing is looked for on every event. */
const HELD_MS = 2000;

/** A hook whose programs are not on PATH does not run, and says which. */
export function createRequirements(
  path = process.env.PATH,
): <Name extends HookEvent>(hooks: readonly HookDefinition<Name>[]) => readonly HookDefinition<Name>[] {
  const held = new Map<string, { at: number; there: boolean }>();
  const broken = new WeakMap<object, object>();
  const isThere = (name: string): boolean => {
    const known = held.get(name);
    if (known !== undefined && Date.now() - known.at < HELD_MS) return known.there;
    const there = findProgram(name, path) !== undefined;
    held.set(name, { at: Date.now(), there });
    return there;
  };
  const judged = <Name extends HookEvent>(hook: HookDefinition<Name>): HookDefinition<Name> => {
    // It does not run, whatever is there; and a repository may name any number.
    if (hook.status.kind === 'not-trusted') return hook;
    const missing = hook.requires?.filter((name) => !isThere(name)) ?? [];
    if (missing.length === 0) return hook;
    const note = `not on PATH: ${missing.join(', ')}`;
    const known = broken.get(hook) as HookDefinition<Name> | undefined;
    if (known?.status.kind === 'broken' && known.status.note === note) return known;
    const made: HookDefinition<Name> = { ...hook, status: { kind: 'broken', note } };
    broken.set(hook, made);
    return made;
  };
  return (hooks) => (hooks.some(({ requires }) => requires !== undefined) ? hooks.map(judged) : hooks);
}
