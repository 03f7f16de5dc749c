/** Where the quote that opens at `at` closes; the end of the text where it does not. */
export function endOfQuote(text: string, at: number, quote: "'" | '`'): number {
  for (let end = at + 1; end < text.length; end++) {
    if (quote === '`' && text[end] === '\\') end++;
    else if (text[end] === quote) return end;
  }
  return text.length;
}

/** Behind the brace that closes a `${`. */
export function endOfBraces(text: string, from: number): number {
  let depth = 1;
  let at = from;
  for (; at < text.length && depth > 0; at++) {
    if (text[at] === '\\') at++;
    else if (text[at] === '{') depth++;
    else if (text[at] === '}') depth--;
  }
  return at;
}

const HEREDOC = /^<<-?[ \t]*(?:'([^']+)'|"([^"]+)"|\\?([A-Za-z_][\w-]*))/;

/** Does a here-document begin here, and which line ends it? */
export function hereDocument(text: string): { length: number; until: string } | undefined {
  const found = HEREDOC.exec(text);
  return found === null ? undefined : { length: found[0].length, until: found[1] ?? found[2] ?? (found[3] as string) };
}

/** Behind the bodies of here-documents that begin at `from`. */
export function skipLines(text: string, from: number, until: readonly string[]): { at: number; lines: number } {
  let at = from;
  let lines = 0;
  for (const last of until) {
    while (at < text.length) {
      const end = text.indexOf('\n', at);
      const line = text.slice(at, end === -1 ? text.length : end);
      at = end === -1 ? text.length : end + 1;
      if (end !== -1) lines++;
      if (line.replace(/^\t+/, '') === last) break;
    }
  }
  return { at, lines };
}
