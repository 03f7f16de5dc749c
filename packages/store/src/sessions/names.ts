import type { EventRecord } from '../records.ts';

/** Descriptive fields of a session. Source and repository keep their first value, the others take the newest, never back to null. */
export interface SessionNames {
  readonly repo: string | null;
  readonly branch: string | null;
  readonly model: string | null;
  readonly source: string | null;
  readonly transcriptPath: string | null;
  readonly bootId: string;
  readonly pid: number;
  readonly ppid: number;
}

export function mergeNames(names: SessionNames | null, record: EventRecord): SessionNames {
  const { repo, branch, model, transcriptPath, bootId, pid, ppid } = record;
  const source = record.envelope.event === 'session_start' ? record.source : null;
  if (names === null) return { repo, branch, model, source, transcriptPath, bootId, pid, ppid };
  return {
    repo: names.repo ?? repo,
    branch: branch ?? names.branch,
    model: model ?? names.model,
    source: names.source ?? source,
    transcriptPath: transcriptPath ?? names.transcriptPath,
    bootId,
    pid,
    ppid,
  };
}
