import { amendsOf, type TurnTracker } from '@piton/checkpoints';
import { type Frame, SILENCE } from '@piton/contracts';
import type { LifecyclePorts } from '@piton/lifecycle';
import type { EventPublisher } from '../subscriptions/event-publisher.ts';
import type { Delivery } from '../subscriptions/subscriptions.ts';
import type { Link } from './connection.ts';

export interface GitHookPorts {
  readonly lifecycle: LifecyclePorts;
  readonly checkpoints: TurnTracker<Delivery>;
  readonly publisher: EventPublisher;
}

/** A git hook is not an event of an agent: it is neither journalled nor recorded, and never delays git for long. */
export async function handleGitHook({ checkpoints, lifecycle, publisher }: GitHookPorts, frame: Frame, link: Link): Promise<void> {
  const { stamp, cwd, payload, variables } = frame;
  const [hook = '', ...args] = frame.args;
  link.ack(true, true);
  let stdout = '';
  try {
    const call = { hook, args, input: payload.toString('utf8'), indexFile: variables.GIT_INDEX_FILE, amends: amendsOf(variables), stamp };
    const { handled, delivered } = checkpoints.gitHook(cwd, { ...call, child: lifecycle.runs.nestingOf(frame).parent !== null });
    await handled;
    if (hook === 'post-commit') stdout = await publisher.afterCommit(cwd, delivered);
  } catch (error) {
    lifecycle.reportProblem(
      `git's ${hook} could not be handled: ${(error as Error).message}`,
      'git was not affected. Run `piton checkpoints repair` to link the commit',
    );
  } finally {
    link.done({ ...SILENCE, stdout }, false);
  }
}
