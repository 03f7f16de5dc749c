export const DEFAULT_LIMIT = 50;

/** For use with `ESCAPE '!'`: wildcards that a person typed are literal. */
export const escapeLike = (text: string): string => text.replace(/[!%_]/g, '!$&');

/**
 * The index by time gives the first number since then. It is not read for the rows, which would have to be sorted then. A plain
 * `min(seq)` would look at every row from the oldest on until one is young enough.
 */
export const FIRST_SINCE = 'SELECT min(+seq) AS seq FROM events INDEXED BY events_by_time WHERE wall_us >= ?';
