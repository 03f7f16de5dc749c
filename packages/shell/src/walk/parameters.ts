import { hasGlob, isUncertain, UNKNOWN } from './marks.ts';
import { globFits } from './paths.ts';

const LONGEST_VALUE = 256;
const LONGEST_PATTERN = 64;
const ASCII = /^[\0-\x7f]*$/;

/** What `${X%…}`, `${X/…}` and their like make of a value; what nobody can tell where that is not plain. */
export function changedValue(value: string, operator: string, operand: string): string {
  const isPlain = !isUncertain(value) && !isUncertain(operand) && value.length <= LONGEST_VALUE && operand.length <= LONGEST_PATTERN;
  return (isPlain ? changes(value, operator, operand) : undefined) ?? UNKNOWN;
}

function changes(value: string, operator: string, operand: string): string | undefined {
  switch (operator) {
    case '#':
    case '##':
    case '%':
    case '%%':
      // A class of characters fits more here than in a shell.
      return operand.includes('\uE002') ? undefined : cutOff(value, operator, operand);
    case '/':
    case '//':
      return replaced(value, operand, operator === '//');
    case '^^':
      return operand === '' && ASCII.test(value) ? value.toUpperCase() : undefined;
    case ',,':
      return operand === '' && ASCII.test(value) ? value.toLowerCase() : undefined;
    case ':':
      return substring(value, operand);
    default:
      return undefined;
  }
}

function cutOff(value: string, operator: string, pattern: string): string {
  const fromStart = operator.startsWith('#');
  const longest = operator.length === 2;
  for (let length = 0; length <= value.length; length++) {
    const size = longest ? value.length - length : length;
    const piece = fromStart ? value.slice(0, size) : value.slice(value.length - size);
    if (globFits(pattern, piece)) return fromStart ? value.slice(size) : value.slice(0, value.length - size);
  }
  return value;
}

/** Only a text by a text: `&` stands for what was found in some shells, and not in others. */
function replaced(value: string, operand: string, all: boolean): string | undefined {
  const slash = operand.indexOf('/');
  const [pattern, by] = slash < 0 ? [operand, ''] : [operand.slice(0, slash), operand.slice(slash + 1)];
  if (pattern === '' || hasGlob(pattern) || /[&\\/]/.test(by) || pattern.includes('\\')) return undefined;
  return all ? value.replaceAll(pattern, () => by) : value.replace(pattern, () => by);
}

function substring(value: string, operand: string): string | undefined {
  const [whole, from, length] = /^(\d{1,4})(?::(\d{1,4}))?$/.exec(operand) ?? [];
  if (whole === undefined || !ASCII.test(value)) return undefined;
  return value.slice(Number(from), length === undefined ? undefined : Number(from) + Number(length));
}
