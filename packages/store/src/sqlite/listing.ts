export const DEFAULT_LIMIT = 50;

/** For use with `ESCAPE '!'`: wildcards that a person typed are literal. */
export const escapeLike = (text: string): string => text.replace(/[!%_]/g, '!$&');
