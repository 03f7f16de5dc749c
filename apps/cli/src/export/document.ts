import { findAgent } from '@piton/agents';
import {
  EXPORT_VERSION,
  type ExportCommit,
  type ExportDocument,
  type ExportLines,
  type ExportSession,
  type ExportTarget,
  type ExportTotals,
} from '@piton/contracts';
import type { OwnPrices } from '@piton/prices';
import { sessionCost, sumCosts } from './cost.ts';
import { requestsOf, sumTokens, usageOf } from './tokens.ts';
import { iso, type SessionFacts, turnsOf } from './turns.ts';

export interface DocumentFacts {
  readonly piton: string;
  readonly now: Date;
  readonly target: ExportTarget;
  readonly commits: readonly ExportCommit[];
  readonly sessions: readonly SessionFacts[];
  readonly full: boolean;
  readonly prices: OwnPrices;
}

/** Everything the report contains, as one value. The three formats differ only in how they render it. */
export function documentOf(facts: DocumentFacts): ExportDocument {
  const sessions = [...facts.sessions].sort((a, b) => a.session.startedUs - b.session.startedUs).map((each) => sessionOf(each, facts));
  return {
    schemaVersion: EXPORT_VERSION,
    piton: facts.piton,
    createdAt: facts.now.toISOString(),
    target: facts.target,
    totals: totalsOf(sessions, facts.commits),
    commits: facts.commits,
    sessions,
  };
}

function sessionOf(facts: SessionFacts, { full, prices }: DocumentFacts): ExportSession {
  const { session, transcripts } = facts;
  const agent = findAgent(session.agent);
  const turns = turnsOf(facts, full);
  return {
    id: session.id,
    agent: session.agent,
    title: agent?.title ?? session.agent,
    providerRef: session.providerRef,
    model: session.model ?? transcripts.flatMap(({ list }) => list).find(({ model }) => model !== null)?.model ?? null,
    startedAt: iso(session.startedUs),
    endedAt: session.endedUs === null ? null : iso(session.endedUs),
    usage: usageOf(transcripts),
    cost: sessionCost(session.agent, requestsOf(transcripts), prices),
    files: [...new Set(turns.flatMap(({ files }) => files))],
    turns,
    notes: notesOf(facts, agent?.transcript?.print?.(session.providerRef)),
  };
}

function notesOf({ transcripts }: SessionFacts, print: readonly string[] | undefined): string[] {
  const transcriptNotes = [...new Set(transcripts.flatMap(({ notes }) => notes))];
  const old = transcripts.some(({ expired }) => expired) ? ['the transcript text has expired'] : [];
  if (transcripts.length > 0) return [...transcriptNotes, ...old];
  return [print ? `the transcript is not a file. To print it: \`${print.join(' ')}\`` : 'no transcript: answers and tokens are unknown'];
}

function totalsOf(sessions: readonly ExportSession[], commits: readonly ExportCommit[]): ExportTotals {
  const turns = sessions.flatMap((session) => session.turns);
  const tools = turns.flatMap((turn) => turn.tools);
  return {
    sessions: sessions.length,
    turns: turns.length,
    tools: tools.length,
    denials: tools.filter(({ denied }) => denied !== null).length,
    files: new Set(turns.flatMap(({ files }) => files)).size,
    lines: commits.length === 0 ? null : commits.map(({ lines }) => lines).reduce(addLines),
    tokens: sumTokens(sessions.flatMap(({ usage }) => usage.map(({ tokens }) => tokens))),
    cost: sumCosts(sessions.map(({ cost }) => cost)),
  };
}

const addLines = (a: ExportLines, b: ExportLines): ExportLines => ({
  agent: a.agent + b.agent,
  human: a.human + b.human,
  shared: a.shared + b.shared,
  removed: a.removed + b.removed,
});
