import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { removeEverything } from '@piton/checkpoints/clean';
import type { Places } from '@piton/contracts/places';
import { type Context, printLine } from '../../context.ts';
import { Failure } from '../../failure.ts';
import { removeEmpty, removeTree, removeTreeBut } from '../../files/remove-tree.ts';
import { copiesOf, dropBackups, keptBackups } from '../../import/originals.ts';
import { removeEmptyFolders } from '../../library/target.ts';
import { directoriesAround } from '../../locations.ts';
import { applyMcpRemoval, dropMcpRecord } from '../../mcp/registration.ts';
import { oneLine } from '../../output/text.ts';
import { withdrawTrust } from '../../readiness/trust-hooks.ts';
import { type Stopped, stopServer } from '../../server/server-process.ts';
import { leave } from '../../team/leave.ts';
import { type AgentPlan, removeAgent } from '../agent-plan.ts';
import { removeLink } from '../command-link.ts';
import { writeConfig } from '../config-file.ts';
import { attempt, type FailedAgent } from '../failed-agent.ts';
import { removeIgnore } from '../ignore-file.ts';
import { allRecords } from '../records.ts';
import { hooksContext, unwatchRepositories } from '../watch-repository.ts';
import type { UninstallPlan } from './plan.ts';
import { aloneMcp } from './steps.ts';

/** What was done, and what was not. */
export interface Done {
  readonly agents: readonly AgentPlan[];
  readonly failed: readonly FailedAgent[];
  readonly failedFiles: ReadonlySet<string>;
  readonly problems: readonly string[];
  readonly trust: readonly { readonly file: string; readonly exact: boolean }[];
  readonly gitHooks: readonly string[];
  readonly server: Stopped;
  /** Files of projects in which registrations stay. */
  readonly registered: readonly string[];
}

export async function applyRemovals(context: Context, plan: UninstallPlan): Promise<Done> {
  const { places, originals, scope } = plan;
  const failed = [...plan.failed];
  const remove = (each: AgentPlan): AgentPlan => {
    removeAgent(places, each);
    return each;
  };
  const alone = aloneMcp(plan);
  const withMcp = alone.filter((each) => attempt(each.agent, failed, () => applyMcpRemoval(places, each)) === 'removed');
  const agents = plan.agents.flatMap((each) => attempt(each.agent, failed, () => remove(each)) ?? []);
  const failedFiles = new Set([
    ...plan.agents.filter((each) => !agents.includes(each)).flatMap(({ edits }) => edits.map(({ place }) => place.target)),
    ...alone.filter((each) => !withMcp.includes(each)).map(({ place }) => place.target),
  ]);
  if (places) for (const { place } of plan.mcp) if (!failedFiles.has(place.target)) dropMcpRecord(places, place);
  const problems = [
    ...originals.failed.map(({ file, why, kept }) => `${file}: ${why}. The hooks are in ${kept}`),
    ...restoreOthers(plan, failedFiles),
  ];
  const trust = places
    ? withdrawTrust(
        places,
        agents.map(({ agent }) => agent),
        scope,
        failed,
      )
    : [];
  if (plan.ignore !== undefined) removeIgnore(plan.ignore);
  const roots = plan.repositories.map(({ root }) => root);
  const gitHooks = places ? await unwatchRepositories(context, places, roots) : [];
  if (plan.link) removeLink(places?.home, plan.link);
  const server = places && scope === 'user' && plan.only === undefined ? await stopServer(places) : 'none';
  return {
    agents,
    failed,
    failedFiles,
    problems,
    trust,
    gitHooks,
    server,
    registered: places ? allRecords(places).map(({ file }) => file) : [],
  };
}

/** Puts the person's hooks back where no registration of ours was removed. A backup goes once its hooks are back. */
function restoreOthers({ originals, agents, mcp, places }: UninstallPlan, failedFiles: ReadonlySet<string>): string[] {
  const edited = new Set([...agents.flatMap(({ edits }) => edits), ...mcp].map(({ place }) => place.target));
  return originals.files.flatMap(({ file, before, after, records }): string[] => {
    if (failedFiles.has(file)) return [];
    try {
      if (!edited.has(file)) writeConfig(file, after, before, { file: 0o600, directory: 0o700 });
      dropBackups(records);
      for (const folder of copiesOf(records).unchanged) removeCopy(folder, places);
      return [];
    } catch (error) {
      if (!(error instanceof Failure)) throw error;
      return [`${file}: ${error.message}. The hooks are in ${records.map(({ kept }) => kept).join(', ')}`];
    }
  });
}

function removeCopy(folder: string, places: Places | undefined): void {
  removeTree(folder);
  if (places !== undefined) removeEmptyFolders(folder, join(places.config, 'artifacts'));
}

/** The home holds the original files. If one could not be restored, it is still needed. */
export async function applyPurge(context: Context, plan: UninstallPlan, { failed }: Done): Promise<'deleted' | 'kept'> {
  const { places } = plan;
  if (places === undefined || failed.length > 0) return 'kept';
  if (plan.team !== undefined) {
    const untold = await leave(places, plan.team);
    if (untold !== undefined)
      printLine(
        context,
        `${context.paint('yellow', '!')} the team's server could not be told (${oneLine(untold)}). It still lists this machine, whose key is gone.`,
      );
  }
  for (const { root } of plan.kept) await removeRefs(context, places, root);
  const around = directoriesAround(places.home);
  if (keptBackups(places.home).length > 0) removeTreeBut(places.home, 'imported');
  else {
    removeTree(places.home);
    removeEmpty(around);
  }
  removeTree(places.sockets);
  return existsSync(places.runtime) ? 'kept' : 'deleted';
}

async function removeRefs(context: Context, places: Places, root: string): Promise<void> {
  try {
    const problem = await removeEverything(hooksContext(context, places), root);
    if (problem !== undefined)
      printLine(context, `${context.paint('yellow', '!')} ${root}: the refs are deleted, but their space is not free yet: ${problem}`);
  } catch (error) {
    context.exit.code = 1;
    context.err(`${root}: the checkpoints could not be deleted: ${(error as Error).message}\n`);
  }
}
