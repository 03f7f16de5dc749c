import { type Agent, parseVersion } from '@piton/contracts';
import { seenVersions } from '@piton/contracts/noted-versions';
import { homeDirectories } from '@piton/contracts/places';
import { packageVersion } from '@piton/contracts/program-version';
import type { Context } from '../context.ts';
import { programNames, programOf } from '../install/detect.ts';
import { findAgentProgram, pathHere } from '../programs.ts';
import { runProbe } from '../readiness/probe.ts';

export interface InstalledVersion {
  readonly program: string;
  /** Null if nothing tells it. */
  readonly version: string | null;
}

/** Starting an agent takes some seconds on a busy machine. */
const LIMIT_MS = 10_000;
/** With what follows it: output arrives in pieces. */
const WHOLE = /\d+\.\d+\.\d+\S*\s/;

/**
 * The version of the agent that is on this machine, or undefined if its program is not. Its package tells it; otherwise the program
 * is asked, unless it lies in a working tree: that may have come with a clone.
 */
export async function installedVersion(context: Pick<Context, 'env' | 'cwd'>, agent: Agent): Promise<InstalledVersion | undefined> {
  const trusted = findAgentProgram(context, programNames(agent));
  const program = trusted ?? programOf(agent, context.env);
  if (program === undefined) return undefined;
  const packaged = agent.versions.updatesItself && trusted ? undefined : packageVersion(program);
  if (packaged !== undefined || trusted === undefined) return { program, version: packaged ?? seenVersion(context, agent) };
  return { program, version: (await askProgram(context, trusted)) ?? packageVersion(program) ?? seenVersion(context, agent) };
}

/** What its events said last. */
function seenVersion({ env }: Pick<Context, 'env'>, { id }: Agent): string | null {
  const found = homeDirectories(env);
  return 'error' in found ? null : (seenVersions(found.home)[id]?.version ?? null);
}

/** Of several agents at once, by id. */
export async function installedVersions(
  context: Pick<Context, 'env' | 'cwd'>,
  agents: readonly Agent[],
): Promise<Map<string, InstalledVersion>> {
  const found = await Promise.all(agents.map(async (agent) => [agent.id, await installedVersion(context, agent)] as const));
  return new Map(found.flatMap(([id, here]) => (here === undefined ? [] : [[id, here] as const])));
}

/** In no working tree, and with what it starts found in none: an interpreter of a project would answer for it. */
async function askProgram(context: Pick<Context, 'env' | 'cwd'>, program: string): Promise<string | null> {
  const env = { ...context.env, PATH: pathHere(context) };
  const output = await runProbe({ argv: [program, '--version'], stdin: '', until: WHOLE }, '/', env, LIMIT_MS);
  return (output !== null && parseVersion(output)) || null;
}
