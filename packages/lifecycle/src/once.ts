/** Asks at the first call, and has the same answer ever after. What throws is asked again. */
export function once<T>(ask: () => T): () => T {
  let known: { readonly answer: T } | undefined;
  return () => {
    known ??= { answer: ask() };
    return known.answer;
  };
}
