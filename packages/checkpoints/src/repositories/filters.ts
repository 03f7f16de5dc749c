import type { Setting } from '@piton/git';

/** The filter drivers that are configured, as far as they do anything. None of them is ever run by us. */
export interface Filters {
  /** Change what git stores of a file. */
  readonly cleaning: ReadonlySet<string>;
  /** Change what git writes of what it has stored. */
  readonly smudging: ReadonlySet<string>;
  /** Are Git LFS, of which we know what it does. */
  readonly lfs: ReadonlySet<string>;
}

const LFS = /^git[- ]lfs (?:clean|smudge|filter-process)\b/;

export function filtersIn(settings: readonly Setting[]): Filters {
  const cleaning = new Set<string>();
  const smudging = new Set<string>();
  const lfs = new Set<string>();
  // The last one counts, and an empty one is none.
  const last = new Map(settings.filter(([name]) => name.startsWith('filter.')));
  for (const [name, command] of last) {
    const [, driver = '', way] = /^filter\.(.*)\.(clean|process|smudge)$/s.exec(name) ?? [];
    if (way === undefined || !command || command === 'cat') continue;
    if (way !== 'smudge') cleaning.add(driver);
    if (way !== 'clean') smudging.add(driver);
    if (LFS.test(command)) lfs.add(driver);
  }
  // Somebody else has a hand in what it stores.
  if (settings.some(([name]) => name.startsWith('lfs.extension.'))) lfs.clear();
  return { cleaning, smudging, lfs };
}
