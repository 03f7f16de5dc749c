import { type ParseError, printParseErrorCode } from 'jsonc-parser';

const WORDS: Readonly<Record<string, string>> = {
  InvalidSymbol: 'this is no JSON; texts stand in double quotes',
  InvalidNumberFormat: 'this is no number',
  PropertyNameExpected: 'a name in double quotes should stand here',
  ValueExpected: 'a value should stand here',
  ColonExpected: 'a colon should stand here',
  CommaExpected: 'a comma should stand here',
  CloseBraceExpected: 'a } is missing',
  CloseBracketExpected: 'a ] is missing',
  EndOfFileExpected: 'the file should end here',
  UnexpectedEndOfComment: 'a comment has no end',
  UnexpectedEndOfString: 'a text has no closing quote',
  UnexpectedEndOfNumber: 'a number is cut off',
  InvalidUnicode: 'a \\u escape is not whole',
  InvalidEscapeCharacter: 'there is no such escape',
  InvalidCharacter: 'a control character must be escaped',
};

/** The first thing that is wrong; what follows it is mostly its consequence. */
export function parseProblem(text: string, { error, offset }: ParseError): string {
  const before = text.slice(0, offset).split('\n');
  const code = printParseErrorCode(error);
  return `line ${before.length}, column ${(before.at(-1)?.length ?? 0) + 1}: ${WORDS[code] ?? code}`;
}
