import { type Frame, SILENCE } from '@piton/contracts';
import type { Checkpointer } from './checkpoints/checkpointer.ts';
import type { Link } from './connection.ts';
import type { Pipeline } from './pipeline.ts';
import type { Telling } from './subscriptions/telling.ts';

export interface GitCallPorts {
  readonly pipeline: Pipeline;
  readonly checkpoints: Checkpointer;
  readonly telling: Telling;
}

/** A hook of git's own is no event of an agent: it is neither journalled nor recorded, and never holds git up for long. */
export async function heedGit({ checkpoints, pipeline, telling }: GitCallPorts, frame: Frame, link: Link): Promise<void> {
  const { stamp, cwd, payload, run, variables } = frame;
  const [hook = '', ...args] = frame.args;
  link.ack(true, true);
  let stdout = '';
  try {
    const call = { hook, args, input: payload.toString('utf8'), indexFile: variables.GIT_INDEX_FILE, stamp };
    const { heeded, told } = checkpoints.git(cwd, { ...call, child: pipeline.runs.isOpen(run) });
    await heeded;
    if (hook === 'post-commit') stdout = await telling.afterCommit(cwd, told);
  } catch (error) {
    pipeline.trouble(
      `git's ${hook} could not be heeded: ${(error as Error).message}`,
      'git went on; piton checkpoints repair finds the link',
    );
  } finally {
    link.done({ ...SILENCE, stdout }, false);
  }
}
