/**
 * Runs in the page: notes each row of the feed that is drawn, by its command, with how often one was made for it and when the first
 * was there. A row that is moved stays the same element.
 */
export const WATCH_ROWS = `(() => {
  const drawn = new Map();
  const known = new WeakSet();
  const note = (row) => {
    if (known.has(row)) return;
    known.add(row);
    const text = row.querySelector('code')?.textContent ?? '';
    const before = drawn.get(text);
    drawn.set(text, [(before?.[0] ?? 0) + 1, before?.[1] ?? Date.now()]);
  };
  const look = () => document.querySelectorAll('.event-row').forEach(note);
  look();
  new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
  window.drawnRows = (prefix) => [...drawn].flatMap(([text, told]) => (text.startsWith(prefix) ? [[text, ...told]] : []));
})()`;

/** What the page has drawn of commands that begin so, with how often and when first. */
export const drawnRows = (prefix: string): string => `window.drawnRows(${JSON.stringify(prefix)})`;
