import { BACKSLASH, COLON, DASH, isQuote, PERCENT, skipBackslashes, skipSpaces } from '../text/characters.ts';
import { isDepth, plainlyQuotedEnd, quotedEnd } from '../text/escapes.ts';

/** How a name and its value stand together. */
export type Form = 'assigned' | 'option' | 'listed' | 'element';

/** Where the value of a name would stand. */
export interface Place {
  readonly form: Form;
  /** The quote behind the name, or 0. */
  readonly nameQuote: number;
  /** How many backslashes stand before the quote behind the name. */
  readonly nameDepth: number;
  readonly at: number;
  /** `NAME=value`, without a blank. */
  readonly tight: boolean;
  readonly colon: boolean;
  /** `"password": { "value": …`. */
  readonly nested: boolean;
}

/** The raw text of a value, as it stands. */
export interface Value {
  readonly start: number;
  readonly end: number;
  readonly quoted: boolean;
  readonly depth: number;
}

const LONGEST_VALUE = 8192;
const MOST_BLANKS = 4;
const [EQUALS, COMMA, GREATER, CLOSE_BRACKET, BACKTICK, DOUBLE_QUOTE, OPEN_BRACE] = [61, 44, 62, 93, 96, 34, 123];
/** A value is judged by its head: where names follow each other without a blank, none is read through for each of them. */
const HEAD = 256;
const BARE_HEAD = /[^\s"'`&|;<>()\\,{}[\]]{1,256}/y;
const BARE_REST = /[^\s"'`&|;<>()\\,{}[\]]{0,8192}/y;
const ELEMENT = /[^<>"'\\\r\n]{1,512}(?=<\/)/y;
/** `{"name": "DB_PASSWORD", "value": "…"}` in JSON, and the same in YAML. */
const VALUE_FIELD = /,\s{0,32}\\{0,31}["']value\\{0,31}["']\s{0,4}:\s{0,4}/iy;
const NESTED_FIELD = /\{(?:\s|\\{1,8}[nrt]){0,32}\\{0,31}["']?(?:value|val|content)\\{0,31}["']?\s{0,4}:\s{0,4}/iy;
const OTHER_SIGN = /(?:\|\||\?\??|\+)=(?![=>])|<<<(?= ?["'])/y;
/** `gh secret set NAME --body …`. */
const BODY_OPTION = /--?(?:body|value|b)[ =]{1,2}/y;
const VALUE_ATTRIBUTE = /value {0,2}= {0,2}/iy;
const VALUE_LINE = /(?:\r?\n|\\{1,8}n)[ \t]{0,32}value:[ \t]{1,4}/iy;

/** A value of YAML that stands on the line below, or has a tag or an anchor before it. */
const BLOCK = /(?:(?:![!\w]{1,16}|&[\w-]{1,32})[ \t]{1,4})?(?:[|>][-+0-9]{0,2}[ \t]{0,4}(?:\r?\n|\\{1,8}n)[ +-]?[ \t]{1,32})?/y;
/** `env('DB_PASSWORD', 'fallback')`: what counts where the variable is not set. PowerShell has a call of its own. */
const FALLBACK =
  /ConvertTo-SecureString (?:-String )?(?=["'])|(?:os\.)?(?:env|getenv|environ\.get|ENV\.fetch)\([ \t]{0,4}\\{0,31}["'][A-Za-z0-9_]{1,64}\\{0,31}["'],[ \t]{0,4}(?=\\{0,31}["'])/y;
/** `password: str = "…"`: between the colon and the value stands a type. */
const TYPED = /(?:&?[A-Za-z_][\w.<>[\]|]{0,40})? {0,2}= {0,2}(?=[bru]?["'`])/y;
/** In a diff by words: `NAME=[-old-]{+new+}`. */
const CHANGED = /(?:\[-[^\]\r\n]{0,256}-\])?\{\+/y;

/** Looks behind a name that ends at `end` for a sign that its value follows. */
export function placeAfter(text: string, start: number, end: number): Place | undefined {
  let at = end;
  const quote = skipBackslashes(text, end);
  const nameQuoted = isQuote(text.charCodeAt(quote));
  const nameQuote = nameQuoted ? text.charCodeAt(quote) : 0;
  const nameDepth = nameQuoted ? quote - end : 0;
  if (nameQuoted) {
    at = quote + 1;
    if (text.charCodeAt(at) === CLOSE_BRACKET) at++; // config['password'] = …
  }
  const sign = skipSpaces(text, at, MOST_BLANKS);
  const code = text.charCodeAt(sign);
  const place = (form: Form, from: number, colon = false): Place => {
    const blank = skipSpaces(text, from, MOST_BLANKS);
    const lead = Math.max(blank, ends(colon ? BLOCK : CHANGED, text, blank));
    const value = Math.max(lead, ends(FALLBACK, text, lead), colon ? ends(TYPED, text, lead) : -1);
    const inner = colon && text.charCodeAt(value) === OPEN_BRACE ? ends(NESTED_FIELD, text, value) : -1;
    const tight = sign === end && value === from;
    return { form, nameQuote, nameDepth, at: inner === -1 ? value : inner, tight, colon, nested: inner !== -1 };
  };
  if (code === COLON) {
    const next = text.charCodeAt(sign + 1);
    return next === COLON ? undefined : place('assigned', next === EQUALS ? sign + 2 : sign + 1, next !== EQUALS);
  }
  if (code === EQUALS) {
    const next = text.charCodeAt(sign + 1);
    return next === EQUALS ? undefined : place('assigned', next === GREATER ? sign + 2 : sign + 1);
  }
  // `||=` and `?=` set what is not set yet, `<<<` is read into a variable.
  const other = ends(OTHER_SIGN, text, sign);
  if (other !== -1) return place('assigned', other);
  if (code === PERCENT && /^%3[da]/i.test(text.slice(sign, sign + 3))) return place('assigned', sign + 3);
  if (code === COMMA && nameQuoted) {
    const field = ends(VALUE_FIELD, text, sign);
    return field === -1 ? place('listed', sign + 1) : place('assigned', field);
  }
  // <add key="ApiKey" value="…"/>
  const attribute = nameQuoted && sign > at ? ends(VALUE_ATTRIBUTE, text, sign) : -1;
  if (attribute !== -1) return place('assigned', attribute);
  if (code === GREATER && sign === end && text[start - 1] === '<') return place('element', sign + 1);
  if (text.charCodeAt(start) === DASH && !nameQuoted && sign > end)
    return { form: 'option', nameQuote, nameDepth, at: sign, tight: false, colon: false, nested: false };
  const body = sign > end ? ends(BODY_OPTION, text, sign) : -1;
  if (body !== -1) return { form: 'option', nameQuote, nameDepth, at: body, tight: false, colon: false, nested: false };
  if (sign > end && (isLogin(text, start, end) || isSet(text, start)))
    return { form: 'option', nameQuote, nameDepth, at: sign, tight: false, colon: false, nested: false };
  const line = code === 10 || code === 13 || code === BACKSLASH ? ends(VALUE_LINE, text, end) : -1;
  return line === -1 ? undefined : place('assigned', line);
}

/** A `.netrc` has blanks only: `login me password …`. */
const isLogin = (text: string, start: number, end: number): boolean =>
  end - start === 8 &&
  text.startsWith('password', start) &&
  /\blogin[ \t]{1,4}[^\s]{1,128}\s{1,8}$/.test(text.slice(Math.max(0, start - 150), start));

/** `ENV NAME value` of a Dockerfile, `set -gx NAME value` of fish, `setenv`, `setx`, `aws configure set name value`. */
const SET =
  /(?:(?:^|[\n;&|+-]|\\n)[ \t]{0,16}(?:ENV|setenv|setx)|\bset(?:[ \t]{1,4}--?[A-Za-z-]{1,16}){1,4}|\bconfig(?:ure)?[ \t]{1,4}(?:set|--global|--local|--add))[ \t]{1,4}(?:\/\/[^\s:]{1,64}:)?$/;
const isSet = (text: string, start: number): boolean => SET.test(text.slice(Math.max(0, start - 96), start));

function ends(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

/** In JSON text the quote after `"…password=` closes a string: what follows it is structure, not a value. */
export const AFTER_STRING = /^[\s,:\]})]/;

export function valueAt(text: string, place: Place): Value | undefined {
  if (place.form === 'element') return bare(ELEMENT, text, place.at);
  // b"…", f'…': the letter belongs to the quote.
  const prefixed = /^[bfru$]["'`]/i.test(text.slice(place.at, place.at + 2));
  const from = prefixed ? place.at + 1 : place.at;
  const open = skipBackslashes(text, from);
  const quote = text.charCodeAt(open);
  if (!isQuote(quote) && quote !== BACKTICK) return open === from ? bare(BARE_HEAD, text, from) : undefined;
  const depth = open - from;
  const start = open + 1;
  // A quote less deep than the name's closes the text that both stand in.
  if (quote === DOUBLE_QUOTE && (!isDepth(depth) || depth < place.nameDepth)) return undefined;
  const end = quote === DOUBLE_QUOTE ? quotedEnd(text, start, depth, LONGEST_VALUE) : plainlyQuotedEnd(text, start, quote, LONGEST_VALUE);
  if (end <= start) return undefined;
  if (place.nameQuote !== quote && AFTER_STRING.test(text.slice(start, start + 1))) return undefined;
  return { start, end, quoted: true, depth };
}

/** Where a value ends of which perhaps only the head was read. */
export const wholeEnd = (text: string, { quoted, start, end }: Value): number =>
  quoted || end - start < HEAD ? end : ends(BARE_REST, text, end);

function bare(pattern: RegExp, text: string, at: number): Value | undefined {
  const end = ends(pattern, text, at);
  return end === -1 ? undefined : { start: at, end, quoted: pattern === ELEMENT, depth: 0 };
}
