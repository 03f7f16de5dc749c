import type { Agent, Installed, InstallTarget, Registration } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { ConfigPlaces, InstallScope } from './config-place.ts';
import { applyInstall, applyUninstall, type EditPlan, installedIn, planInstall, planUninstall } from './edit.ts';

/** The changes to all files of one agent at one level. */
export interface AgentPlan {
  readonly agent: Agent;
  readonly scope: InstallScope;
  readonly places: ConfigPlaces;
  readonly target: InstallTarget;
  /** One per file. */
  readonly edits: readonly EditPlan[];
  readonly added: readonly Registration[];
  readonly removed: readonly Registration[];
  readonly changes: boolean;
}

function planOf(places: ConfigPlaces, target: InstallTarget, edits: readonly EditPlan[]): AgentPlan {
  const [{ agent, scope }] = places;
  return {
    agent,
    scope,
    places,
    target,
    edits,
    added: edits.flatMap((edit) => edit.added),
    removed: edits.flatMap((edit) => edit.removed),
    changes: edits.some((edit) => edit.changes),
  };
}

export const planAgent = (places: ConfigPlaces, target: InstallTarget): AgentPlan =>
  planOf(
    places,
    target,
    places.map((place) => planInstall(place, target)),
  );

/** Only files that change. `restored`: files by their paths, as they will be when the person's imported hooks are back in them. */
export const planRemoval = (
  home: Places | undefined,
  places: ConfigPlaces,
  target: InstallTarget,
  restored: ReadonlyMap<string, Buffer> = new Map(),
): AgentPlan =>
  planOf(
    places,
    target,
    places.map((place) => planUninstall(home, place, target, restored.get(place.target))).filter((edit) => edit.changes),
  );

export function applyAgent(home: Places, plan: AgentPlan): void {
  for (const edit of plan.edits) applyInstall(home, edit, plan.target);
}

/** In reverse, so that directories made for the first file are empty by then. */
export function removeAgent(home: Places | undefined, plan: AgentPlan): void {
  for (const edit of [...plan.edits].reverse()) applyUninstall(home, edit);
}

/** Our registrations in an agent's files. */
export const installedAt = (places: ConfigPlaces, target: InstallTarget): readonly Installed[] =>
  places.flatMap((place) => installedIn(place, target));
