import { AGENTS } from '@piton/agents';
import { type CanonicalEvent, type Frame, GIT_HOOK_MARK, GIT_HOOKS, LAST_RESORT_OF_USER, registrationName } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import { builtInGuardOf, createRegistry, type EventPlace, type HookDefinition, isPolicy, readLastResorts, readTrust } from '@piton/hooks';
import { hookReading } from '@piton/lifecycle/reading';
import { parseSettings } from '@piton/lifecycle/settings-text';
import { sessionRootsOf } from './session-root.ts';

export interface Policies {
  /** The built-in guard, and the hooks that must hold where this event happens. */
  hooksFor(event: CanonicalEvent): readonly HookDefinition[];
  /** Some root keeps a deny for this registration. */
  readonly couldDeny: boolean;
}

/**
 * The hooks that must hold, read from where they lie, as a server would read them: what was removed denies nothing any more, and what
 * was added since counts. Undefined where something that was there cannot be seen from here, so that nobody can tell what is in force.
 */
export function readPolicies(places: Places, frame: Frame): Policies | undefined {
  const gitHooks = { names: GIT_HOOKS, mark: GIT_HOOK_MARK };
  const registry = createRegistry({
    config: places.config,
    trustDir: places.trust,
    ...hookReading(AGENTS, parseSettings),
    builtInGuard: builtInGuardOf({ places, agents: AGENTS, env: process.env, gitHooks }),
  });
  const { index, problem } = readTrust(places.trust);
  const couldDeny = readLastResorts(places.home).filter(({ kept }) => kept?.denies.get(registrationName(frame.agent, frame.nativeEvent)));
  const ofUser = ({ name }: { name: string }): boolean => name === LAST_RESORT_OF_USER;
  if (!registry.userHooksSeen() && couldDeny.some(ofUser)) return undefined;
  if (problem !== undefined && !couldDeny.every(ofUser)) return undefined;

  return {
    couldDeny: couldDeny.length > 0,
    hooksFor(event) {
      const found = new Map<string, HookDefinition>();
      for (const place of placesFor(event, frame, places, Object.keys(index.roots))) {
        for (const hook of registry.hooksFor(place, event.names))
          if (hook.builtIn !== undefined || isPolicy(hook)) found.set(`${hook.root ?? ''}\0${hook.id}`, hook);
      }
      return [...found.values()];
    },
  };
}

/**
 * Where the agent says it is, and where we were started, each with where the session began. `cd` never removes a guard: where nobody
 * can say where the session began, it might have been in every trusted project.
 */
function placesFor(event: CanonicalEvent, frame: Frame, { home }: Places, trusted: readonly string[]): EventPlace[] {
  const began = sessionRootsOf(home, event);
  const here = [...new Set([event.cwd, frame.cwd])];
  const roots = began === 'unsure' ? trusted : began;
  return here.flatMap((cwd) => [null, ...roots].map((sessionRoot) => ({ cwd, sessionRoot })));
}
