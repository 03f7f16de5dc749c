import { AGENTS } from '@piton/agents';
import { GIT_HOOK_MARK, GIT_HOOKS } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { type BuiltInGuard, builtInGuardOf, createRegistry, type HookDefinition, type Listing, type Registry } from '@piton/hooks';
import { hookReading } from '@piton/lifecycle/reading';
import { type ParseError, parse } from 'jsonc-parser';
import type { Context } from '../context.ts';
import { parseProblem } from '../settings/parse-problem.ts';

export const READING = hookReading(AGENTS, parseSettings);

/** Where hooks and their trust are looked up. */
export type HookPlaces = Pick<Places, 'config' | 'trust'>;

/** The hooks and subscriptions active in this directory, as the server sees them. */
export function hooksHere(context: Context, places: Places): Listing {
  return listAt(
    places,
    context.cwd,
    builtInGuardOf({ places, agents: AGENTS, env: context.env, gitHooks: { names: GIT_HOOKS, mark: GIT_HOOK_MARK } }),
  );
}

export const hooksAt = (places: HookPlaces, cwd: string): readonly HookDefinition[] => listAt(places, cwd).hooks;

export function listAt(places: HookPlaces, cwd: string, builtInGuard?: BuiltInGuard): ReturnType<Registry['list']> {
  const registry = createRegistry({ config: places.config, trustDir: places.trust, ...READING, ...(builtInGuard && { builtInGuard }) });
  return registry.list({ cwd, sessionRoot: null });
}

function parseSettings(text: string): { value: unknown; errors: readonly string[] } {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return {
    value,
    errors: errors.slice(0, 1).map((error) => parseProblem(text, error)),
  };
}
