/** Rows that `j` and `k` walk through: whatever carries `data-row`, in the order of the page. */
const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row]')].filter((row) => row.offsetParent !== null);

export function moveRow(by: 1 | -1): void {
  const all = rows();
  const at = all.findIndex((row) => row === document.activeElement || row.contains(document.activeElement));
  const next = all[at < 0 ? (by > 0 ? 0 : all.length - 1) : Math.min(all.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}
