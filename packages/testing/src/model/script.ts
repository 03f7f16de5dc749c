/** A tool call that the scripted model makes. */
export interface ModelCall {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** For tools that take bare text instead of JSON (OpenAI Responses). */
  readonly freeform?: string;
  /** OpenAI Responses: tools grouped under a server's name. */
  readonly namespace?: string;
  /** Fields of the input that come from the conversation: the first group of a pattern in the latest tool result that matches, or else in what the user wrote. */
  readonly found?: Readonly<Record<string, string>>;
}

/** The next answer of the model. */
export interface ModelTurn {
  readonly text?: string;
  /** The number of chunks of a streamed text. */
  readonly chunks?: number;
  readonly calls?: readonly ModelCall[];
  /** The prompt size that the answer reports. A full context window makes an agent compact. */
  readonly promptTokens?: number;
  /** More of what the answer reports, by classes that do not overlap. Each protocol adds them up in its own way. */
  readonly tokens?: Partial<ModelTokens>;
  /** Answer with this HTTP status instead. */
  readonly fail?: { readonly status: number; readonly message: string };
  /** A turn that always follows it, as waiting follows starting. */
  readonly followed?: readonly ModelTurn[];
}

/** One conversation. Serves requests with a user text that matches; the one without `match` serves all others. */
export interface Conversation {
  readonly name: string;
  readonly match?: string;
  readonly turns: readonly ModelTurn[];
}

/** Plain data: it is passed to another process as JSON. */
export type ModelScript = readonly Conversation[];

/** The answer after the last turn of a conversation. */
export const LAST_WORD: ModelTurn = { text: 'All done.' };

/** What an answer cost, in classes that do not overlap. */
export interface ModelTokens {
  readonly input: number;
  readonly output: number;
  readonly reasoning: number;
  readonly cacheRead: number;
  readonly cacheWrite5m: number;
  readonly cacheWrite1h: number;
}

/** The output tokens that every answer reports, so that sums differ from prompt sizes. */
const ANSWER_TOKENS = 5;

export const tokensOf = (turn: ModelTurn): ModelTokens => ({
  input: turn.promptTokens ?? 10,
  output: ANSWER_TOKENS,
  ...{ reasoning: 0, cacheRead: 0, cacheWrite5m: 0, cacheWrite1h: 0 },
  ...turn.tokens,
});

/** As OpenAI and Google count: the prompt includes what the cache had. They tell no writes. */
export const promptTokensOf = (turn: ModelTurn): number => tokensOf(turn).input + tokensOf(turn).cacheRead;

/** A script of one conversation. */
export const talk = (...turns: readonly ModelTurn[]): ModelScript => [{ name: 'main', turns }];

/** All turns in order, each with the turns that follow it. */
export const unfolded = (turns: readonly ModelTurn[]): ModelTurn[] => turns.flatMap((turn) => [turn, ...unfolded(turn.followed ?? [])]);

/** Fills the open fields of a turn from what was said, the latest last. A field that is a list gets a list. */
export function filled(turn: ModelTurn, texts: readonly string[]): ModelTurn {
  if (!turn.calls?.some((call) => call.found)) return turn;
  const find = (pattern: string): string | undefined => texts.flatMap((text) => new RegExp(pattern).exec(text)?.[1] ?? []).at(-1);
  const calls = turn.calls.map(({ found, ...call }) => {
    const fields = Object.entries(found ?? {}).map(([field, pattern]) => {
      const value = find(pattern);
      return [field, Array.isArray(call.input?.[field]) ? [value] : value] as const;
    });
    return { ...call, input: { ...call.input, ...Object.fromEntries(fields) } };
  });
  return { ...turn, calls };
}

export function piecesOf(turn: ModelTurn): string[] {
  const text = turn.text ?? '';
  const size = Math.max(1, Math.ceil(text.length / Math.max(1, turn.chunks ?? 1)));
  const pieces: string[] = [];
  for (let at = 0; at < text.length; at += size) pieces.push(text.slice(at, at + size));
  return pieces;
}
