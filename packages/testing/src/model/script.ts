/** A tool call that the scripted model makes. */
export interface Call {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** For tools that take bare text instead of JSON (OpenAI Responses). */
  readonly freeform?: string;
  /** OpenAI Responses: tools grouped under a server's name. */
  readonly namespace?: string;
}

/** What the model says next. */
export interface Turn {
  readonly text?: string;
  /** Into how many pieces a streamed text is cut. */
  readonly chunks?: number;
  readonly calls?: readonly Call[];
  /** The size of the prompt that the answer reports; a full context window makes an agent compact. */
  readonly promptTokens?: number;
  /** Answer with this HTTP status instead. */
  readonly fail?: { readonly status: number; readonly message: string };
}

/** One line of talk. Requests with a user text that matches are served from it, all others from the one without `match`. */
export interface Conversation {
  readonly name: string;
  readonly match?: string;
  readonly turns: readonly Turn[];
}

/** Plain data: it crosses into another process as JSON. */
export type ModelScript = readonly Conversation[];

/** What is said when a conversation's turns are used up. */
export const LAST_WORD: Turn = { text: 'All done.' };

/** Tokens that every answer reports as written, so that sums can be told from prompts. */
export const ANSWER_TOKENS = 5;
export const promptTokensOf = (turn: Turn): number => turn.promptTokens ?? 10;

/** A script of one conversation. */
export const talk = (...turns: readonly Turn[]): ModelScript => [{ name: 'main', turns }];

export function piecesOf(turn: Turn): string[] {
  const text = turn.text ?? '';
  const size = Math.max(1, Math.ceil(text.length / Math.max(1, turn.chunks ?? 1)));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
