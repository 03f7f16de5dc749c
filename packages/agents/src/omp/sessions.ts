/** `<time>_<id>.jsonl` is the file of a session; its subagents write into a folder of that name, and theirs into folders in it. */
const OF_SUBAGENT = /^(.*\/[^/]*_([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}))\/.+\.jsonl$/i;

export interface Owner {
  readonly sessionId: string;
  readonly file: string;
}

/** The person's session that a subagent's works for: its file tells. */
export function ownerOf(sessionFile: string | undefined): Owner | undefined {
  const [, stem, sessionId] = OF_SUBAGENT.exec(sessionFile ?? '') ?? [];
  return stem === undefined || sessionId === undefined ? undefined : { sessionId, file: `${stem}.jsonl` };
}
