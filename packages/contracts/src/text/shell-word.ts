const PLAIN = /^[\w@%+=:,./-]+$/;
/** What a terminal, a wrapped line or a reader would change: controls, marks that cannot be seen, blanks that are not one plain space. */
const CHANGED = /[\p{Cc}\p{Cf}\p{Cn}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?! )\p{Zs}| {2}|^ | $|\bpiton /u;
/** No dash: `printf` would take it for an option. */
const KEPT = /^[\w@+=:,./]$/;

/**
 * A word of a command line that a person can paste into any POSIX shell, on one line: it is passed on as it is, and nothing in it is
 * run. Every remedy that names something of others is put together with this.
 */
export function shellWord(text: string): string {
  if (PLAIN.test(text)) return text;
  if (!CHANGED.test(text) && text !== '') return `'${text.replaceAll("'", `'\\''`)}'`;
  if (text === '') return "''";
  // Octal but for letters: `printf` gives the bytes back, except line ends at the very end, which no shell lets through.
  const octal = [...Buffer.from(text)].map((byte) => {
    const char = String.fromCharCode(byte);
    return KEPT.test(char) ? char : `\\${byte.toString(8).padStart(3, '0')}`;
  });
  return `"$(printf '${octal.join('')}')"`;
}
