import { type ParseError, parse, printParseErrorCode } from 'jsonc-parser';

/** More errors help nobody, and an agent waits while their lines are counted. */
const MOST_ERRORS = 20;

/** Settings are JSON with comments and trailing commas. Errors name their line. */
export function parseSettings(text: string): { value: unknown; errors: readonly string[] } {
  const errors: ParseError[] = [];
  const value: unknown = parse(text, errors, { allowTrailingComma: true });
  return {
    value,
    errors: errors.slice(0, MOST_ERRORS).map(({ error, offset }) => `${printParseErrorCode(error)} at ${lineOf(text, offset)}`),
  };
}

function lineOf(text: string, offset: number): string {
  const before = text.slice(0, offset).split('\n');
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}`;
}
