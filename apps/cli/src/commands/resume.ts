import { spawnSync } from 'node:child_process';
import { findAgent } from '@piton/agents';
import type { Checkpoint } from '@piton/checkpoints';
import { Command } from 'commander';
import { checkpointsHere, placeHere } from '../checkpoints/here.ts';
import { type Context, printJson, say } from '../context.ts';
import { withExamples } from '../examples.ts';
import { Failure } from '../failure.ts';

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
  const place = await placeHere(context);
  const all = (await checkpointsHere(place)).filter(({ session, agent }) => session !== null && agent !== null);
  const parsed =
    what === undefined ? null : await place.git(['rev-parse', '--quiet', '--verify', `${what}^{commit}`], { cwd: place.repository.root });
  const commit = parsed?.code === 0 ? parsed.stdout.toString().trim() : null;
  const fits = ({ id, branch, linked, base }: Checkpoint): boolean =>
    what === undefined ||
    branch === `refs/heads/${what}` ||
    id.endsWith(what.toUpperCase()) ||
    (commit !== null && (linked === commit || base === commit));
  const one = all.findLast(fits);
  const agent = one?.agent ? findAgent(one.agent) : undefined;
  if (!one?.session || !agent)
    throw new Failure(what === undefined ? 'no session has left a checkpoint here' : `no session is known for ${JSON.stringify(what)}`, {
      remedy: '`piton checkpoints` and `piton sessions` show what is there',
    });
  const argv = agent.resume(one.session);
  if (options.json) return printJson(context, { agent: agent.id, session: one.session, argv });
  if (!options.run) return say(context, argv.join(' '));
  const [command = '', ...args] = argv;
  const { status, error } = spawnSync(command, args, { cwd: place.repository.root, stdio: 'inherit' });
  if (error) throw new Failure(`${agent.title} could not be started: ${error.message}`, { remedy: argv.join(' ') });
  context.exit.code = status ?? 1;
}
