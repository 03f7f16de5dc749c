/** Where a secret stands in a text. */
export interface Span {
  readonly start: number;
  readonly end: number;
  readonly kind: string;
  /** The secret itself, free of escapes and line ends: the same secret is the same text, however it was written. */
  readonly secret: string;
}

/** In order, without overlaps: what two spans share belongs to one that covers both. Nothing of either may stay. */
export function settle(spans: readonly Span[]): Span[] {
  const sorted = [...spans].sort((a, b) => a.start - b.start || b.end - a.end);
  const settled: Span[] = [];
  for (const span of sorted) {
    const last = settled.at(-1);
    if (last === undefined || span.start >= last.end) settled.push(span);
    else if (span.end > last.end) settled[settled.length - 1] = { ...last, end: span.end };
  }
  return settled;
}
