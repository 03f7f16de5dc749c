import type { Agent, Loss } from '@piton/contracts';
import type { Context } from '../context.ts';
import { hooksAt } from '../hooks/in-force.ts';
import { isRegistered } from '../install/levels.ts';
import { hookPlaces, userHome } from '../locations.ts';
import type { FoundArtifact } from './artifact.ts';

const TWICE: Loss = { field: 'piton', what: 'it runs twice: Piton is registered with this agent and already runs this hook' };

/** Which hooks Piton already runs in an agent, besides those that are written. */
export function createDuplicateRunLosses(context: Context): (artifact: FoundArtifact, agent: Agent) => readonly Loss[] {
  const home = userHome(context);
  const inForce = hooksAt(hookPlaces(context), context.cwd).filter(({ enabled, status }) => enabled && status.kind === 'ready');
  return (artifact, agent) =>
    inForce.some(({ source, name }) => source.startsWith(`${artifact.folder}/`) || name === artifact.name) &&
    isRegistered(context, agent, home)
      ? [TWICE]
      : [];
}
