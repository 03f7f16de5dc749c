export const DEFAULT_LIMIT = 50;

/** For use with `ESCAPE '!'`: what a person typed stands for itself. */
export const escapeLike = (text: string): string => text.replace(/[!%_]/g, '!$&');
