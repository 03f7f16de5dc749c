/** What a session has done, as facts. Rows are written with their event, and stay when its bodies are dropped by age. */
export const LEDGER_KINDS = ['file', 'command', 'commit', 'denial', 'todos', 'choice', 'answer', 'failure'] as const;
export type LedgerKind = (typeof LEDGER_KINDS)[number];

/** What a command is for, where its words say it. */
export type Purpose = 'test' | 'build' | 'lint';
/** Why a turn could not be finished. */
export type FailureCause = 'rate-limit' | 'outage' | 'context' | 'billing' | 'login' | 'other';

export interface TodoItem {
  /** Where the agent changes its list item by item. */
  readonly id?: string;
  readonly text: string;
  readonly status: 'open' | 'active' | 'done';
}

/** One fact. All texts are what agents, tools and people wrote: redacted, but never to be trusted. */
export type LedgerEntry =
  /** A tool has written this file. */
  | { readonly kind: 'file'; readonly path: string; readonly tool: string }
  | {
      readonly kind: 'command';
      readonly command: string;
      readonly cwd: string;
      readonly purpose: Purpose | null;
      /** Null as long as the agent has not said how it ended. */
      readonly ok: boolean | null;
      readonly exitCode: number | null;
      /** It was begun, and nobody waited for its end. */
      readonly background?: true;
      /** Of a failure the end of the error, of tests the line with the counts. */
      readonly detail: string | null;
    }
  /** Shortened where only the output of git said it. */
  | { readonly kind: 'commit'; readonly sha: string; readonly subject: string | null }
  | {
      readonly kind: 'denial';
      readonly tool: string | null;
      /** The command, or the files. */
      readonly what: string;
      readonly reason: string | null;
      /** The hooks that denied it; empty if it was the agent or the person. */
      readonly by: readonly string[];
    }
  /** The whole list, each time that it changes; `partial`: only the items that changed. */
  | { readonly kind: 'todos'; readonly items: readonly TodoItem[]; readonly partial?: true }
  /** A question that the person has answered, or a plan that was accepted. */
  | { readonly kind: 'choice'; readonly question: string; readonly answer: string }
  /** The end of what the agent said when it stopped. */
  | { readonly kind: 'answer'; readonly text: string }
  | { readonly kind: 'failure'; readonly cause: FailureCause; readonly text: string | null; readonly resetsAt: string | null };

export type LedgerRow = LedgerEntry & {
  readonly seq: number;
  /** The session's id in the store. */
  readonly session: string;
  readonly agent: string;
  /** The event that it follows from; of a linked commit, Piton's own event. */
  readonly eventId: string;
  readonly wallUs: number;
};

export interface LedgerQuery {
  /** The session's id in the store. */
  readonly session?: string;
  /** A repository or directory: of sessions at or below it. */
  readonly path?: string;
  readonly kinds?: readonly LedgerKind[];
  /** µs since 1970. */
  readonly since?: number;
  readonly limit?: number;
}
