/** How git reads a message: what its comments begin with, and what may stand between the name of a trailer and its value. */
export interface MessageSyntax {
  readonly commentSign: string;
  readonly separators: string;
}

/** As git has them where nothing is set. */
export const USUAL_SYNTAX: MessageSyntax = { commentSign: '#', separators: ':' };

const CUT = ' ------------------------ >8 ------------------------\n';
/** A paragraph with one of these may hold other lines as well. */
const BY_GIT = ['Signed-off-by: ', '(cherry picked from commit '];
const SPACE = /[ \t\n\r]/;
const isBlank = (line: string): boolean => /^[ \t\n\r]*$/.test(line);
const beginsWithSpace = (line: string): boolean => SPACE.test(line.charAt(0));
const trimmed = (text: string): string => text.replace(/^[ \t\n\r]+|[ \t\n\r]+$/g, '');

/** With its line feed. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? [];

/** Where a trailer's name ends; -1 where a line is none. */
function separatorIn(line: string, separators: string): number {
  const found = /^[0-9A-Za-z-]*[ \t]*/.exec(line)?.[0] ?? '';
  return separators.includes(line.charAt(found.length)) && line.length > found.length && !(found !== '' && /^[ \t]/.test(found))
    ? found.length
    : -1;
}

/** What is under the scissors is not part of a message. */
function cutAt(text: string, sign: string): number {
  if (text.startsWith(sign + CUT)) return 0;
  const at = text.indexOf(`\n${sign}${CUT}`);
  return at === -1 ? text.length : at + 1;
}

/** Where a message ends: before comments, blank lines and an old list of conflicts at its end. */
function messageEnd(text: string, sign: string): number {
  const cut = cutAt(text, sign);
  let rest = 0;
  let inConflicts = false;
  let at = 0;
  for (const line of linesOf(text)) {
    if (at >= cut) break;
    if (line.startsWith(sign) || line === '\n') rest ||= at;
    else if (line === 'Conflicts:\n') {
      inConflicts = true;
      rest ||= at;
    } else if (!(inConflicts && line.startsWith('\t')) && rest !== 0) {
      rest = 0;
      inConflicts = false;
    }
    at += line.length;
  }
  return rest === 0 ? cut : rest;
}

/** Where the last paragraph begins, if it is one of trailers; the end of the message if it is not. The first one is the title, whatever it holds. */
function blockStart(message: string, { commentSign, separators }: MessageSyntax): number {
  const lines = linesOf(message);
  const title = lines.findIndex((line) => !line.startsWith(commentSign) && isBlank(line));
  let [trailers, others, continued, byGit, seen, at] = [0, 0, 0, false, false, message.length];
  for (const line of lines.slice(title === -1 ? lines.length : title).reverse()) {
    const after = at;
    at -= line.length;
    if (line.startsWith(commentSign)) {
      others += continued;
      continued = 0;
    } else if (isBlank(line)) {
      if (!seen) continue;
      others += continued;
      return (byGit && trailers * 3 >= others) || (trailers > 0 && others === 0) ? after : message.length;
    } else {
      seen = true;
      const isGits = BY_GIT.some((prefix) => line.startsWith(prefix));
      if (isGits || (separatorIn(line, separators) >= 1 && !beginsWithSpace(line))) {
        trailers += 1;
        continued = 0;
        byGit ||= isGits;
      } else if (beginsWithSpace(line)) continued += 1;
      else {
        others += 1 + continued;
        continued = 0;
      }
    }
  }
  return message.length;
}

interface Trailer {
  /** Null: a line that is no trailer, among others that are. */
  readonly name: string | null;
  readonly value: string;
}

function parseBlock(block: string, { commentSign, separators }: MessageSyntax): Trailer[] {
  const whole: string[] = [];
  let isOpen = false;
  for (const line of linesOf(block)) {
    if (isOpen && beginsWithSpace(line)) whole[whole.length - 1] += line;
    else {
      whole.push(line);
      isOpen = separatorIn(line, separators) >= 1;
    }
  }
  return whole
    .filter((line) => !line.startsWith(commentSign))
    .map((line) => {
      const at = separatorIn(line, separators);
      if (at < 1) return { name: null, value: line.replace(/\n$/, '') };
      return { name: trimmed(line.slice(0, at)), value: trimmed(line.slice(at + 1)) };
    });
}

/**
 * A message with these trailers at its end, each once: what `git interpret-trailers --no-divider --if-exists addIfDifferent` writes. Git
 * waits for this, and to start it takes longer than all else that a hook of ours does. Text is bytes, one a character: its encoding is
 * the person's.
 */
export function withTrailers(text: string, name: string, values: readonly string[], syntax = USUAL_SYNTAX): string {
  const whole = text === '' || text.endsWith('\n') ? text : `${text}\n`;
  const end = messageEnd(whole, syntax.commentSign);
  const start = blockStart(whole.slice(0, end), syntax);
  const trailers = parseBlock(whole.slice(start, end), syntax);
  for (const value of values) {
    const isThere = trailers.some(
      (one) => one.name?.toLowerCase() === name.toLowerCase() && one.value.toLowerCase() === value.toLowerCase(),
    );
    if (!isThere) trailers.push({ name, value });
  }
  const [separator = ':'] = syntax.separators;
  const printed = trailers.map((one) => (one.name === null ? `${one.value}\n` : `${one.name}${separator} ${one.value}\n`));
  const before = whole.slice(0, start);
  const gap = isBlank(linesOf(before).at(-1) ?? 'none') ? '' : '\n';
  return `${before}${gap}${printed.join('')}${whole.slice(end)}`;
}
