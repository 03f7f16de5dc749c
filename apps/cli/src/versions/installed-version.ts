import { type Agent, parseVersion } from '@piton/contracts';
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
  const packaged = packageVersion(program);
  if (packaged !== undefined || trusted === undefined) return { program, version: packaged ?? null };
  return { program, version: await askProgram(context, trusted) };
}

/** In no working tree, and with what it starts found in none: an interpreter of a project would answer for it. */
async function askProgram(context: Pick<Context, 'env' | 'cwd'>, program: string): Promise<string | null> {
  const env = { ...context.env, PATH: pathHere(context) };
  const output = await runProbe({ argv: [program, '--version'], stdin: '', until: WHOLE }, '/', env, LIMIT_MS);
  return (output !== null && parseVersion(output)) || null;
}
