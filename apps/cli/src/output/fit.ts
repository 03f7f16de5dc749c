import { widthOf, wrap } from './text.ts';

/**
 * A command as people paste it, up to the end of its sentence: one of ours, `withCommandName` puts in what runs Piton in this shell, or
 * of the few others that we name.
 */
const COMMAND = new RegExp(
  `((?:${[
    String.raw`(?:npx |node )?\S*(?<=^|[\s/]|\u001b\[\d+m)(?:piton|cli\.mjs) [a-z]`,
    String.raw`(?<=^|[\s])(?:mkdir -p|ln -s|chmod [+\d]|rm (?=[-/~'])|export [A-Z]+=)`,
  ].join('|')}).*?)(?:[.](?= [A-Z])|$)`,
);
/** Looking for one in a word of a megabyte would take for ever. */
const MAX_PROSE = 4096;
const COLOURS = '(?:\\u001b\\[[\\d;]*m)*';
/** Before the text of a line: spaces, a mark, a label with two spaces behind it, or the name of a field. */
const LEAD = new RegExp(`^ *${COLOURS}(?:[✓✗~!=i↳|-]${COLOURS} +|[^\\s:]+${COLOURS} {2,}|(?=(?:fix|where|to delete): ))?`);
const MOST_INDENT = 16;

/**
 * A text in lines of a terminal: broken between words, never inside of one. What follows a line starts where its text does. A command
 * that does not fit stands on a line of its own and stays whole, however long: it is there to be pasted. Lines of the text stay lines.
 */
export const fitLines = (text: string, width: number): string =>
  text
    .split('\n')
    .map((line) => (widthOf(line) <= width ? line : fitLine(line, width)))
    .join('\n');

function fitLine(line: string, width: number): string {
  const [lead = ''] = LEAD.exec(line) ?? [];
  const used = widthOf(lead);
  const [start, indent] = used <= MOST_INDENT ? [lead, used + (/(?:fix|where|to delete): $/.test(lead) ? 2 : 0)] : ['', 2];
  const lines = fitProse(line.slice(start.length), width - indent);
  return `${start}${lines.join(`\n${' '.repeat(indent)}`)}`;
}

/** The lines of one line of prose with commands in it. */
export function fitProse(text: string, width: number): string[] {
  if (widthOf(text) <= width) return [text];
  const found = text.length > MAX_PROSE ? null : COMMAND.exec(text);
  const [whole = '', command = ''] = found ?? [];
  if (!found) return wrap(text, width);
  const [before, after] = [text.slice(0, found.index).trimEnd(), text.slice(found.index + whole.length).trimStart()];
  // Inside a sentence it is a name, not something to paste: `piton init` in backticks, or with more words behind it.
  const isPasted = before === '' || before.endsWith(':');
  if (!isPasted) return wrap(text, width);
  const lines = before === '' ? [] : wrap(before, width);
  const last = `${lines.at(-1)} ${command}`;
  if (lines.length > 0 && widthOf(last) <= width) lines[lines.length - 1] = last;
  else lines.push(command);
  return [...lines, ...(after === '' ? [] : fitProse(after, width))];
}
