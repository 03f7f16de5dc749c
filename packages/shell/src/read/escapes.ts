const LETTERS: Readonly<Record<string, string>> = {
  ...{ n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', E: '\x1b', f: '\f', v: '\v' },
  ...{ '\\': '\\', "'": "'", '"': '"', '?': '?' },
};
const CODE = /(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|([0-7]{1,3})|c([\s\S]))/y;
const PRINTED_CODE = /(?:x([0-9A-Fa-f]{1,2})|u([0-9A-Fa-f]{1,4})|U([0-9A-Fa-f]{1,8})|0?([0-7]{1,3}))/y;

/** What `$'…'` holds. It ends at a NUL, as the shell's own texts do. */
export function ansiText(quoted: string): string {
  if (!quoted.includes('\\')) return quoted;
  const text = decoded(quoted, CODE);
  const end = text.indexOf('\0');
  return end < 0 ? text : text.slice(0, end);
}

/** The escapes that `printf` and `echo -e` know. A NUL only parts words, for `xargs -0`. */
export const unescaped = (text: string): string => (text.includes('\\') ? decoded(text, PRINTED_CODE).replaceAll('\0', '\n') : text);

function decoded(text: string, codes: RegExp): string {
  let made = '';
  let bytes = false;
  for (let at = 0; ; ) {
    const slash = text.indexOf('\\', at);
    if (slash < 0 || slash === text.length - 1) {
      made += text.slice(at);
      return bytes ? made.replaceAll(BYTES, asCharacters) : made;
    }
    made += text.slice(at, slash);
    codes.lastIndex = slash + 1;
    const [whole, hex, point4, point8, octal, control] = codes.exec(text) ?? [];
    const letter = text[slash + 1] as string;
    at = slash + 1 + (whole ?? letter).length;
    const byte = hex === undefined ? octal && Number.parseInt(octal, 8) & 0xff : Number.parseInt(hex, 16);
    if (whole === undefined) made += LETTERS[letter] ?? `\\${letter}`;
    else if (control !== undefined) made += control === '?' ? '\x7f' : String.fromCharCode(control.toUpperCase().charCodeAt(0) & 0x1f);
    else if (typeof byte === 'number') {
      bytes ||= byte > 0x7f;
      made += String.fromCharCode(byte > 0x7f ? FIRST_BYTE + byte : byte);
    } else made += character(Number.parseInt(point4 ?? point8 ?? '0', 16));
  }
}

const character = (point: number): string => (point > 0x10ffff ? '' : String.fromCodePoint(point));

/** Bytes that are no character by themselves stand as halves of one until all are there. */
const FIRST_BYTE = 0xdc00;
const BYTES = /[\uDC80-\uDCFF]+/g;
const asCharacters = (bytes: string): string => new TextDecoder().decode(Uint8Array.from(bytes, (half) => half.charCodeAt(0) - FIRST_BYTE));
