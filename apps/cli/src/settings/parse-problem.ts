import { type ParseError, printParseErrorCode } from 'jsonc-parser';

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'invalid JSON. Strings need double quotes',
  InvalidNumberFormat: 'not a number',
  PropertyNameExpected: 'expected a name in double quotes',
  ValueExpected: 'expected a value',
  ColonExpected: 'expected a colon',
  CommaExpected: 'expected a comma',
  CloseBraceExpected: 'missing }',
  CloseBracketExpected: 'missing ]',
  EndOfFileExpected: 'expected the end of the file',
  UnexpectedEndOfComment: 'unterminated comment',
  UnexpectedEndOfString: 'unterminated string',
  UnexpectedEndOfNumber: 'incomplete number',
  InvalidUnicode: 'incomplete \\u escape',
  InvalidEscapeCharacter: 'unknown escape',
  InvalidCharacter: 'a control character must be escaped',
};

/** The first error. Those after it mostly follow from it. */
export function parseProblem(text: string, { error, offset }: ParseError): string {
  const before = text.slice(0, offset).split('\n');
  const code = printParseErrorCode(error);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${WORDS[code] ?? code}`;
}
