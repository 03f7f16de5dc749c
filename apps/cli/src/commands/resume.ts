import { spawnSync } from 'node:child_process';
import { findAgent } from '@piton/agents';
import { attributeCommit, type Checkpoint, type Place, resolveLink } from '@piton/checkpoints';
import { Command } from 'commander';
import { checkpointsAnywhere, placeHere } from '../checkpoints/here.ts';
import { worktreeRoot } from '../checkpoints/worktree-root.ts';
import { spelled, typed } from '../command-name.ts';
import { type Context, printJson, say } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';

/** What the list shows of an id; less could be a misspelt name that fits by chance. */
const SHORTEST_ID = 8;

interface Options {
  readonly run?: boolean;
  readonly json?: boolean;
}

export function resumeCommand(context: Context): Command {
  const command = new Command('resume')
    .description("the agent's own command that takes up the session of a branch, commit or checkpoint again")
    .argument('[what]', 'a branch, a commit or the end of a checkpoint id; without one, the latest session here')
    .option('--run', 'run it')
    .option('--json', 'as JSON')
    .action((what: string | undefined, options: Options) => resume(context, what, options));
  return withExamples(command, ['resume', 'resume feature/login', 'resume --run']);
}

async function resume(context: Context, what: string | undefined, options: Options): Promise<void> {
  if (options.run && options.json)
    throw new Failure('--run and --json exclude each other', { remedy: 'take the command out of the JSON and run it', usage: true });
  const place = await placeHere(context);
  const all = (await checkpointsAnywhere(place)).filter(({ session, agent }) => session !== null && agent !== null);
  const isHere = ({ worktree }: Checkpoint): boolean => worktree === place.repository.worktree;
  const one = what === undefined ? all.findLast(isHere) : await meant(place, all, what);
  const agent = one?.agent ? findAgent(one.agent) : undefined;
  if (!one?.session || !agent)
    throw new Failure(what === undefined ? 'no session has left a checkpoint here' : `no session is known for ${JSON.stringify(what)}`, {
      remedy: spelled(context, '`piton checkpoints` and `piton sessions` show what is there'),
    });
  // An id comes out of a payload or a ref, and both are foreign.
  if (one.session.startsWith('-')) throw new Failure(`the id of that session looks like an option: ${JSON.stringify(one.session)}`);
  const argv = agent.resume(one.session);
  const directory = (isHere(one) ? null : await worktreeRoot(place, one.worktree)) ?? place.repository.root;
  if (options.json) return printJson(context, { agent: agent.id, session: one.session, argv, directory });
  const there = directory === place.repository.root ? '' : `cd ${typed(context, directory)} && `;
  const line = there + argv.map((word) => typed(context, word)).join(' ');
  if (!options.run) return say(context, line);
  const [command = '', ...args] = argv;
  const { status, error } = spawnSync(command, args, { cwd: directory, stdio: 'inherit' });
  if (error) throw new Failure(`${agent.title} could not be started: ${error.message}`, { remedy: line });
  context.exit.code = status ?? 1;
}

/** The session that worked on a branch or made a commit comes before one that began there. */
async function meant(place: Place, all: readonly Checkpoint[], what: string): Promise<Checkpoint | undefined> {
  const onBranch = all.findLast(({ branch }) => branch === `refs/heads/${what}`);
  if (onBranch) return onBranch;
  const parsed = await place.git(['rev-parse', '--quiet', '--verify', '--end-of-options', `${what}^{commit}`], {
    cwd: place.repository.root,
  });
  if (parsed.code !== 0) return all.filter(({ id }) => what.length >= SHORTEST_ID && id.endsWith(what.toUpperCase())).at(-1);
  const commit = parsed.stdout.toString().trim();
  const link = await resolveLink(place, commit);
  const linked = all.findLast(({ id }) => link?.ids.includes(id));
  if (linked) return linked;
  // A commit that no git hook heard of is known by its lines.
  const written = new Set((await attributeCommit(place, commit))?.written.map(({ id }) => id));
  return all.findLast(({ id }) => written.has(id)) ?? all.findLast(({ base }) => base === commit);
}
