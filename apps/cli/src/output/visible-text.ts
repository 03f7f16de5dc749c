/**
 * What a reader would not see, or see as something else: controls, bidirectional marks, characters without a width, spaces that are
 * none to a shell, and code points that nobody has assigned. Tabs stay.
 */
const HIDDEN = /(?!\t)[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}]|(?! )\p{Zs}|\p{Default_Ignorable_Code_Point}|\u2800|\ufffd/gu;
const NAMES: Readonly<Record<string, string>> = {
  '\0': 'NUL',
  '\u0007': 'BEL',
  '\b': 'BS',
  '\n': 'LF',
  '\r': 'CR',
  '\u001b': 'ESC',
  '\u007f': 'DEL',
};

/** One line of text for review: nothing is removed, and what is hidden is named, as `<ESC>` or `<U+202E>`. */
export const visibleText = (text: string): string =>
  text.replace(HIDDEN, (found) => `<${NAMES[found] ?? `U+${(found.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`}>`);

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The same for bytes that may be no UTF-8: then each byte beyond ASCII is named, as `<0xE9>`. */
export function visibleBytes(bytes: Uint8Array): string {
  try {
    return visibleText(strict.decode(bytes));
  } catch {
    const text = Buffer.from(bytes).toString('latin1');
    return text.replace(/[^\t\x20-\x7e]/g, (found) =>
      found < '\x7f' ? visibleText(found) : `<0x${found.charCodeAt(0).toString(16).toUpperCase()}>`,
    );
  }
}

/** A long line as rows of a terminal: each begins where we say, so that no file can write a row of its own. */
export function rowsOf(text: string, width: number, widthOf: (text: string) => number): string[] {
  if (text.length <= width && widthOf(text) <= width) return [text];
  const rows: string[] = [];
  let row = '';
  let used = 0;
  for (const char of text) {
    const more = char <= '\x7e' ? 1 : widthOf(char);
    if (used + more > width) {
      rows.push(row);
      row = '';
      used = 0;
    }
    row += char;
    used += more;
  }
  return [...rows, row];
}
