import { AGENTS } from '@piton/agents';
import type { SessionSummary, Store } from '@piton/store';
import type { TranscriptCandidate } from './candidates.ts';

/** Of each agent: who asks looks back no further. */
const MOST_SESSIONS = 5;
const MOST_COMMANDS = 50;

/**
 * Transcripts of recent sessions in which the end of a command is not known yet, where only the transcript has it. They are read when a
 * turn ends; these did not end: the turn goes on, or the agent was killed.
 */
export async function openEndCandidates(store: Store, home: string, env: NodeJS.ProcessEnv): Promise<TranscriptCandidate[]> {
  const candidates: TranscriptCandidate[] = [];
  for (const agent of AGENTS) {
    const { transcript: format, endsInTranscript } = agent;
    if (!endsInTranscript || !format) continue;
    for (const session of await store.sessions({ agent: agent.id, limit: MOST_SESSIONS })) {
      const located = format.locate?.({ sessionId: session.providerRef, cwd: session.projectPath, home, env }) ?? null;
      const path = format.database ? located : (session.transcriptPath ?? located);
      if (path === null || !(await hasOpenEnd(store, session))) continue;
      candidates.push({ session: session.id, ref: session.providerRef, agent, format, path, agentId: null, agentPath: located });
    }
  }
  return candidates;
}

async function hasOpenEnd(store: Store, { id }: SessionSummary): Promise<boolean> {
  const commands = await store.ledger({ session: id, kinds: ['command'], limit: MOST_COMMANDS });
  return commands.some((row) => row.kind === 'command' && row.ok === null);
}
