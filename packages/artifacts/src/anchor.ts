const FOLDER = '"$PITON_ARTIFACT_DIR"/';
/** A new word begins after these. */
const BREAKS = /[\s;&|()<>`=]/;
const HEREDOC = /<<-?\s*(['"]?)([A-Za-z_][\w-]*)\1/g;

/**
 * A shell action runs in the event's directory, but its scripts are in the artifact's folder. So a word that starts with a
 * bundled name (`scripts/log.sh`) gets the folder prepended. Only whole words are changed, never the inside of a quoted
 * text or a here-document.
 */
export function anchored(action: string, bundled: readonly string[]): string {
  if (bundled.length === 0) return action;
  let until: string[] = [];
  return action
    .split('\n')
    .map((line) => {
      const waiting = until[0];
      if (waiting !== undefined) {
        if (line.trim() === waiting) until = until.slice(1);
        return line;
      }
      until = [...line.matchAll(HEREDOC)].map((found) => found[2] ?? '');
      return anchoredLine(line, bundled);
    })
    .join('\n');
}

function anchoredLine(line: string, bundled: readonly string[]): string {
  let out = '';
  let quote = '';
  for (let at = 0; at < line.length; at++) {
    const char = line[at] as string;
    const begins = quote === '' && (at === 0 || BREAKS.test(line[at - 1] as string));
    if (begins && char === '#') return out + line.slice(at); // a comment
    if (begins && namesBundled(line, at, bundled)) out += FOLDER;
    if (quote === '' && (char === '"' || char === "'")) quote = char;
    else if (char === quote) quote = '';
    out += char;
    if (char === '\\' && quote !== "'" && at + 1 < line.length) out += line[++at];
  }
  return out;
}

/** `scripts/x`, `./scripts/x`, `"scripts/x y"`, or the name of a bundled file. */
function namesBundled(line: string, at: number, bundled: readonly string[]): boolean {
  const word = line.slice(at).replace(/^["']/, '').replace(/^\.\//, '');
  return bundled.some(
    (name) => word.startsWith(name) && /^(?:$|[/\s;&|()<>"'`])/.test(word.slice(name.length)) && isPath(word, name, line, at),
  );
}

/** A bundled file without a slash must be written as a path (`./run`): a bare `run` may be a program on PATH. */
const isPath = (word: string, name: string, line: string, at: number): boolean =>
  word[name.length] === '/' || line.slice(at).replace(/^["']/, '').startsWith('./');
