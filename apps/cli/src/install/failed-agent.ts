import type { Agent } from '@piton/contracts';
import type { Context } from '../context.ts';
import { Failure } from '../failure.ts';
import { showFailure } from '../output/show-failure.ts';

/** An agent whose files could not be edited. The others are still set up. */
export interface FailedAgent {
  readonly agent: Agent;
  readonly failure: Failure;
}

/** The result, or undefined if it failed: then the failure is collected. */
export function attempt<T>(agent: Agent, failed: FailedAgent[], work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    failed.push({ agent, failure: error });
    return undefined;
  }
}

/** The same failure, with the agent's name. */
export function agentFailure(agent: Agent, { message, where, remedy }: Failure, fallback: string): Failure {
  return new Failure(`${agent.title}'s ${filesOf(agent)} cannot be edited: ${message}`, {
    ...(where && { where }),
    remedy: remedy ?? fallback,
  });
}

/** What a person knows them as. */
export function filesOf({ installer }: Agent): string {
  if (installer.isEdited !== undefined) return 'plugin file';
  return installer.configFiles('user', {})[0].executable ? 'hook files' : 'settings';
}

/** What helps a person whose file we cannot edit. */
export const editRemedy = ({ installer }: Agent): string =>
  `${installer.isEdited === undefined ? 'fix the file by hand' : 'move the file away and run this again'}, or choose other agents with --agents`;

export const failedJson = ({ agent, failure }: FailedAgent): Record<string, unknown> => ({
  agent: agent.id,
  error: failure.message,
  where: failure.where ?? null,
  remedy: failure.remedy ?? null,
});

export function reportFailed(context: Context, failed: readonly FailedAgent[]): void {
  for (const { failure } of failed) showFailure(context, failure);
  if (failed.length > 0) context.exit.code = 1;
}
