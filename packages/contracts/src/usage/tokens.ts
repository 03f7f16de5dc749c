/**
 * The tokens of one request, or of several together. Every agent counts in its own way; its folder translates.
 * Two are parts of others, because not every agent tells them apart: `reasoning` of `output`, `cacheWrite1h` of `cacheWrite`.
 */
export interface TokenCounts {
  /** What was read and no cache had. */
  readonly input: number;
  /** All that was written, whether anybody sees it or not. */
  readonly output: number;
  readonly reasoning: number;
  readonly cacheRead: number;
  /** All that was put into a cache: for 5 minutes, but for the next. */
  readonly cacheWrite: number;
  readonly cacheWrite1h: number;
}

export const NO_TOKENS: TokenCounts = { input: 0, output: 0, reasoning: 0, cacheRead: 0, cacheWrite: 0, cacheWrite1h: 0 };

export const TOKEN_CLASSES = Object.keys(NO_TOKENS) as readonly (keyof TokenCounts)[];

export function addTokens(a: TokenCounts, b: TokenCounts): TokenCounts {
  return {
    input: a.input + b.input,
    output: a.output + b.output,
    reasoning: a.reasoning + b.reasoning,
    cacheRead: a.cacheRead + b.cacheRead,
    cacheWrite: a.cacheWrite + b.cacheWrite,
    cacheWrite1h: a.cacheWrite1h + b.cacheWrite1h,
  };
}

/** How many went in and out, each counted once. */
export const allTokens = ({ input, output, cacheRead, cacheWrite }: TokenCounts): number => input + output + cacheRead + cacheWrite;
