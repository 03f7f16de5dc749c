import { isAbsolute, join } from 'node:path';
import type { Agent, ConfigFile, Installed, ReadinessPlace, RunVerdict } from '@piton/contracts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { readConfig } from '../install/config-file.ts';
import type { InstallScope } from '../install/config-place.ts';
import { programOf } from '../install/detect.ts';
import { findHere } from '../programs.ts';
import { repositoryRoot } from '../repository.ts';
import { runProbe } from './probe.ts';

/** Will the agent run what is installed? Only reads; changes nothing. */
export async function judgeRunning(
  context: Context,
  agent: Agent,
  scope: InstallScope,
  home: string,
  installed: readonly Installed[],
): Promise<RunVerdict> {
  const { readiness } = agent;
  if (readiness === null) return { runs: true };
  const place: ReadinessPlace = { scope, home, project: repositoryRoot(context) ?? context.cwd, env: context.env };
  const texts = Object.fromEntries(readiness.files(scope, context.env).map((file) => [file.path, textOf(file, place)]));
  const probe = programOf(agent, context.env) === undefined ? undefined : readiness.probe?.(place);
  const program = probe && findHere(context, probe.argv[0] ?? '');
  const probed =
    probe && program ? await runProbe({ ...probe, argv: [program, ...probe.argv.slice(1)] }, place.project, context.env) : null;
  return readiness.judge({ ...place, texts, probed, installed });
}

/** The path of such a file. */
export function pathIn({ path }: ConfigFile, { scope, home, project }: Pick<ReadinessPlace, 'scope' | 'home' | 'project'>): string {
  if (isAbsolute(path)) return path;
  if (path.startsWith('~/')) return join(home, path.slice(2));
  return join(scope === 'project' || path.startsWith('./') ? project : home, path);
}

/** A file that cannot be read has no text. The agent's folder knows whether that matters. */
function textOf(file: ConfigFile, place: ReadinessPlace): string | null {
  try {
    return readConfig(pathIn(file, place)).text;
  } catch (error) {
    if (error instanceof Failure) return null;
    throw error;
  }
}
