import { findAgent } from '@piton/agents';
import type { Store } from '@piton/store';
import type { TranscriptCandidate } from './candidates.ts';
import { READER } from './reader.ts';

/** Transcripts of which an older Piton has read less than this one would. Those that are gone cost one look each. */
export async function outdatedCandidates(store: Store, home: string, env: NodeJS.ProcessEnv): Promise<TranscriptCandidate[]> {
  const outdated = await store.outdatedTranscripts(READER);
  return outdated.flatMap(({ session, agent: id, providerRef, projectPath, path, agentId, format: name }) => {
    const agent = findAgent(id);
    const format = [agent?.transcript, agent?.transcript?.beside?.format].find((one) => one?.name === name);
    if (agent === undefined || !format) return [];
    const agentPath = agent.transcript?.locate?.({ sessionId: providerRef, cwd: projectPath, home, env }) ?? null;
    return [{ session, ref: providerRef, agent, format, path, agentId, agentPath }];
  });
}
