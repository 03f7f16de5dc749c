import { realpathSync } from 'node:fs';
import { AGENTS } from '@piton/agents';
import { type KeptInRepository, keptInRepositories, knownRepositories } from '@piton/checkpoints/clean';
import { type GitHooksRemoval, planGitHooksRemoval } from '@piton/checkpoints/git-hooks';
import type { Agent } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Context } from '../../context.ts';
import { copiesOf, planRestores, type Restores } from '../../import/originals.ts';
import { existingPlaces, futureForwarder, userHome } from '../../locations.ts';
import { type McpPlan, planMcpRemovals } from '../../mcp/registration.ts';
import { consentsOf } from '../../readiness/trust-hooks.ts';
import { requireRepository } from '../../repository.ts';
import { findMembership, type MembershipFound } from '../../team/membership.ts';
import { type AgentPlan, planRemoval } from '../agent-plan.ts';
import { type CommandLink, isLinked, linkOf } from '../command-link.ts';
import type { InstallScope } from '../config-place.ts';
import { installTarget } from '../edit.ts';
import { attempt, type FailedAgent } from '../failed-agent.ts';
import { removableIgnore } from '../ignore-file.ts';
import { levelOf } from '../levels.ts';
import type { InstallRecord } from '../records.ts';
import { lookingWithGit, watchedRepositories } from '../watch-repository.ts';

export interface UninstallRequest {
  readonly project: boolean;
  /** Put the person's imported hooks back into the agents' files. */
  readonly restore: boolean;
  /** These agents' files, and nothing else. */
  readonly only?: readonly Agent[] | undefined;
}

/** Everything that `uninstall` changes, and what it finds that stays. */
export interface UninstallPlan {
  readonly scope: InstallScope;
  /** The agents that were named. */
  readonly only?: readonly Agent[] | undefined;
  /** The team that this machine is in. */
  readonly team?: MembershipFound | undefined;
  /** Undefined if Piton's home is gone: its entries in the agents' files are still there. */
  readonly places: Places | undefined;
  readonly agents: readonly AgentPlan[];
  readonly failed: readonly FailedAgent[];
  /** Agents that have our MCP server. Where hooks of ours are in the same file, that file's edit removes it. */
  readonly mcp: readonly McpPlan[];
  readonly originals: Restores;
  /** Artifacts that `import` made of hooks that are put back: with both, each would run twice. */
  readonly copies: ReturnType<typeof copiesOf>;
  /** Files in which the agent's own trust was given. */
  readonly consents: readonly InstallRecord[];
  readonly ignore: string | undefined;
  readonly repositories: readonly WatchedRemoval[];
  readonly link: CommandLink | undefined;
  /** Repositories with checkpoints, wherever Piton has ever worked. */
  readonly kept: readonly KeptInRepository[];
}

export interface WatchedRemoval extends GitHooksRemoval {
  readonly root: string;
  /** Why git cannot say. */
  readonly unreadable?: string;
}

const NO_ORIGINALS: Restores = { files: [], failed: [] };

/** Looks only. */
export async function planRemovals(context: Context, request: UninstallRequest): Promise<UninstallPlan> {
  const scope: InstallScope = request.project ? 'project' : 'user';
  const repository = request.project ? requireRepository(context) : undefined;
  const places = existingPlaces(context);
  const failed: FailedAgent[] = [];
  const { only } = request;
  const isWanted = (id: string): boolean => only === undefined || only.some((agent) => agent.id === id);
  const originals = places && request.restore && scope === 'user' ? planRestores(places, isWanted) : NO_ORIGINALS;
  const restored = new Map(originals.files.map(({ file, after }) => [file, after]));
  const mcp = scope === 'user' ? planMcpRemovals(context, places, failed, restored).filter(({ agent }) => isWanted(agent.id)) : [];
  const agents = planAgents(
    context,
    places,
    scope,
    restored,
    mcp,
    failed,
    AGENTS.filter(({ id }) => isWanted(id)),
  );
  const removed = agents.map(({ agent }) => agent);
  const ofAgents = {
    scope,
    only,
    places,
    agents,
    failed: failed.filter(({ agent }) => isWanted(agent.id)),
    mcp,
    originals,
    consents: places ? consentsOf(places, removed, scope) : [],
  };
  const copies = copiesOf(originals.files.flatMap(({ records }) => records));
  if (only !== undefined) return { ...ofAgents, copies, ignore: undefined, link: undefined, repositories: [], kept: [] };
  const link = linkOf(userHome(context), futureForwarder(context));
  const watched = places ? watchedRepositories(places, repository && realpathSync(repository)) : [];
  const known = places ? (repository ? [realpathSync(repository)] : knownRepositories(places.home)) : [];
  return {
    ...ofAgents,
    copies,
    ...(places && scope === 'user' && { team: findMembership(places) }),
    ignore: repository && removableIgnore(repository),
    link: scope === 'user' && isLinked(link) ? link : undefined,
    ...(await lookingWithGit(context, async (looking) => {
      const repositories: WatchedRemoval[] = [];
      for (const root of watched) repositories.push(await planOne(() => planGitHooksRemoval(looking, root), root));
      return { repositories, kept: await keptInRepositories(looking, known) };
    })),
  };
}

/** One that cannot be read stops no other. */
async function planOne(plan: () => Promise<GitHooksRemoval>, root: string): Promise<WatchedRemoval> {
  try {
    return { root, ...(await plan()) };
  } catch (error) {
    return { root, files: [], config: null, unreadable: (error as Error).message };
  }
}

function planAgents(
  context: Context,
  places: Places | undefined,
  scope: InstallScope,
  restored: ReadonlyMap<string, Buffer>,
  mcp: readonly McpPlan[],
  failed: FailedAgent[],
  wanted: readonly Agent[],
): AgentPlan[] {
  const home = userHome(context);
  const target = installTarget(futureForwarder(context), scope, home);
  const planFor = (agent: Agent): AgentPlan | undefined => {
    const level = levelOf(context, agent, scope, home);
    const plan = level && planRemoval(places, level, target, restored);
    // Our MCP server may be in one of the files. What remains without it is what the registrations are removed from.
    const shared = mcp.filter(({ place }) => plan?.edits.some((edit) => edit.place.target === place.target));
    if (!level || shared.length === 0) return plan;
    const without = shared.flatMap(({ place, text }) => (text === null ? [] : [[place.target, Buffer.from(text)] as const]));
    return planRemoval(places, level, target, new Map([...restored, ...without]));
  };
  return wanted.flatMap((agent) => attempt(agent, failed, () => planFor(agent)) ?? []).filter((plan) => plan.changes);
}
