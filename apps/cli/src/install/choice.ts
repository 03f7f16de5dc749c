import { AGENTS } from '@piton/agents';
import type { Agent } from '@piton/contracts';
import type { Places } from '@piton/contracts/places';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { futureForwarder } from '../locations.ts';
import { parseAgentsOption } from '../options/names.ts';
import { installedAt } from './agent-plan.ts';
import type { InstallScope } from './config-place.ts';
import { detectAgents } from './detect.ts';
import { installTarget } from './edit.ts';
import { attempt, type FailedAgent } from './failed-agent.ts';
import { levelOf, noProjectFailure, otherLevelFailure } from './levels.ts';
import { allRecords } from './records.ts';

/** An agent on this machine that `init` skips unless it is named. */
export interface LeftOut {
  readonly agent: Agent;
  readonly why: string;
  readonly remedy: string;
  /** May a person pick it all the same? */
  readonly selectable: boolean;
}
export interface AgentChoice {
  readonly chosen: readonly Agent[];
  readonly failed: readonly FailedAgent[];
  readonly leftOut: readonly LeftOut[];
}

/**
 * The named agents, or those found here. A named agent that cannot be set up has failed; one that was only found is skipped. None,
 * where some are registered in other places: what these run can still be updated.
 */
export function chooseAgents(
  context: Context,
  names: readonly string[],
  scope: InstallScope,
  home: string,
  places: Places | undefined,
): AgentChoice {
  const failed: FailedAgent[] = [];
  const without = (agents: readonly Agent[], others: readonly { agent: Agent }[]): Agent[] =>
    agents.filter((agent) => !others.some((other) => other.agent === agent));
  if (names.length > 0) {
    const named = parseAgentsOption(names);
    for (const agent of named)
      attempt(agent, failed, () => {
        const refused = noProjectFailure(agent, scope) ?? otherLevelFailure(context, agent, scope, home, places);
        if (refused) throw refused;
      });
    return { chosen: without(named, failed), failed, leftOut: [] };
  }
  const found = detectAgents(home, context.env);
  const leftOut = found.flatMap((agent) => attempt(agent, failed, () => reasonToLeaveOut(context, agent, scope, home, places)) ?? []);
  const chosen = without(found, [...leftOut, ...failed]);
  const hasRegistered = places !== undefined && allRecords(places).length > 0;
  if (chosen.length === 0 && failed.length === 0 && !hasRegistered) throw noAgentFailure(home, leftOut);
  return { chosen, failed, leftOut };
}

function reasonToLeaveOut(
  context: Context,
  agent: Agent,
  scope: InstallScope,
  home: string,
  places: Places | undefined,
): LeftOut | undefined {
  const userOnly = noProjectFailure(agent, scope);
  if (userOnly) return { agent, why: userOnly.message, remedy: userOnly.remedy ?? '', selectable: false };
  const second = otherLevelFailure(context, agent, scope, home, places);
  if (second) return { agent, why: `${second.message} (${second.where})`, remedy: second.remedy ?? '', selectable: false };
  if (agent.provenVersion !== null || isInstalled(context, agent, scope, home)) return undefined;
  return {
    agent,
    why: `${agent.title} is skipped: not yet proven in a real run`,
    remedy: `to try it: piton init --agents ${agent.id}`,
    selectable: true,
  };
}

/** An existing registration is kept up to date. */
export function isInstalled(context: Context, agent: Agent, scope: InstallScope, home: string): boolean {
  const files = levelOf(context, agent, scope, home);
  return files !== undefined && installedAt(files, installTarget(futureForwarder(context), scope, home)).length > 0;
}

export function noAgentFailure(home: string, leftOut: readonly LeftOut[]): Failure {
  const [first] = leftOut;
  if (first) return new Failure(leftOut.map(({ why }) => why).join('; '), { remedy: first.remedy });
  return new Failure('no agent found', {
    where: `looked on PATH and in ${home} for ${AGENTS.map(({ title }) => title).join(', ')}`,
    remedy: `name one: piton init --agent ${AGENTS[0]?.id ?? '<name>'}. Or try: piton demo`,
  });
}
