/** `@` is the latest, `@~2` the one two before it, `@~` the one before it. How many before the latest; undefined if it is another ref. */
export function stepsBack(ref: string): number | undefined {
  const found = /^@(~(\d{0,6}))?$/.exec(ref);
  if (!found) return undefined;
  if (found[1] === undefined) return 0;
  return found[2] === '' ? 1 : Number(found[2]);
}

/** The refs that every command with an ID takes, for its help. */
export const ID_FORMS = 'ID, a unique prefix of it, or @ for the latest (@~2: two before it)';
