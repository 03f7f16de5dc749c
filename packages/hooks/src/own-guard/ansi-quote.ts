const SIMPLE: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', a: '\x07', b: '\b', e: '\x1b', f: '\f', v: '\v' };
const CODE = /^(?:x([0-9a-fA-F]{1,2})|u([0-9a-fA-F]{1,4})|U([0-9a-fA-F]{1,8})|([0-7]{1,3}))/;

/** One escape of `$'…'`, from behind its backslash: what it stands for, and how long it is. */
export function ansiEscape(text: string, at: number): { readonly text: string; readonly length: number } {
  const code = CODE.exec(text.slice(at, at + 9));
  if (code !== null) {
    const [whole, hex2, hex4, hex8, octal] = code;
    const point = octal === undefined ? Number.parseInt(hex2 ?? hex4 ?? hex8 ?? '0', 16) : Number.parseInt(octal, 8);
    return { text: point > 0x10ffff ? '' : String.fromCodePoint(point), length: whole.length };
  }
  const next = text[at] ?? '';
  return { text: SIMPLE[next] ?? next, length: 1 };
}
