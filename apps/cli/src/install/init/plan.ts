import { realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import type { HooksChoice } from '@piton/checkpoints/git-hooks';
import type { Context } from '../../context.ts';
import { Failure } from '../../failure.ts';
import { existingPlaces, futureForwarder, hookPlaces, userHome } from '../../locations.ts';
import { requireRepository } from '../../repository.ts';
import { refuseDowngrade } from '../../runtime/downgrade.ts';
import { planRuntime, type RuntimePlan } from '../../runtime/installation.ts';
import { runtimeParts } from '../../runtime/parts.ts';
import { undecodableHere } from '../../undecodable.ts';
import { type InstalledVersion, installedVersions } from '../../versions/installed-version.ts';
import { type AgentPlan, planAgent } from '../agent-plan.ts';
import type { Step } from '../change.ts';
import { chooseAgents, type LeftOut, noAgentFailure } from '../choice.ts';
import { type CommandLink, linkOf, planLink } from '../command-link.ts';
import { configPlaces, type InstallScope } from '../config-place.ts';
import { installTarget } from '../edit.ts';
import { attempt, type FailedAgent } from '../failed-agent.ts';
import { type IgnoreFile, planIgnore } from '../ignore-file.ts';
import { type Need, nativeNames, needsHere } from '../needed-events.ts';
import { planRepository, type RepositoryPlan } from '../watch-repository.ts';
import { initSteps } from './steps.ts';

export interface InitRequest {
  readonly agents: readonly string[];
  readonly scope: InstallScope;
  readonly link: boolean;
  /** Take checkpoints in the repository around the current directory. */
  readonly git: boolean;
  readonly hooks: HooksChoice;
}

export interface InitPlan {
  readonly scope: InstallScope;
  readonly home: string;
  readonly runtime: RuntimePlan;
  readonly agents: readonly AgentPlan[];
  readonly failed: readonly FailedAgent[];
  /** Native events that are registered only because a hook needs them, by agent. */
  readonly needs: ReadonlyMap<string, readonly Need[]>;
  /** By agent. Absent where its program is not on this machine. */
  readonly versions: ReadonlyMap<string, InstalledVersion>;
  readonly leftOut: readonly LeftOut[];
  readonly ignore: IgnoreFile | undefined;
  /** Where the command can be linked, and the link to create if requested. */
  readonly place: CommandLink;
  readonly link: CommandLink | undefined;
  /** Piton's own directory. */
  readonly pitonHome: { readonly path: string; readonly exists: boolean };
  readonly repository: RepositoryPlan | undefined;
  /** Everything that changes, as it is shown. */
  readonly steps: readonly Step[];
  readonly changes: boolean;
}

/** Reads everything before anything is written. An agent whose file cannot be edited is skipped and reported. */
export async function planInit(context: Context, request: InitRequest): Promise<InitPlan> {
  const { scope } = request;
  const undecodable = undecodableHere(context);
  if (undecodable !== undefined && (request.git || scope === 'project'))
    throw new Failure(undecodable, { where: context.cwd, remedy: 'rename the directory, or run it in another one. Nothing was changed' });
  const home = userHome(context);
  const base = scope === 'project' ? requireRepository(context) : home;
  if (scope === 'project' && base === realpathSync(home)) {
    throw new Failure('this repository is your home directory, so both levels use the same file', {
      where: base,
      remedy: 'drop --project',
    });
  }
  const places = existingPlaces(context);
  const { chosen, failed: refused, leftOut } = chooseAgents(context, request.agents, scope, home, places);
  const needsOf = needsHere(context, hookPlaces(context));
  const needs = new Map(chosen.map((agent) => [agent.id, needsOf(agent, scope)]));
  const versions = await installedVersions(context, chosen);
  const forwarder = futureForwarder(context);
  const runtime = planRuntime(places, runtimeParts(context.distribution), context.version);
  if (chosen.length === 0 && refused.length === 0 && !runtime.changes) throw noAgentFailure(home, leftOut);
  if (places && runtime.changes) await refuseDowngrade(context, places, runtime);
  const failed = [...refused];
  const agents = chosen.flatMap((agent) => {
    const wanted = nativeNames(needs.get(agent.id) ?? []);
    const target = installTarget(forwarder, scope, home, wanted, versions.get(agent.id)?.version ?? null);
    return attempt(agent, failed, () => planAgent(configPlaces(agent, scope, base, context.env), target)) ?? [];
  });
  const ignore = scope === 'project' ? planIgnore(base) : undefined;
  const place = linkOf(home, forwarder);
  const link = request.link ? planLink(place) : undefined;
  const repository = request.git && agents.length > 0 ? await planRepository(context, request.hooks) : undefined;
  const pitonHome = { path: dirname(dirname(dirname(forwarder))), exists: places !== undefined };
  const plan = { scope, home, runtime, agents, failed, needs, versions, leftOut, ignore, place, link, pitonHome, repository };
  const steps = initSteps(plan);
  const isUpdate = chosen.length === 0 && refused.length === 0;
  return { ...plan, steps, changes: (agents.length > 0 || isUpdate) && steps.some(({ changes }) => changes.length > 0) };
}
