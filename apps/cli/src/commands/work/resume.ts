import { spawnSync } from 'node:child_process';
import { findAgent } from '@piton/agents';
import type { Checkpoint, Checkpoints } from '@piton/checkpoints';
import { Command } from 'commander';
import { openHere } from '../../checkpoints/current-repository.ts';
import { worktreeRoot } from '../../checkpoints/worktree-root.ts';
import { shellPath, withCommandName } from '../../command-name.ts';
import { type Context, printAsIs, printJson } from '../../context.ts';
import { withExamples } from '../../examples.ts';
import { Failure } from '../../failure.ts';
import { checkpointsNamed } from '../../ids/checkpoint.ts';
import { requirePlaces } from '../../locations.ts';
import { readStore } from '../../open-store.ts';

interface Options {
  readonly run?: boolean;
  readonly json?: boolean;
}

export function resumeCommand(context: Context): Command {
  const command = new Command('resume')
    .argument('[what]', 'A branch or commit, or the ID of a checkpoint, turn or session (default: the latest session here)')
    .option('--run', 'Run the command instead of printing it')
    .option('--json', 'Print JSON')
    .action((what: string | undefined, options: Options) => resume(context, what, options));
  return withExamples(command, ['resume', 'resume feature/login', 'resume --run']);
}

async function resume(context: Context, what: string | undefined, options: Options): Promise<void> {
  if (options.run && options.json) throw new Failure('--run and --json cannot be combined', { remedy: 'drop one of them', usage: true });
  const checkpoints = await openHere(context);
  const all = (await checkpoints.listAll()).filter(({ session, agent }) => session !== null && agent !== null);
  const isHere = ({ worktree }: Checkpoint): boolean => worktree === checkpoints.repository.worktree;
  const one = what === undefined ? all.findLast(isHere) : await findTarget(context, checkpoints, all, what);
  const agent = one?.agent ? findAgent(one.agent) : undefined;
  if (!one?.session || !agent)
    throw new Failure(what === undefined ? 'no session has a checkpoint here' : `no session found for ${JSON.stringify(what)}`, {
      remedy: withCommandName(context, 'list what there is: piton checkpoints, piton sessions'),
    });
  // The ID comes from a payload or a ref. Neither is trusted.
  if (one.session.startsWith('-')) throw new Failure(`the session ID looks like an option: ${JSON.stringify(one.session)}`);
  const argv = agent.resume(one.session);
  const directory = (isHere(one) ? null : worktreeRoot(checkpoints, one.worktree)) ?? checkpoints.repository.root;
  if (options.json) return printJson(context, { agent: agent.id, session: one.session, argv, directory });
  const there = directory === checkpoints.repository.root ? '' : `cd ${shellPath(context, directory)} && `;
  const line = there + argv.map((word) => shellPath(context, word)).join(' ');
  if (!options.run) return printAsIs(context, line);
  const [command = '', ...args] = argv;
  const { status, error } = spawnSync(command, args, { cwd: directory, stdio: 'inherit' });
  if (error) throw new Failure(`${agent.title} could not be started: ${error.message}`, { remedy: line });
  context.exit.code = status ?? 1;
}

/** Prefers a session that worked on the branch or made the commit over one that only started there. */
async function findTarget(
  context: Context,
  checkpoints: Checkpoints,
  all: readonly Checkpoint[],
  what: string,
): Promise<Checkpoint | undefined> {
  const onBranch = all.findLast(({ branch }) => branch === `refs/heads/${what}`);
  if (onBranch) return onBranch;
  const parsed = await checkpoints.git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${what}^{commit}`], {
    cwd: checkpoints.repository.root,
  });
  if (parsed.code !== 0) {
    const named = checkpointsNamed(all, what);
    return named.length > 0 ? named.at(-1) : sessionNamed(context, all, what);
  }
  const commit = parsed.stdout.toString().trim();
  const link = await checkpoints.resolveLink(commit);
  const linked = all.findLast(({ id }) => link?.ids.includes(id));
  if (linked) return linked;
  // A commit that no git hook saw is attributed by its lines.
  const written = new Set((await checkpoints.attributeCommit(commit))?.written.map(({ id }) => id));
  return all.findLast(({ id }) => written.has(id)) ?? all.findLast(({ base }) => base === commit);
}

/** By Piton's ID of the session, the agent's, or a unique prefix of either. */
async function sessionNamed(context: Context, all: readonly Checkpoint[], ref: string): Promise<Checkpoint | undefined> {
  const found = await readStore(requirePlaces(context), (store) => store.session(ref), { found: 'none' } as const);
  return found.found === 'one' ? all.findLast(({ session }) => session === found.value.providerRef) : undefined;
}
