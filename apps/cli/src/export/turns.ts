import type { Checkpoint } from '@piton/checkpoints';
import type { ExportCheckpoint, ExportTool, ExportTurn } from '@piton/contracts';
import type { EventHeader, SessionDetail, StoredTranscript, TurnRecord } from '@piton/store';
import { sumTokens, type TimedEntry, timed } from './tokens.ts';

/** Everything known about one session. */
export interface SessionFacts {
  readonly session: SessionDetail;
  /** Oldest first. */
  readonly events: readonly EventHeader[];
  readonly transcripts: readonly StoredTranscript[];
  readonly checkpoints: readonly Checkpoint[];
}

export const iso = (us: number): string => new Date(us / 1000).toISOString();

/** Prompts, tools and answers, turn by turn. `full` adds the full input of every tool call. */
export function turnsOf(facts: SessionFacts, full: boolean): ExportTurn[] {
  const { session, events, transcripts, checkpoints } = facts;
  const entries = timed(transcripts, session.startedUs / 1000);
  return session.turnList.map((turn, at) => {
    const next = session.turnList[at + 1];
    const within = (us: number): boolean => (at === 0 || us >= turn.startedUs) && (next === undefined || us < next.startedUs);
    const inTurn = entries.filter(({ ms }) => within(ms * 1000));
    const tools = toolsOf(
      events.filter(({ wallUs }) => within(wallUs)),
      inTurn,
      { root: session.repo ?? session.projectPath, full },
    );
    return {
      number: turn.number,
      prompt: turn.prompt,
      startedAt: iso(turn.startedUs),
      endedAt: turn.endedUs === null ? null : iso(turn.endedUs),
      tools,
      files: changedFiles(tools),
      answer: inTurn.findLast(({ kind, subagent, text }) => kind === 'answer' && !subagent && text !== null)?.text ?? null,
      tokens: sumTokens(inTurn.map(({ tokens }) => tokens)),
      checkpoints: checkpoints.filter((one) => isOf(one, turn, within)).map(checkpointOf),
    };
  });
}

/** By the event that started the turn, or by time if the checkpoint names none. */
const isOf = ({ turn, at }: Checkpoint, { id }: TurnRecord, within: (us: number) => boolean): boolean =>
  turn === null ? within(at.getTime() * 1000) : turn === id;

const checkpointOf = ({ id, kind, name, at, linked }: Checkpoint): ExportCheckpoint => ({
  id,
  kind,
  name,
  at: at.toISOString(),
  commit: linked,
});

const EDITS: ReadonlySet<string> = new Set(['edit']);

export const changedFiles = (tools: readonly ExportTool[]): string[] => [
  ...new Set(tools.filter(({ kind, denied, failed }) => EDITS.has(kind) && denied === null && !failed).flatMap(({ files }) => files)),
];

interface ToolOptions {
  readonly root: string;
  readonly full: boolean;
}

function toolsOf(events: readonly EventHeader[], entries: readonly TimedEntry[], { root, full }: ToolOptions): ExportTool[] {
  const failed = new Set([
    ...events.flatMap(({ event, derived, tool }) => (event === 'post_tool_use_failure' && !derived && tool?.useId ? [tool.useId] : [])),
    ...entries.flatMap(({ kind, failed: bad, useId }) => (kind === 'tool-result' && bad && useId ? [useId] : [])),
  ]);
  const calls = new Map(entries.flatMap((entry) => (entry.kind === 'tool-call' && entry.useId ? [[entry.useId, entry] as const] : [])));
  return events.flatMap((event): ExportTool[] => {
    const { tool } = event;
    if (event.event !== 'pre_tool_use' || event.derived || tool === null) return [];
    const useId = tool.useId ?? '';
    return [
      {
        at: iso(event.wallUs),
        name: tool.name,
        kind: tool.kind,
        command: tool.command,
        files: tool.files.map((file) => below(root, file)),
        subagent: event.agentId !== null || calls.get(useId)?.subagent === true,
        failed: failed.has(useId),
        denied: event.decision === 'deny' ? (event.reason ?? 'no reason given') : null,
        input: full ? (calls.get(useId)?.text ?? null) : null,
      },
    ];
  });
}

const below = (root: string, file: string): string => (file.startsWith(`${root}/`) ? file.slice(root.length + 1) : file);
