/** A tool call that the scripted model makes. */
export interface ModelCall {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** For tools that take bare text instead of JSON (OpenAI Responses). */
  readonly freeform?: string;
  /** OpenAI Responses: tools grouped under a server's name. */
  readonly namespace?: string;
  /** Fields of the input that only the talk so far knows: the first group of a pattern, as it was last found in a tool's result. */
  readonly found?: Readonly<Record<string, string>>;
}

/** What the model says next. */
export interface ModelTurn {
  readonly text?: string;
  /** Into how many pieces a streamed text is cut. */
  readonly chunks?: number;
  readonly calls?: readonly ModelCall[];
  /** The size of the prompt that the answer reports; a full context window makes an agent compact. */
  readonly promptTokens?: number;
  /** Answer with this HTTP status instead. */
  readonly fail?: { readonly status: number; readonly message: string };
  /** What always follows it, as waiting follows starting. */
  readonly followed?: readonly ModelTurn[];
}

/** One line of talk. Requests with a user text that matches are served from it, all others from the one without `match`. */
export interface Conversation {
  readonly name: string;
  readonly match?: string;
  readonly turns: readonly ModelTurn[];
}

/** Plain data: it crosses into another process as JSON. */
export type ModelScript = readonly Conversation[];

/** What is said when a conversation's turns are used up. */
export const LAST_WORD: ModelTurn = { text: 'All done.' };

/** Tokens that every answer reports as written, so that sums can be told from prompts. */
export const ANSWER_TOKENS = 5;
export const promptTokensOf = (turn: ModelTurn): number => turn.promptTokens ?? 10;

/** A script of one conversation. */
export const talk = (...turns: readonly ModelTurn[]): ModelScript => [{ name: 'main', turns }];

/** All turns in their order, each with what follows it. */
export const unfolded = (turns: readonly ModelTurn[]): ModelTurn[] => turns.flatMap((turn) => [turn, ...unfolded(turn.followed ?? [])]);

/** The turn with its open fields filled in from what the tools have said. A field that is a list gets a list. */
export function filled(turn: ModelTurn, toolTexts: readonly string[]): ModelTurn {
  if (!turn.calls?.some((call) => call.found)) return turn;
  const find = (pattern: string): string | undefined => toolTexts.flatMap((text) => new RegExp(pattern).exec(text)?.[1] ?? []).at(-1);
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
